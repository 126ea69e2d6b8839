/** A recorded motion within a page: the scene, then all frames, as they come over the wire, each after its length. */

import { decode } from "@msgpack/msgpack";
import { FRAME_HEADER, type Scene } from "./messages";
import { readFrame, type Frame } from "./frames";

export class Recording {
  readonly scene: Scene;
  /** Of the frames [s]. */
  readonly times: number[] = [];
  private readonly places: [number, number][] = [];

  constructor(private readonly data: ArrayBuffer) {
    const view = new DataView(data);
    for (let at = 0; at < data.byteLength; ) {
      const start = at + 4;
      at = start + view.getUint32(at, true);
      this.places.push([start, at]);
    }
    const [first, ...frames] = this.places;
    this.places = frames;
    this.scene = decode(new Uint8Array(data).subarray(...(first ?? [0, 0]))) as Scene;
    for (const [start] of frames) this.times.push(view.getFloat64(start + FRAME_HEADER.time, true));
  }

  /** Its numbers begin at a multiple of four only in a copy. */
  frame(index: number): Frame {
    return readFrame(this.data.slice(...(this.places[index] as [number, number])));
  }

  /** The last frame at or before a time; the first if all are later. */
  find(time: number): number {
    return Math.max(0, this.times.findLastIndex((one) => one <= time));
  }
}

/** Unpack what the program has written into the page: compressed bytes, as text. */
export async function unpackRecording(text: string): Promise<Recording> {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Recording(await new Response(stream).arrayBuffer());
}
