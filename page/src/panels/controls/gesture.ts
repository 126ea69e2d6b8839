/** Changes while a hand is on a control: at most ten a second on the way, the last one for sure, and one step of undo. */

import { act } from "../../store";

const PAUSE = 100;

export interface Gesture {
  /** On the way. */
  change: (args: Record<string, unknown>) => void;
  /** For good. */
  end: (args: Record<string, unknown>) => Promise<void>;
}

/** Changes by a command, as one gesture from the first change to the end. */
export function createGesture(command: string, label: string, say: typeof act = act): Gesture {
  let begun = false;
  let sent = "";
  let waiting: Record<string, unknown> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const tell = (args: Record<string, unknown>) => {
    sent = JSON.stringify(args);
    return say(command, args);
  };
  const pause = () => {
    timer = setTimeout(() => {
      timer = undefined;
      if (!waiting) return;
      void tell(waiting);
      waiting = null;
      pause();
    }, PAUSE);
  };
  return {
    change(args) {
      if (!begun) {
        begun = true;
        void say("begin_gesture", { label });
      }
      if (timer === undefined) {
        void tell(args);
        pause();
      } else {
        waiting = args;
      }
    },
    async end(args) {
      clearTimeout(timer);
      timer = undefined;
      waiting = null;
      // A number that was typed is set once, on the way and for good at the same time.
      const last = begun && sent === JSON.stringify(args) ? undefined : tell(args);
      if (begun) void say("end_gesture");
      begun = false;
      await last;
    },
  };
}
