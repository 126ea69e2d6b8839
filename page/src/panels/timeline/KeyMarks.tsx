import { useRef, useState } from "preact/hooks";
import { chooseKey } from "../../commands/keyframes";
import { act, directing } from "../../store";
import { tip } from "../../ui";
import { listKeys, dropKey, snapKey, type KeyPlace } from "../../store/timeline/keys";
import { ROW, RULER } from "./painting";
import { toPixel, toTime, type View } from "../../store/timeline/scale";
import { chosenKey, FRAME_RATE, shownTime, tracks } from "../../store/timeline/state";

interface Drag {
  key: KeyPlace;
  x: number;
  time: number;
  moved: boolean;
  copy: boolean;
}

/** The keyframes as diamonds, a row for each track. Those out of sight are not there. */
export function KeyMarks({ view, width, scroll }: { view: View; width: number; scroll: number }) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const held = useRef<Drag | null>(null);
  const all = tracks.value;
  const keys = listKeys(all);
  const reach = (view.to - view.from) / width;

  const hold = (next: Drag | null) => {
    held.current = next;
    setDrag(next);
  };
  const down = (event: PointerEvent, key: KeyPlace) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    hold({ key, x: event.clientX, time: key.time, moved: false, copy: event.altKey });
  };
  const move = (event: PointerEvent) => {
    const before = held.current;
    if (!before || !directing.value) return;
    const pixels = event.clientX - before.x;
    if (!before.moved && Math.abs(pixels) < 3) return;
    const wanted = before.key.time + toTime(view, width, pixels) - view.from;
    const near = [shownTime(), ...keys.filter((key) => key !== before.key).map((key) => key.time)];
    // Two keys of a track cannot stand at one moment: only the playhead and other tracks attract.
    const others = new Set(keys.filter((key) => key.track === before.key.track).map((key) => key.time));
    const time = snapKey(wanted, near.filter((t) => !others.has(t)), 6 * reach, 1 / FRAME_RATE);
    hold({ ...before, time: Math.max(0, time), moved: true, copy: event.altKey });
  };
  const up = () => {
    const last = held.current;
    hold(null);
    if (!last) return;
    if (!last.moved) chooseKey(last.key);
    else edit(last.key, last.time, last.copy);
  };
  const edit = (key: KeyPlace, time: number, copy: boolean) => {
    const done = dropKey(tracks.value, key, time, copy);
    if (!done) return;
    void act<number>(done.command, done.arguments).then((index) => {
      if (typeof index === "number") chosenKey.value = { track: key.track, key: index, time };
    });
  };
  const press = (event: KeyboardEvent, key: KeyPlace) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step && event.altKey) edit(key, key.time + step / FRAME_RATE, false);
    else if (event.key === "Enter" || event.key === " ") chooseKey(key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <>
      {all.map((track, row) => {
        const y = RULER + row * ROW + ROW / 2 - scroll;
        const own = keys.filter((key) => key.track === track.id);
        const [first, last] = [own[0], own.at(-1)];
        if (!first || !last || y < RULER) return null;
        const left = toPixel(view, width, first.time);
        const right = toPixel(view, width, last.time);
        return (
          <div
            key={track.id}
            class={`key-span ${track.playing ? "playing" : ""}`}
            style={{ left: `${left}px`, width: `${right - left}px`, top: `${y}px` }}
          />
        );
      })}
      {keys.map((key, number) => {
        const moved = drag?.moved && drag.key.track === key.track && drag.key.key === key.key;
        const x = toPixel(view, width, moved && !drag.copy ? drag.time : key.time);
        const row = all.findIndex((track) => track.id === key.track);
        const y = RULER + row * ROW + ROW / 2 - scroll;
        if (!moved && (x < -8 || x > width + 8 || y < RULER)) return null;
        const chosen = chosenKey.value?.track === key.track && chosenKey.value.key === key.key;
        return (
          <button
            key={`${key.track}.${key.key}`}
            {...tip({
              title: `Key at ${key.time.toFixed(2)} s`,
              help: "Click to go there, drag to move it, Alt-drag to copy it, Delete to remove it.",
              side: "top",
            })}
            type="button"
            class={`time-mark key-mark ${chosen ? "chosen" : ""}`}
            style={{ left: `${x}px`, top: `${y}px` }}
            data-testid={`key-${number}`}
            aria-pressed={chosen}
            onPointerDown={(event) => down(event, key)}
            onPointerMove={move}
            onPointerUp={up}
            onPointerCancel={() => hold(null)}
            onKeyDown={(event) => press(event, key)}
          />
        );
      })}
      {drag?.moved && (
        <>
          {drag.copy && (
            <span
              class="time-mark key-mark chosen"
              style={{
                left: `${toPixel(view, width, drag.time)}px`,
                top: `${RULER + all.findIndex((track) => track.id === drag.key.track) * ROW + ROW / 2 - scroll}px`,
              }}
            />
          )}
          <span class="hover-label" style={{ left: `${toPixel(view, width, drag.time)}px` }}>
            {drag.copy ? "Copy to " : ""}
            {drag.time.toFixed(3)} s
          </span>
        </>
      )}
    </>
  );
}
