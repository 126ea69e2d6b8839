"""Steps of the adaptive engine: the clusters of every tree move on, and now and then joints are chosen anew.

Trees do not know of each other, so one after the other runs through all steps, and only what moves is touched. Choosing:
a look at the whole tree -> the best set of joints -> clusters -> momenta of the joints that go on.
"""

from __future__ import annotations

from stringless.contact.kernels import place_obstacles
from stringless.engines.adaptive.kernels_exchange import (
    EFFORT,
    OF_CLUSTERS,
    V,
    bring_back,
    carry_momenta,
    clusters_of,
    collect,
    collect_rates,
    fetch,
    form_clusters,
    keeps_moving,
    let_loose,
    must_stop,
    of_tree,
    settle,
)
from stringless.engines.adaptive.kernels_grounded import run_grounded
from stringless.engines.adaptive.kernels_look import look
from stringless.engines.adaptive.kernels_pulling import load_clusters
from stringless.engines.adaptive.kernels_seeing import see
from stringless.engines.adaptive.kernels_sleep import digest_inputs, fall_asleep, is_asleep, sleeps_on
from stringless.engines.adaptive.kernels_survey import is_frozen
from stringless.engines.adaptive.kernels_touch import fade, find_held, seat_pads
from stringless.engines.adaptive.rows import CALM, CHOICE, CHOSEN, DUE, ENERGY, MOVES, STEPS
from stringless.engines.reduced.kernels_bones import run_symplectic
from stringless.jit import kernel

NO_TIME = 1e-300
"""Length of the step before, where v does not lag behind q: the next step then brings v to its middle, not farther [s]."""


@kernel(inline=True)
def ground_of(part, ground, ground_work):
    """What belongs to one tree in the tables of what can touch obstacles."""
    obstacles, meshes, probes, pads, nothing, gains, stamp = ground
    obstacle_work, stack_work, seated, pad_work, ball_work, order_work, wrench, moment, touch = ground_work
    a, z, b = part.pad0, part.pad0 + part.pads, part.ball0
    return (obstacles, meshes, probes, pads[a:z], nothing, gains, stamp), (
        obstacle_work,
        stack_work,
        seated,
        pad_work[a:z],
        ball_work[b : b + part.count + 1],
        order_work[a:z],
        wrench,
        moment,
        touch,
    )


@kernel
def form(own, q, ground, cluster_work, ground_work, part_out):
    """Make the clusters of a tree in configuration q, and the balls around them that tell where they may touch."""
    form_clusters(own, q, cluster_work, part_out)
    if ground is not None:
        seat_pads(
            part_out.clusters, ground[3], ground[2], cluster_work[0], cluster_work[8], cluster_work[9], ground_work[2],
            ground_work[5],
            ground_work[3], ground_work[4],
        )  # fmt: skip


@kernel
def choose_joints(
    own, limits, gravity, none, ground, pushed, wrenches, begin, end, tau, last, h, interval, frequency, criterion, cluster_work,
    room_work, ground_work, kept_out, vdot_out, q_out, v_out, part_out,
):  # fmt: skip
    """Look at a whole tree, and choose the joints that move for an interval of steps h; all its rates are in `v_out`.

    Returns whether something changes. Then velocities do not lag behind q any more. That joints are let go or stopped changes
    accelerations at once: half a step of the old ones with half a step of the new ones on top is what a step would be that
    went on from velocities that lag, and a chain of light links would gain energy at every change.
    """
    tree, members = own[0], own[3]
    clusters, _, _, cluster_tau, cluster_vdot, cluster_q, cluster_v, _, _, _, body_of, moves = cluster_work[:12]
    vectors_work, q_work = room_work[2], room_work[4]
    rates = vectors_work[OF_CLUSTERS]
    collect_rates(part_out.clusters, clusters, last, cluster_vdot, cluster_v, rates)
    # Where nothing is new and nothing touches, motion of the clusters is all that there is to know.
    collected = ground is not None or criterion != ENERGY or not is_frozen(part_out, interval * h, frequency)
    if collected:
        collect(tree, members, tau, last, vdot_out, q_out, v_out, vectors_work, q_work)
    see(tree, members, q_out, kept_out, part_out)
    changes = look(
        own, limits, gravity, none, ground, pushed, wrenches, begin, end, tau, interval * h, frequency, criterion, cluster_work,
        room_work, kept_out, moves, part_out,
    )  # fmt: skip
    if ground is not None:
        fade(part_out.root, ground[3], interval, kept_out)
    part_out.updates += 1
    part_out.switched += changes
    loose = must_stop(part_out.clusters, clusters, body_of, moves, rates)
    if changes == 0 and not loose:
        return False
    if not collected:
        collect(tree, members, tau, last, vdot_out, q_out, v_out, vectors_work, q_work)
    for i in range(tree.shape[0]):
        kept_out[members[i].body, MOVES] = 1.0 if moves[i] else 0.0
    form(own, q_work, ground, cluster_work, ground_work, part_out)
    settle(tree, members, moves, vectors_work[V], vdot_out, v_out)
    m = part_out.clusters
    fetch(m, clusters, members, body_of, tau, vdot_out, q_out, v_out, cluster_tau, cluster_vdot, cluster_q, cluster_v)
    if loose:
        carry_momenta(own, none, cluster_work, room_work, part_out)
        bring_back(m, clusters, members, body_of, cluster_vdot, cluster_q, cluster_v, vdot_out, q_out, v_out)
    return True


@kernel
def recall(members, kept, moves_out):
    """Which joints move, as the state has it."""
    for i in range(members.shape[0]):
        moves_out[i] = kept[members[i].body, MOVES] > 0.0 and members[i].role >= CHOSEN


@kernel
def take_up(
    own, ground, anchors, tau, last, renew, cluster_work, room_work, ground_work, kept_out, vdot_out, q_out, v_out, part_out,
):  # fmt: skip
    """Begin where the state stands; True if joints must be chosen at once.

    `renew`: somebody has put the state elsewhere, so that the clusters are not those of it. A joint that is not to move and
    has a velocity must be brought to rest. Until then it carries a cluster: within clusters nothing moves.
    """
    tree, _, _, members, _ = own
    clusters, _, _, cluster_tau, cluster_vdot, cluster_q, cluster_v, _, _, _, body_of, moves = cluster_work[:12]
    vectors_work, q_work = room_work[2], room_work[4]
    now = kept_out[part_out.root, CHOICE] != part_out.choice
    if renew:
        recall(members, kept_out, moves)
        collect(tree, members, tau, last, vdot_out, q_out, v_out, vectors_work, q_work)
        now = now or keeps_moving(tree, moves, vectors_work[V])
        if ground is not None:
            find_held(ground[3], ground[0], anchors, ground_work[3])
        let_loose(tree, vectors_work[V], moves)
        form(own, q_work, ground, cluster_work, ground_work, part_out)
        recall(members, kept_out, moves)
    fetch(
        part_out.clusters,
        clusters,
        members,
        body_of,
        tau,
        vdot_out,
        q_out,
        v_out,
        cluster_tau,
        cluster_vdot,
        cluster_q,
        cluster_v,
    )
    return now


@kernel
def move_clusters(
    part, limits, gravity, none, ground, pushes, last, h, frequency, max_speed, steps, cluster_work, room_work, ground_work,
    anchors_out, kept_out,
):  # fmt: skip
    """Steps of the clusters of a tree, `pushes` of them pushed from outside; the steps done, and what ran away or -1."""
    clusters, dofs, rest, cluster_tau, cluster_vdot, cluster_q, cluster_v, external, _, place = cluster_work[:10]
    body_work, dof_work, vectors_work, step_work = room_work[:4]
    no_mask, _, _, no_targets = none
    m, nv = part.clusters, part.cluster_nv
    if m == 0:
        return steps, -1
    if ground is None:
        done, _, bad = run_symplectic(
            clusters[:m], dofs[:nv], limits, rest, gravity, no_mask, no_mask, no_targets, cluster_tau,
            external[: m if pushes > 0 else 0], last, h, frequency, max_speed, steps, 0.0, body_work, dof_work, step_work,
            step_work[2], vectors_work[EFFORT], cluster_vdot, cluster_q, cluster_v,
        )  # fmt: skip
    else:
        done, bad = run_grounded(
            clusters[:m], dofs[:nv], limits, rest, gravity, no_mask, cluster_tau, external[:m], place, ground, last, h, frequency,
            max_speed, steps, body_work, dof_work, step_work, vectors_work[EFFORT], ground_work, anchors_out, kept_out,
            cluster_vdot, cluster_q, cluster_v,
        )  # fmt: skip
        kept_out[part.root, STEPS] += done
    return done, bad


@kernel
def run_tree(
    number, full, limits, gravity, none, whole, pushed, begin, end, all_pulls, tau, last, h, frequency, max_speed, interval,
    criterion, renew, steps, cluster_work, room_work, whole_work, wrenches_out, anchors_out, kept_out, vdot_out, q_out, v_out,
    part_out,
):  # fmt: skip
    """Advance one tree by `steps` steps; the steps done, and the model's coordinate that ran away or -1.

    `whole` and `whole_work` are the tables of what can touch obstacles, of all trees.
    """
    own, mine = of_tree(part_out, full), clusters_of(part_out, cluster_work)
    clusters, dofs, _, _, cluster_vdot, cluster_q, cluster_v, _, _, _, body_of, moves = mine[:12]
    members, root = own[3], part_out.root
    pulls = all_pulls[part_out.pull0 : part_out.pull0 + part_out.pulls]
    due, asked = min(int(kept_out[root, DUE]), interval), False
    ground, ground_work, inputs = whole, whole_work, 0.0
    if whole is not None:
        ground, ground_work = ground_of(part_out, whole, whole_work)
        inputs = digest_inputs(own[0], members, tau, pushed, wrenches_out, begin, end, whole[6], part_out.choice)
        if is_asleep(root, kept_out):
            if last > 0.0 and sleeps_on(own[0], members, inputs, renew, q_out, v_out, kept_out, root):
                return steps, -1
            kept_out[root, CALM] = 0.0
            renew, asked = True, True
    now = take_up(
        own, ground, anchors_out, tau, last, renew, mine, room_work, ground_work, kept_out, vdot_out, q_out, v_out, part_out,
    )  # fmt: skip
    now = now or asked
    if last == 0.0:
        # Trees are looked at one after the other, not all at the same step.
        due, now = interval - number % interval, True
    load_clusters(part_out, pulls, pushed, begin, end, mine, room_work, wrenches_out)
    done, bad = 0, -1
    while done < steps and bad < 0:
        if done > 0 and pulls.shape[0] > 0:
            load_clusters(part_out, pulls, pushed, begin, end, mine, room_work, wrenches_out)
        if now or due == 0:
            bring_back(
                part_out.clusters,
                clusters,
                members,
                body_of,
                cluster_vdot,
                cluster_q,
                cluster_v,
                vdot_out,
                q_out,
                v_out,
            )
            changed = choose_joints(
                own, limits, gravity, none, ground, pushed, wrenches_out, begin, end, tau, last, h, interval, frequency,
                criterion, mine, room_work, ground_work, kept_out, vdot_out, q_out, v_out, part_out,
            )  # fmt: skip
            if changed and last > 0.0:
                last = NO_TIME
            due, now = due if due > 0 else interval, False
            if whole is not None and is_asleep(root, kept_out):
                fall_asleep(
                    own[0], members, ground[3], inputs, q_out, ground_work[8], moves, kept_out, vdot_out, v_out, part_out
                )  # fmt: skip
                done = steps
                break
            load_clusters(part_out, pulls, pushed, begin, end, mine, room_work, wrenches_out)
        wanted = min(steps - done, due) if pulls.shape[0] == 0 else 1
        some, bad = move_clusters(
            part_out, limits, gravity, none, ground, end - begin, last, h, frequency, max_speed, wanted, mine, room_work,
            ground_work, anchors_out, kept_out,
        )  # fmt: skip
        last = h if some > 0 else last
        done += some
        due -= some
    bring_back(
        part_out.clusters, clusters, members, body_of, cluster_vdot, cluster_q, cluster_v, vdot_out, q_out, v_out
    )
    kept_out[root, DUE], kept_out[root, CHOICE] = due, part_out.choice
    if bad >= 0:
        c = dofs[bad].body
        bad = members[body_of[c]].v + bad - clusters[c].v0
    return done, bad


@kernel
def run_adaptive(
    full, limits, gravity, none, ground, pushed, begins, pulls, tau, last, h, frequency, max_speed, interval, criterion,
    renew, steps, time, cluster_work, room_work, ground_work, wrenches_out,
            anchors_out, kept_out, vdot_out, q_out, v_out,
    trees_out,
):  # fmt: skip
    """Advance all trees by `steps` steps of symplectic Euler, choosing joints anew every `interval` steps.

    `pushed` are bodies by their place within their tree, those of tree t from `begins[t]` on, with wrenches along their own
    axes; those of `pulls`, springs to the world, are found here at every step. Nothing here looks at a joint that does not
    move, but when joints are chosen. `ground` and `ground_work` are what `adaptive.ground` makes of obstacles of the world,
    None if there are none.
    Returns the steps done, the time reached and the coordinate that ran away (-1 if none did). If one did, the others may
    have gone on: the caller goes back and takes as many steps as were done.
    """
    least, bad = steps, -1
    if steps == 0:
        return 0, time, -1
    if ground is not None:
        place_obstacles(ground[0], room_work[0], ground_work[0])  # none is carried by a body
    for t in range(trees_out.shape[0]):
        done, lost = run_tree(
            t, full, limits, gravity, none, ground, pushed, begins[t], begins[t + 1], pulls, tau, last, h, frequency,
            max_speed, interval, criterion, renew, least, cluster_work, room_work, ground_work, wrenches_out,
            anchors_out, kept_out,
            vdot_out, q_out, v_out, trees_out[t],
        )  # fmt: skip
        if lost >= 0:
            least, bad = done, lost
    for _ in range(least):
        time += h
    return least, time, bad
