"""Take the pictures of the gallery and of the documentation, with the real studio in a real browser.

    python tools/pictures.py                   all of them
    python tools/pictures.py gallery           those of the gallery
    python tools/pictures.py gallery worm fish only some
    python tools/pictures.py docs              those of the documentation

Scenes are looked at a moment after their start, performances where the centre of gravity is highest.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from browser import flags, provide
from stringless.performances import PERFORMANCES
from stringless.scenes import SCENES, load_scene
from stringless.studio.client import Client, connect
from stringless.studio.launch import launch

ROOT = Path(__file__).resolve().parent.parent
GALLERY = ROOT / "src" / "stringless" / "studio" / "pictures"
DOCS = ROOT / "docs" / "pictures"
SIZE = (480, 300)
LARGEST = 20_000
"""Bytes of a picture of the gallery."""
WHOLE = (1280, 720)
LARGEST_WHOLE = 120_000
USUAL = 0.4
MOMENTS = {
    "pendulum_300": 1.0,
    "double_pendulum": 0.6,
    "company": 0.5,
    "ball_chain": 0.7,
    "dock": 0.7,
    "ragdoll": 0.8,
    "robot": 0.1,
    "hand": 0.05,
    "worm_tilted": 0.2,
}
"""When scenes look best, if not at the usual moment [s]."""
SETTLED = 400
"""What the page gets to draw the last frame [ms]."""
SOON = 60.0
LONG = 900.0
"""A first start compiles, a performance is played through [s]."""
SMALLER = """async ([data, width, height, most]) => {
    const image = new Image();
    image.src = "data:image/png;base64," + data;
    await image.decode();
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, width, height);
    for (let quality = 0.9; ; quality -= 0.05) {
        const blob = await canvas.convertToBlob({ type: "image/webp", quality });
        if (blob.size > most && quality > 0.2) continue;
        const bytes = new Uint8Array(await blob.arrayBuffer());
        return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    }
}"""


def main() -> None:
    """Take what is asked for."""
    parser = argparse.ArgumentParser(description="Take the pictures of the gallery and of the documentation.")
    parser.add_argument("what", nargs="?", choices=["all", "gallery", "docs"], default="all")
    parser.add_argument("names", nargs="*", help="only these")
    asked = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=provide(), args=flags())
        if asked.what != "docs":
            take_gallery(browser, asked.names or [*SCENES, *PERFORMANCES])
        if asked.what != "gallery":
            take_documentation(browser, asked.names)
        browser.close()


# --- the gallery ----------------------------------------------------------------------------------------------------


def take_gallery(browser: Browser, names: list[str]) -> None:
    """One picture for each scene and performance."""
    GALLERY.mkdir(exist_ok=True)
    with launch() as studio, connect(studio.address, timeout=LONG) as client, opened(browser, *SIZE, scale=2) as page:
        for name in names:
            (play if name in PERFORMANCES else drop)(client, name)
            page.goto(f"{studio.address}?picture=1&watch=1")
            page.wait_for_selector('html[data-ready="1"]', state="attached", timeout=1000 * LONG)
            page.wait_for_timeout(SETTLED)
            data = smaller(browser, page.screenshot(), *SIZE, LARGEST)
            (GALLERY / f"{name}.webp").write_bytes(data)
            print(f"{name}: {len(data)} bytes", flush=True)


def drop(client: Client, name: str) -> None:
    """Open a scene and let it go for a moment."""
    client.do("open", source=name, kind="scene")
    client.wait(lambda: client.document.scene == name and client.status.preparing is None)
    if load_scene(name).study is not None:
        client.do("edit_solve")  # what is wanted of its motion is what there is to see
        return
    client.do("speed", rate=1.0)
    client.do("live")
    client.wait(lambda: client.frame.time >= MOMENTS.get(name, USUAL))
    client.do("pause")


def play(client: Client, name: str) -> None:
    """Play a performance and go to its highest moment."""
    job = client.do("open", source=name, kind="performance")
    client.wait(lambda: state_of(client, job) != "running")
    if state_of(client, job) != "finished":
        raise SystemExit(f"the performance '{name}' was not played: {client.status.jobs}")
    client.wait(lambda: client.status.mode == "replay", SOON)
    client.do("pause")
    curve: dict[str, Any] = client.do("curves")
    # Not the fall that it begins with.
    later = [(height, time) for height, time in zip(curve["height"], curve["time"], strict=True) if time > 0.5]
    client.seek(max(later)[1])
    client.next_frame()


def state_of(client: Client, job: int) -> str:
    """How it stands with a job."""
    return next((found.state for found in client.status.jobs if found.id == job), "running")


def smaller(browser: Browser, picture: bytes, width: int, height: int, most: int) -> bytes:
    """A screenshot as WebP, of this size and as good as so many bytes allow."""
    with opened(browser, width, height) as page:
        return base64.b64decode(page.evaluate(SMALLER, [base64.b64encode(picture).decode(), width, height, most]))


# --- the documentation ----------------------------------------------------------------------------------------------


def take_documentation(browser: Browser, names: list[str]) -> None:
    """Each picture in a studio of its own, led there by hand."""
    sys.path.insert(0, str(ROOT / "tests"))  # the hand is that of the tests
    from documentation_pictures import DOCUMENTATION, lead

    DOCS.mkdir(exist_ok=True)
    for name in names or DOCUMENTATION:
        with launch() as studio, opened(browser, *WHOLE, light="light" in name) as page:
            page.goto(studio.address)
            page.wait_for_selector("[data-testid=stage] canvas", timeout=1000 * LONG)
            lead(page, name, LONG)
            page.wait_for_timeout(SETTLED)
            path = DOCS / f"{name}.webp"
            path.write_bytes(smaller(browser, page.screenshot(), *WHOLE, LARGEST_WHOLE))
            print(f"{path.relative_to(ROOT)}: {path.stat().st_size} bytes", flush=True)


@contextlib.contextmanager
def opened(browser: Browser, width: int, height: int, *, scale: float = 1, light: bool = False) -> Iterator[Page]:
    """A page that has seen the tour."""
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=scale,
        color_scheme="light" if light else "dark",
    )
    context.add_init_script("try { localStorage.setItem('stringless.tourSeen', 'true') } catch {}")
    try:
        yield context.new_page()
    finally:
        context.close()


if __name__ == "__main__":
    main()
