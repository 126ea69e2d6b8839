/** A page of its own that plays one motion, which is written into it: it opens from a disk, and connects to nothing. */

import { layers, newest, onFrame, scene, type Layer } from "./store";
import { applyTheme } from "./store/theme";
import { Viewer } from "./stage/viewer";
import { unpackRecording, type Recording } from "./wire/recording";
import "./player.css";
import "./stage/stage.css";

const SPEEDS = [1, 1 / 2, 1 / 4, 1 / 8];
const NAMES = ["1×", "1/2×", "1/4×", "1/8×"];
/** How long the end is shown before the motion begins again [s]. */
const REST = 0.4;
const SHOWN: readonly Layer[] = ["surface", "grid"];

const find = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const play = find<HTMLButtonElement>("play");
const scrub = find<HTMLInputElement>("scrub");
const speed = find<HTMLButtonElement>("speed");

class Player {
  private index = 0;
  private now = 0;
  private last: number | null = null;
  private rate = 0;
  private running: boolean;

  constructor(private readonly recording: Recording) {
    this.running = recording.times.length > 1;
    scrub.max = String(recording.times.length - 1);
    play.onclick = () => this.toggle();
    speed.onclick = () => {
      this.rate = (this.rate + 1) % SPEEDS.length;
      speed.textContent = NAMES[this.rate] as string;
    };
    scrub.oninput = () => this.stop(Number(scrub.value));
    addEventListener("keydown", (event) => this.press(event));
    // motion.html#t=1.5 stands still at 1.5 s.
    const wanted = /^#t=([\d.]+)$/.exec(location.hash);
    if (wanted) this.stop(recording.find(Number(wanted[1])));
    else this.show(0);
    requestAnimationFrame((now) => this.tick(now));
  }

  private press(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.code !== "Space" && !step) return;
    event.preventDefault();
    if (step) this.stop(this.index + step);
    else this.toggle();
  }

  private toggle(): void {
    this.running = !this.running;
    this.last = null;
    play.textContent = this.running ? "Pause" : "Play";
  }

  /** Show a frame and stay there. */
  private stop(index: number): void {
    if (this.running) this.toggle();
    this.show(index);
    this.now = this.recording.times[this.index] ?? 0;
  }

  private show(index: number): void {
    this.index = Math.min(Math.max(index, 0), this.recording.times.length - 1);
    scrub.value = String(this.index);
    find("clock").textContent = `${(this.recording.times[this.index] ?? 0).toFixed(2)} s`;
    const frame = (newest.frame = this.recording.frame(this.index));
    for (const listener of onFrame) listener(frame);
  }

  private tick(now: number): void {
    const { times } = this.recording;
    if (this.running) {
      if (this.last !== null) this.now += ((now - this.last) / 1000) * (SPEEDS[this.rate] as number);
      if (this.now > (times.at(-1) ?? 0) + REST) this.now = times[0] ?? 0;
      const index = this.recording.find(this.now);
      if (index !== this.index || this.last === null) this.show(index);
      this.last = now;
    }
    requestAnimationFrame((next) => this.tick(next));
  }
}

function mountStage(): void {
  const stage = find("stage");
  const viewer = new Viewer(find<HTMLCanvasElement>("view"), false);
  const fit = () => viewer.resize(stage.clientWidth, stage.clientHeight);
  new ResizeObserver(fit).observe(stage);
  fit();
}

async function start(): Promise<void> {
  const recording = await unpackRecording(find("motion").textContent);
  find("title").textContent = recording.scene.name;
  find("description").textContent = recording.scene.description;
  document.title = `${recording.scene.name} · Stringless`;
  const names = Object.keys(layers.value) as Layer[];
  layers.value = Object.fromEntries(names.map((name) => [name, SHOWN.includes(name)])) as typeof layers.value;
  mountStage();
  scene.value = recording.scene;
  new Player(recording);
}

applyTheme();
start().catch((error: Error) => {
  const trouble = find("trouble");
  const drawing = "This browser cannot draw in three dimensions. Switch on hardware acceleration in its settings, or try another one.";
  trouble.textContent = /webgl/i.test(error.message) ? drawing : `This motion cannot be shown: ${error.message}`;
  trouble.hidden = false;
});
