/** The socket: says hello, keeps order, reconnects by itself, and measures how long an input takes to be seen. */

import { Decoder, Encoder } from "@msgpack/msgpack";
import { signal } from "@preact/signals";
import { FIRST_BYTE, VERSION, type FromPage, type FromStudio } from "./messages";
import { readFrame, readGhosts, type Frame, type Ghosts } from "./frames";

type Listener = {
  message: (message: FromStudio) => void;
  frame: (frame: Frame) => void;
  ghosts: (ghosts: Ghosts) => void;
};

/**
 * connecting: first try; open; lost: trying again by itself; anew: another studio answers, which does not know this address;
 * refused: the studio does not want us (see `reason`).
 */
export const link = signal<"connecting" | "open" | "lost" | "anew" | "refused">("connecting");
export const reason = signal("");
/** From a move of the hand to the frame that knows of it, as this page saw it [ms]. */
export const roundTrip = signal(-1);

const encoder = new Encoder();
const decoder = new Decoder();
const PATIENCE = [200, 400, 800, 1500, 2500];
/** Codes with which the studio closes for good; to come back would not help. */
const FINAL = [4000, 4001, 4002, 4003, 1008];

/** By which the studio knows this page when it comes back after a cut: it then goes on directing. */
const key = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

let socket: WebSocket | null = null;
let tries = 0;
let sequence = 0;
let nextId = 0;
let listener: Listener;
const moves = new Map<number, number>();
const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();

export class Refused extends Error {}

/** Plain `Omit` would forget which fields belong to which message. */
type Unnumbered<T> = T extends { id: number } ? Omit<T, "id"> : never;

export function connect(heard: Listener): void {
  listener = heard;
  open();
}

/** Say something that needs no answer; lost if there is no connection. */
export function send(message: FromPage): boolean {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(encoder.encode(message));
  return true;
}

/** Say something and hear what came of it. */
export function ask<T = unknown>(message: Unnumbered<FromPage>): Promise<T> {
  const id = ++nextId;
  return new Promise<T>((resolve, reject) => {
    if (!send({ ...message, id } as FromPage)) {
      reject(new Refused("there is no connection to the studio just now"));
      return;
    }
    waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
  });
}

/** A number for a move or a seek; remembers when, to measure the way there and back. */
export function newSequence(): number {
  sequence += 1;
  moves.set(sequence, performance.now());
  if (moves.size > 240) moves.delete(moves.keys().next().value as number);
  return sequence;
}

function open(): void {
  const address = new URL("./socket", location.href);
  address.protocol = address.protocol.replace("http", "ws");
  address.search = "";
  socket = new WebSocket(address);
  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    const watch = new URLSearchParams(location.search).has("watch");
    send({ type: "hello", version: VERSION, name: "page", key, watch });
  };
  socket.onmessage = (event) => hear(event.data as ArrayBuffer);
  socket.onclose = (event) => lost(event);
}

function hear(buffer: ArrayBuffer): void {
  const kind = new Uint8Array(buffer, 0, 1)[0];
  if (kind === FIRST_BYTE.FRAME) {
    const frame = readFrame(buffer);
    send({ type: "acknowledge", sequence: frame.sequence });
    const began = moves.get(frame.input);
    if (began !== undefined && frame.wait >= 0) {
      roundTrip.value = performance.now() - began;
      for (const number of moves.keys()) if (number <= frame.input) moves.delete(number);
    }
    listener.frame(frame);
  } else if (kind === FIRST_BYTE.GHOSTS) {
    listener.ghosts(readGhosts(buffer));
  } else {
    const message = decoder.decode(new Uint8Array(buffer, 4)) as FromStudio;
    if (message.type === "welcome") {
      tries = 0;
      link.value = "open";
      reason.value = "";
    }
    if (message.type === "answer" || (message.type === "refusal" && message.id !== null)) {
      const who = waiting.get(message.id as number);
      waiting.delete(message.id as number);
      if (message.type === "answer") who?.resolve(message.result);
      else who?.reject(new Refused(message.error));
    }
    listener.message(message);
  }
}

function lost(event: CloseEvent): void {
  socket = null;
  for (const { reject } of waiting.values()) reject(new Refused("the connection to the studio was lost"));
  waiting.clear();
  moves.clear();
  if (FINAL.includes(event.code)) {
    link.value = "refused";
    reason.value = event.reason || "the studio has closed the connection";
    return;
  }
  link.value = "lost";
  later();
}

function later(): void {
  setTimeout(() => void again(), PATIENCE[Math.min(tries, PATIENCE.length - 1)]);
  tries += 1;
}

/** Knock first: a socket does not tell whether nobody is there or somebody who does not know this address. */
async function again(): Promise<void> {
  const answer = await fetch("./", { cache: "no-store" }).catch(() => null);
  if (answer?.ok) {
    open();
    return;
  }
  link.value = answer?.status === 404 ? "anew" : "lost";
  later();
}
