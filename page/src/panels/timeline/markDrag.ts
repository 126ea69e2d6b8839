/** A mark on the timeline that can be dragged along it: where it is meanwhile, and what becomes of it. */

import { useRef, useState } from "preact/hooks";
import { showToast } from "../../store";

interface MarkDrag {
  /** Where it has been dragged to [s]; null if it is not dragged. */
  time: number | null;
  handlers: {
    onPointerDown: (event: PointerEvent) => void;
    onPointerMove: (event: PointerEvent) => void;
    onPointerUp: () => void;
    onPointerCancel: () => void;
  };
}

interface Options {
  time: number;
  /** The time for a pointer so many pixels from where it went down. */
  moved: (pixels: number) => number;
  /** Why it cannot be dragged; empty if it can. */
  fixed: string;
  onClick: () => void;
  onDrop: (time: number) => void;
}

export function useMarkDrag({ time, moved, fixed, onClick, onDrop }: Options): MarkDrag {
  const [at, setAt] = useState<number | null>(null);
  const held = useRef<{ x: number; at: number | null } | null>(null);
  const end = () => {
    held.current = null;
    setAt(null);
  };
  return {
    time: at,
    handlers: {
      onPointerDown: (event) => {
        if (event.button !== 0) return;
        event.stopPropagation();
        (event.currentTarget as Element).setPointerCapture(event.pointerId);
        held.current = { x: event.clientX, at: null };
      },
      onPointerMove: (event) => {
        const now = held.current;
        if (!now) return;
        const pixels = event.clientX - now.x;
        if (now.at === null && Math.abs(pixels) < 3) return;
        if (fixed) {
          if (Math.abs(pixels) > 8) showToast("info", fixed);
          return;
        }
        now.at = moved(pixels);
        setAt(now.at);
      },
      onPointerUp: () => {
        const last = held.current;
        end();
        if (!last) return;
        if (last.at === null) onClick();
        else if (Math.abs(last.at - time) > 1e-6) onDrop(last.at);
      },
      onPointerCancel: end,
    },
  };
}
