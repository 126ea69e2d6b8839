import { useRef, useState } from "preact/hooks";
import { act, directing, doc } from "../../store";
import type { MarkerInfo } from "../../wire/messages";
import { IconButton, tip } from "../../ui";
import { NameInput } from "./BranchList";
import { toPixel, toTime, type View } from "../../store/timeline/scale";
import { FRAME_RATE, namedMarker, seek } from "../../store/timeline/state";

/** Names of moments, in the ruler. */
export function Markers({ view, width }: { view: View; width: number }) {
  const shown = (doc.value?.markers ?? []).filter(({ time }) => time >= view.from - 0.1 * (view.to - view.from) && time <= view.to);
  return (
    <>
      {shown.map((marker, index) => (
        <Marker key={marker.name} marker={marker} number={index} view={view} width={width} />
      ))}
    </>
  );
}

function Marker({ marker, number, view, width }: { marker: MarkerInfo; number: number; view: View; width: number }) {
  const [moved, setMoved] = useState<number | null>(null);
  const held = useRef<{ x: number; time: number; moved: boolean } | null>(null);
  const named = namedMarker.value === marker.name;
  const left = toPixel(view, width, moved ?? marker.time);

  const rename = async (name: string) => {
    // Removing the marker takes the field away too, which then says that it is done.
    if (namedMarker.value !== marker.name) return;
    namedMarker.value = null;
    if (!name || name === marker.name) return;
    if ((await act("mark", { name, time: marker.time })) !== undefined) await act("unmark", { name: marker.name });
  };
  if (named) {
    return (
      <div
        class="marker naming"
        style={{ left: `${Math.min(left, width - 150)}px` }}
        onPointerDown={(event) => event.stopPropagation()}
        // The field keeps the focus: losing it would end the naming before the button beside it is pressed.
        onMouseDown={(event) => {
          if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
        }}
      >
        <NameInput name={marker.name} label="Name of the marker" done={(name) => void rename(name)} />
        <IconButton
          icon="trash"
          size={24}
          label="Remove the marker"
          testid="remove-marker"
          onClick={() => {
            namedMarker.value = null;
            void act("unmark", { name: marker.name });
          }}
        />
      </div>
    );
  }
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    held.current = { x: event.clientX, time: marker.time, moved: false };
  };
  const move = (event: PointerEvent) => {
    const drag = held.current;
    if (!drag || !directing.value) return;
    const pixels = event.clientX - drag.x;
    if (!drag.moved && Math.abs(pixels) < 3) return;
    drag.moved = true;
    const time = marker.time + toTime(view, width, pixels) - view.from;
    drag.time = Math.max(0, Math.round(time * FRAME_RATE) / FRAME_RATE);
    setMoved(drag.time);
  };
  const up = () => {
    const drag = held.current;
    held.current = null;
    if (!drag) return;
    if (!drag.moved) seek(marker.time);
    else void act("mark", { name: marker.name, time: drag.time }).then(() => setMoved(null));
  };
  return (
    <button
      {...tip({
        title: marker.name,
        help: `At ${marker.time.toFixed(2)} s. Click to go there, drag to move it, double-click to rename or remove it.`,
        side: "top",
      })}
      type="button"
      class="marker"
      style={{ left: `${left}px` }}
      data-testid={`marker-${number}`}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onDblClick={(event) => {
        event.stopPropagation();
        if (directing.value) namedMarker.value = marker.name;
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") seek(marker.time);
        if (event.key === "F2" && directing.value) namedMarker.value = marker.name;
        if (event.key === "Delete") void act("unmark", { name: marker.name });
        if (["Enter", "F2", "Delete"].includes(event.key)) event.stopPropagation();
      }}
    >
      <span>{marker.name}</span>
    </button>
  );
}
