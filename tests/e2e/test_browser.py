"""The browser that the tests use can draw what the studio draws."""

from __future__ import annotations


def test_the_browser_has_webgl2(page):
    page.goto("data:text/html,<canvas id=c>")

    name = page.evaluate("""() => {
        const gl = document.getElementById("c").getContext("webgl2");
        return gl && gl.getParameter(gl.VERSION);
    }""")

    assert name is not None
    assert name.startswith("WebGL 2.0")
