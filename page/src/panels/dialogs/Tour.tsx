import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { panelOpen } from "../../store/inspector";
import { timelineOpen } from "../../store";
import { Button, Keys, place } from "../../ui";
import { placeBeside, findSpan } from "../controls/placement";
import { installTour, leaveTour, advanceTour, observePage, step, tour } from "./tourState";
import type { Step } from "./tourSteps";
import "./tour.css";

/** A small note beside the real thing. The page stays as usable as without it. */
export function Tour() {
  useEffect(installTour, []);
  const shown = tour.value.steps[step.value];
  return shown ? <Callout key={`${tour.value.welcome} ${step.value}`} shown={shown} index={step.value} /> : null;
}

function anchorOf(shown: Step): Element | null {
  return document.querySelector(`[data-testid="${shown.anchor}"]`) ?? document.querySelector(`.${shown.anchor}`);
}

function Callout({ shown, index }: { shown: Step; index: number }) {
  const box = useRef<HTMLDivElement>(null);
  const ring = useRef<HTMLDivElement>(null);
  const tick = useSignal(0);
  useEffect(() => {
    // Panels open, lanes grow, windows change: look again where the anchor is, now and then.
    const timer = setInterval(() => (tick.value += 1), 300);
    const resized = () => (tick.value += 1);
    window.addEventListener("resize", resized);
    return () => {
      clearInterval(timer);
      window.removeEventListener("resize", resized);
    };
  }, []);
  useLayoutEffect(() => {
    const anchor = anchorOf(shown);
    if (box.current) settle(box.current, ring.current, anchor, shown.side);
  }, [tick.value, shown, panelOpen.value, timelineOpen.value]);
  const seen = observePage();
  const { welcome, steps } = tour.value;
  const last = index === steps.length - 1;
  return (
    <>
      <div ref={ring} class="tour-ring" aria-hidden="true" />
      <div ref={box} class="tour" role="region" aria-label="Tour" aria-live="polite" data-testid="tour">
        {index === 0 && <p class="tour-welcome">{welcome}</p>}
        <h2>
          {shown.title(seen)}
          {shown.keys && <Keys text={shown.keys} />}
        </h2>
        <p>{shown.text(seen)}</p>
        <footer>
          <span class="tour-dots" role="img" aria-label={`Step ${index + 1} of ${steps.length}`}>
            {steps.map((_, k) => (
              <i key={k} class={k === index ? "now" : k < index ? "past" : ""} />
            ))}
          </span>
          {!last && (
            <Button kind="quiet" testid="tour-skip" onClick={leaveTour}>
              Skip the tour
            </Button>
          )}
          <Button kind={shown.done ? "plain" : "primary"} testid="tour-next" onClick={advanceTour}>
            {last ? "Close" : "Next"}
          </Button>
        </footer>
      </div>
    </>
  );
}

/** Room for the buttons at the right of the stage, and for hint and state at its foot [px]. */
const BESIDE = 60;
const WRITTEN = 72;

function settle(box: HTMLElement, ring: HTMLElement | null, anchor: Element | null, side: Step["side"]): void {
  const area = anchor?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight);
  if (ring) ring.hidden = side === "inside" || !anchor;
  if (side === "inside" || !anchor) {
    // Beside the buttons of the view, if it hides nothing there of what it speaks of.
    box.style.left = `${Math.round(placeBeside(findSpan(), area.left + 12, area.right - BESIDE, box.offsetWidth))}px`;
    box.style.top = `${Math.round(area.top + 12)}px`;
    return;
  }
  place(box, area, side, 14);
  // Clear of the strip of tools.
  const stage = document.querySelector(".stage")?.getBoundingClientRect();
  if (stage && parseFloat(box.style.left) < stage.left) box.style.left = `${Math.round(stage.left) + 12}px`;
  // Clear of what is written at the foot of the stage.
  if (stage && side === "top") {
    const lowest = Math.max(stage.top + 12, stage.bottom - WRITTEN - box.offsetHeight);
    box.style.top = `${Math.round(Math.min(parseFloat(box.style.top), lowest))}px`;
  }
  if (!ring) return;
  ring.style.left = `${Math.round(area.left) - 4}px`;
  ring.style.top = `${Math.round(area.top) - 4}px`;
  ring.style.width = `${Math.round(area.width) + 8}px`;
  ring.style.height = `${Math.round(area.height) + 8}px`;
}
