"""Projects, files, several pages, and what happens when something breaks."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from stage import Stage
from studios import show

HEAD = "bone_0"
BAD = """<robot name="broken"><link name="a"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/></joint></robot>"""
GOOD = """<robot name="stick"><link name="base"/><link name="arm"><inertial><mass value="1"/><origin xyz="0 0 0.5"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint></robot>"""

DROP = """([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    const about = { bubbles: true, cancelable: true, dataTransfer: data };
    const app = document.querySelector(".app");
    for (const type of ["dragenter", "dragover", "drop"]) app.dispatchEvent(new DragEvent(type, about));
}"""


def test_killed_and_reopened_nothing_is_lost(start_studio, new_page, tmp_path):
    home = tmp_path / "home"
    studio, page = start_studio("worm", home=home), new_page()
    show(page, studio)
    stage = Stage(page)
    stage.settle()
    stage.act("save_as", path="dance.stringless")
    stage.until("it has a name", lambda: stage.doc["path"].endswith("dance.stringless"))
    start = stage.pixel(stage.head)
    stage.pull(start, (start[0], start[1] - 120))
    stage.until("up", lambda: stage.head[1] > 0.08)
    stage.let_go()
    stage.until("the goal ends with the hand", lambda: not stage.doc["goals"])
    stage.act("pause")
    stage.act("mark", name="the jump")
    files = stage.until("files", lambda: list(home.glob("dance.stringless*")))
    # What is done is written in its order, so the last of it comes after all else; a second is promised, not measured.
    stage.until("it is in the file", lambda: any(b"the jump" in file.read_bytes() for file in files))
    end, undo, lanes = stage.status["end"], stage.doc["undo"], stage.doc["lanes"]
    studio.kill()

    again = start_studio(str(home / "dance.stringless"), home=home)
    page = new_page()
    show(page, again)
    stage = Stage(page)
    assert stage.status["end"] == pytest.approx(end, abs=0.02)
    assert stage.doc["undo"] == undo
    assert [lane["name"] for lane in stage.doc["lanes"]] == [lane["name"] for lane in lanes]
    assert stage.doc["markers"][0]["name"] == "the jump"
    assert again.stop() == 0


def test_a_dropped_file_is_opened(stage):
    stage.page.evaluate(DROP, ["stick.urdf", GOOD])
    stage.until("the scene", lambda: stage.value("scene")["name"] == "stick")
    assert [body["name"] for body in stage.value("scene")["bodies"]][-1] == "arm"


def test_a_bad_file_says_what_is_wrong_and_loses_nothing(stage):
    name = stage.value("scene")["name"]
    stage.page.evaluate(DROP, ["broken.urdf", BAD])
    message = stage.page.get_by_test_id("dialog-error")
    message.wait_for()
    expect(message).to_contain_text("b")
    expect(stage.page.locator("body")).to_contain_text("broken.urdf")
    assert stage.value("scene")["name"] == name


def test_the_page_comes_back_when_the_connection_does(studio, page):
    """The socket is cut between page and studio; the session is still there when the page comes back."""
    cuts = []

    def between(socket):
        socket.connect_to_server()
        cuts.append(socket)

    page.route_web_socket("**/socket", between)
    show(page, studio)
    stage = Stage(page)
    stage.until("the right to direct", lambda: stage.value("directing"))
    stage.act("new", scene="worm")
    stage.settle(0.2)
    time = stage.frame["time"]
    cuts[-1].close(code=1011, reason="cut")
    stage.until("the page has noticed and come back", lambda: len(cuts) == 2)
    page.get_by_test_id("banner-lost").wait_for(state="detached")
    stage.until("it directs again", lambda: stage.value("directing") and stage.status["pages"] == 1)
    assert stage.frame["time"] == time, "nothing was lost"
    stage.act("live")
    stage.until_time(time + 0.05)


def test_two_pages_one_directs(stage, studio, new_page):
    other = Stage(new_page())
    show(other.page, studio)
    other.until("two pages", lambda: other.status["pages"] == 2)
    assert stage.value("directing")
    assert not other.value("directing")
    start = other.pixel(other.head)
    other.take_hold(start, (start[0], start[1] - 80))
    other.let_go()
    for each in (other, stage):
        each.act("folders")  # all that was said before has been heard by then
    assert not stage.doc["goals"], "who watches moves nothing"
    stage.act("live")
    other.until("the other page sees time pass", lambda: other.status["mode"] == "live")
    stage.act("pause")
    other.page.get_by_test_id("banner-watching").get_by_test_id("direct").click()
    other.until("it directs now", lambda: other.value("directing"))
    stage.until("and the first one watches", lambda: not stage.value("directing"))


def test_the_gallery_opens_scenes(stage):
    stage.click("open-gallery")
    stage.page.get_by_test_id("gallery-fish").click()
    stage.until("the fish", lambda: stage.value("scene")["name"] == "fish")


def test_a_performance_plays_and_can_be_taken_over(stage):
    stage.act("open", source="worm_jump", kind="performance")
    stage.until("a replay", lambda: stage.status["mode"] == "replay" and stage.status["end"] > 0.5, patience=600)
    stage.act("speed", rate=1 / 32)  # so slow that the head is still there when it is taken hold of
    stage.act("replay", start=0.3)
    stage.until("some way in", lambda: stage.frame["time"] > 0.301 and stage.status["mode"] == "replay")
    lanes = len(stage.doc["lanes"])
    start = stage.pixel(stage.head)
    stage.take_hold(start, (start[0] + 40, start[1] - 60))
    stage.until("a branch of one's own", lambda: len(stage.doc["lanes"]) == lanes + 1)
    stage.let_go()


def test_palette_keys_and_theme(stage):
    stage.press("Control+k")
    stage.page.get_by_test_id("palette-query").fill("pin")
    stage.page.get_by_test_id("palette-query").press("Enter")
    stage.until("pin mode", lambda: stage.value("mode") == "pin")
    stage.press("?")
    stage.page.get_by_test_id("dialog-keys").wait_for()
    stage.press("Escape")
    before = stage.page.evaluate("document.documentElement.dataset.theme")
    stage.click("theme")
    stage.click("theme")
    stage.until("another theme", lambda: stage.page.evaluate("document.documentElement.dataset.theme") != before)


def test_the_log_is_python(stage):
    stage.act("mark", name="here")
    stage.until("a line", lambda: any("project.do('mark'" in line for line in stage.value("log")))
    text = stage.act("script")
    compile(text, "script", "exec")
    assert "project.do('mark', time=0.0, name='here')" in text
