/** A film of the stage, made frame by frame from the record: no frame is missed, however slow the machine is. */

import { signal } from "@preact/signals";
import { act, onFrame, status } from "../../store";
import { newSequence, send } from "../../wire/connection";
import { viewport, type Camera } from "../../store/viewport";
import type { Frame } from "../../wire/frames";
import { frameTimes, type Film } from "./times";

interface Shot extends Film {
  width: number;
  height: number;
  container: "webm" | "mp4";
  /** Whether layers that are switched on are in the film. */
  overlays: boolean;
}

/** How far a film is; null if none is being made. */
export const rendering = signal<{ done: number; total: number } | null>(null);
let stop: AbortController | null = null;

export function cancelVideo(): void {
  stop?.abort();
}

export class Cancelled extends Error {}

const CODECS = { webm: ["vp9", "vp8", "av1"], mp4: ["avc", "hevc", "av1"] } as const;
const PATIENCE = 60000;

/** Which kinds of film this browser can make, of a size. */
export async function listContainers(width: number, height: number): Promise<("mp4" | "webm")[]> {
  const { getFirstEncodableVideoCodec, QUALITY_HIGH } = await import("mediabunny");
  const found: ("mp4" | "webm")[] = [];
  for (const kind of ["mp4", "webm"] as const) {
    const codec = await getFirstEncodableVideoCodec([...CODECS[kind]], { width, height, quality: QUALITY_HIGH }).catch(() => null);
    if (codec) found.push(kind);
  }
  return found;
}

/** Make the film; afterwards the stage shows again what it had shown. */
export async function renderVideo(shot: Shot): Promise<Blob> {
  const before = status.value;
  const lane = before?.lane ?? null;
  const cancel = new AbortController();
  stop = cancel;
  const times = frameTimes(shot);
  rendering.value = { done: 0, total: times.length };
  await act("pause");
  let camera: Camera | undefined;
  try {
    camera = viewport()?.beginFilm(shot.width, shot.height, shot.overlays);
    if (!camera) throw new Error("There is no stage to film.");
    return await encode(shot, camera, times, lane, cancel.signal);
  } finally {
    camera?.end();
    rendering.value = null;
    stop = null;
    if (before?.present) void act("present");
    else if (before) send({ type: "seek", sequence: newSequence(), time: before.time, lane });
  }
}

async function encode(shot: Shot, camera: Camera, times: number[], lane: number | null, cancelled: AbortSignal): Promise<Blob> {
  const { BufferTarget, CanvasSource, getFirstEncodableVideoCodec, Mp4OutputFormat, Output, QUALITY_HIGH, WebMOutputFormat } =
    await import("mediabunny");
  const { width, height, fps, container } = shot;
  const codec = await getFirstEncodableVideoCodec([...CODECS[container]], { width, height, quality: QUALITY_HIGH });
  if (!codec) throw new Error(`This browser cannot write ${container.toUpperCase()} films of ${width} × ${height}. Try the other kind, or a smaller size.`);
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const page = canvas.getContext("2d", { alpha: false });
  if (!page) throw new Error("This browser gave no canvas to draw the film on.");
  const target = new BufferTarget();
  const format = container === "mp4" ? new Mp4OutputFormat() : new WebMOutputFormat();
  const output = new Output({ format, target });
  const source = new CanvasSource(canvas, { codec, quality: QUALITY_HIGH });
  output.addVideoTrack(source, { frameRate: fps });
  await output.start();
  try {
    for (const [k, time] of times.entries()) {
      if (cancelled.aborted) throw new Cancelled();
      await showTime(time, lane, cancelled);
      await camera.take((picture) => page.drawImage(picture, 0, 0, width, height));
      await source.add(k / fps, 1 / fps);
      rendering.value = { done: k + 1, total: times.length };
    }
    await output.finalize();
  } catch (error) {
    await output.cancel();
    throw error;
  }
  return new Blob([target.buffer as ArrayBuffer], { type: container === "mp4" ? "video/mp4" : "video/webm" });
}

/** Look at a moment on record, and wait for the frame that shows it. */
function showTime(time: number, lane: number | null, cancelled: AbortSignal): Promise<Frame> {
  return new Promise((resolve, reject) => {
    const sequence = newSequence();
    const finish = (then: () => void) => {
      clearTimeout(timer);
      onFrame.delete(heard);
      cancelled.removeEventListener("abort", aborted);
      then();
    };
    const heard = (frame: Frame) => {
      if (frame.input >= sequence) finish(() => resolve(frame));
    };
    const aborted = () => finish(() => reject(new Cancelled()));
    const timer = setTimeout(() => finish(() => reject(new Error("The studio did not show the next moment in time; the film was not made."))), PATIENCE);
    onFrame.add(heard);
    cancelled.addEventListener("abort", aborted);
    if (!send({ type: "seek", sequence, time, lane })) finish(() => reject(new Error("The connection to the studio was lost; the film was not made.")));
  });
}
