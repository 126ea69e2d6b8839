"""Ten thousand commands, undos and redos at random, beside a plain list of documents."""

from __future__ import annotations

import numpy as np

from stringless.project import Project

OPERATIONS = 10_000
REOPEN = 2_500
"""The project is closed and opened again after so many."""


def commands(project: Project, rng: np.random.Generator):
    """Something that can be done now."""
    director = project.sim.director
    goals = [goal.id for goal in director.goals]
    tracks = [track.id for track in director.all_tracks]
    names = [marker["name"] for marker in project.markers]
    number = float(rng.integers(1, 100))
    choices = [
        ("mark", {"name": f"mark {rng.integers(6)}", "time": number}),
        ("configure", {"friction": number / 100}),
        ("rename_lane", {"lane": 1, "name": f"lane {rng.integers(9)}"}),
        ("delete_lane", {"lane": 1}),
        ("restore_lane", {"lane": 1}),
        ("weigh", {"weights": {"left_elbow": number}}),
        ("style", {"style": str(rng.choice(["acceleration", "torque", "velocity"]))}),
        ("set_director", {"limit_firmness": number}),
        ("passive", {"joints": ["left_elbow"], "stiffness": number}),
    ]
    if len(goals) < 5:
        choices += [("goal", {"kind": "drag", "bone": "left_hand", "target": [number / 100, 1.0, 0.0]})]
        choices += [("goal", {"kind": "pose"})]
    if len(tracks) < 3:
        choices += [("track", {"joints": ["right_elbow"]})]
    if goals:
        goal = int(rng.choice(goals))
        choices += [("set_goal", {"goal": goal, "weight": number}), ("release_goal", {"goal": goal})]
    if tracks:
        track = int(rng.choice(tracks))
        choices += [("set_key", {"track": track, "time": number / 10}), ("delete_track", {"track": track})]
    if names:
        choices += [("unmark", {"name": str(rng.choice(names))})]
    return choices[rng.integers(len(choices))]


def test_a_long_walk_agrees_with_a_plain_list(tmp_path):
    rng = np.random.default_rng(5)
    path = tmp_path / "walk.stringless"
    project = Project.create("humanoid", path)
    project.do("advance", steps=20)
    project.do("go_to", time=0.01)
    project.do("configure", friction=0.5)
    project.do("advance", steps=20)  # in a lane of its own
    assert project.sim.director is not None
    project.catch_up()
    past, future = [project.document], []
    counts = {"do": 0, "undo": 0, "redo": 0}
    for k in range(OPERATIONS):
        chance = rng.random()
        if chance < 0.35 and len(past) > 1 and project.history.done:
            project.undo()
            future.append(past.pop())
            counts["undo"] += 1
        elif chance < 0.6 and future:
            project.redo()
            past.append(future.pop())
            counts["redo"] += 1
        else:
            name, arguments = commands(project, rng)
            project.do(name, **arguments)
            counts["do"] += 1
            if project.document != past[-1]:
                past.append(project.document)
                future.clear()
        assert project.document == past[-1]
        if k % REOPEN == REOPEN - 1:
            project.close()
            project = Project.open(path)
            assert project.document == past[-1]
    assert min(counts.values()) > OPERATIONS / 10
    while len(past) > 1:
        project.undo()
        past.pop()
    assert project.document == past[0]
    project.close()
