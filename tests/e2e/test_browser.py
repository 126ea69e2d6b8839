"""The browser that the tests use can draw what the studio draws."""

from __future__ import annotations

from studios import show


def test_the_browser_has_webgl2(page):
    page.goto("data:text/html,<canvas id=c>")

    name = page.evaluate("""() => {
        const gl = document.getElementById("c").getContext("webgl2");
        return gl && gl.getParameter(gl.VERSION);
    }""")

    assert name is not None
    assert name.startswith("WebGL 2.0")


def test_the_page_asks_nobody_but_its_studio(page, studio):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url.replace("ws://", "http://")))
    show(page, studio)

    assert any(url.endswith(".js") for url in asked)
    assert any(url.endswith("/socket") for url in asked)
    assert [url for url in asked if not url.startswith((studio.address, "data:", "blob:"))] == []
