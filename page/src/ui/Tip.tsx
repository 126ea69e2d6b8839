/**
 * Tooltips: any element that spreads `tip(...)` has one. A single layer listens for all of them, so a tip costs nothing
 * until it is shown, and it shows for the keyboard's focus as well as for the pointer.
 */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

export interface TipText {
  title: string;
  /** One sentence. */
  help?: string | undefined;
  /** As a person reads it: "Ctrl Z". */
  keys?: string | undefined;
  /** Why it cannot be done just now. */
  blocked?: string | undefined;
  side?: "top" | "bottom" | "left" | "right" | undefined;
}

/** Attributes that give an element a tip and a name. */
export function tip(text: TipText) {
  return {
    "data-tip": JSON.stringify(text),
    "aria-label": text.title,
    "aria-description": [text.blocked, text.help].filter(Boolean).join(" ") || undefined,
    "aria-keyshortcuts": text.keys?.replaceAll(" ", "+") || undefined,
  };
}

const DELAY = 450;
/** Keys that carry the focus to something else. */
const WALKING = /^(Tab|Arrow|Home|End)/;
const GAP = 8;
const EDGE = 6;

type Shown = { text: TipText; anchor: Element };

/** The one layer that shows tips; stands once in the page. */
export function TipLayer() {
  const [shown, setShown] = useState<Shown | null>(null);
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let timer = 0;
    let current: Element | null = null;
    // Moving from one tip to the next, a person need not wait again.
    let hidden = 0;
    // A dialog that closes gives the focus back, and uncovers what the pointer was over: nobody asked for a tip then.
    let key = "";
    let at = "";
    const hide = () => {
      clearTimeout(timer);
      if (current) hidden = performance.now();
      current = null;
      setShown(null);
    };
    const enter = (event: Event) => {
      // Whoever drags something knows what it is.
      if (event instanceof PointerEvent && (event.buttons !== 0 || !moved(event))) return;
      const anchor = (event.target as Element | null)?.closest?.("[data-tip]") ?? null;
      if (anchor === current) return;
      hide();
      if (!anchor) return;
      if (event.type === "focusin" && !(WALKING.test(key) && anchor.matches(":focus-visible"))) return;
      current = anchor;
      timer = window.setTimeout(
        () => {
          if (current !== anchor || !anchor.isConnected) return;
          setShown({ text: JSON.parse(anchor.getAttribute("data-tip") ?? "{}") as TipText, anchor });
        },
        performance.now() - hidden < 250 ? 0 : DELAY,
      );
    };
    const moved = (event: PointerEvent) => {
      const before = at;
      at = `${event.clientX} ${event.clientY}`;
      return at !== before;
    };
    const press = (event: Event) => {
      key = event instanceof KeyboardEvent ? event.key : "";
      hide();
      hidden = 0;
    };
    document.addEventListener("pointerover", enter);
    document.addEventListener("pointermove", moved, true);
    document.addEventListener("focusin", enter);
    document.addEventListener("focusout", hide);
    document.addEventListener("pointerdown", press, true);
    document.addEventListener("keydown", press, true);
    document.documentElement.addEventListener("pointerleave", hide);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("pointerover", enter);
      document.removeEventListener("pointermove", moved, true);
      document.removeEventListener("focusin", enter);
      document.removeEventListener("focusout", hide);
      document.removeEventListener("pointerdown", press, true);
      document.removeEventListener("keydown", press, true);
      document.documentElement.removeEventListener("pointerleave", hide);
    };
  }, []);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    if (!shown) {
      if (element.matches(":popover-open")) element.hidePopover();
      return;
    }
    // Shown anew each time, so that it stands above dialogs that opened since.
    if (element.matches(":popover-open")) element.hidePopover();
    element.showPopover();
    placeElement(element, shown.anchor.getBoundingClientRect(), shown.text.side ?? "bottom");
  }, [shown]);

  const text = shown?.text;
  return (
    <div ref={box} class="tip" popover="manual" role="tooltip" aria-hidden="true">
      {text && (
        <>
          <div class="tip-head">
            <span class="tip-title">{text.title}</span>
            {text.keys && <Keys text={text.keys} />}
          </div>
          {text.help && <div class="tip-help">{text.help}</div>}
          {text.blocked && <div class="tip-blocked">{text.blocked}</div>}
        </>
      )}
    </div>
  );
}

/** A key or several, as little caps: "Ctrl Z". */
export function Keys({ text }: { text: string }) {
  return (
    <span class="keys">
      {text.split(" ").map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}

/**
 * Put a floating element beside an anchor, on the other side if there is no room, and never off the page. Above and below
 * it stands in the middle, or begins where the anchor begins.
 */
export function placeElement(
  element: HTMLElement,
  anchor: DOMRect,
  side: NonNullable<TipText["side"]>,
  gap = GAP,
  align: "middle" | "start" = "middle",
): void {
  const { offsetWidth: width, offsetHeight: height } = element;
  const fits = {
    top: anchor.top - gap - height >= EDGE,
    bottom: anchor.bottom + gap + height <= innerHeight - EDGE,
    left: anchor.left - gap - width >= EDGE,
    right: anchor.right + gap + width <= innerWidth - EDGE,
  };
  const opposite = { top: "bottom", bottom: "top", left: "right", right: "left" } as const;
  const chosen = fits[side] || !fits[opposite[side]] ? side : opposite[side];
  let x = align === "start" ? anchor.left : anchor.left + anchor.width / 2 - width / 2;
  let y = anchor.top + anchor.height / 2 - height / 2;
  if (chosen === "top") y = anchor.top - gap - height;
  if (chosen === "bottom") y = anchor.bottom + gap;
  if (chosen === "left") x = anchor.left - gap - width;
  if (chosen === "right") x = anchor.right + gap;
  element.style.left = `${Math.round(Math.max(EDGE, Math.min(x, innerWidth - width - EDGE)))}px`;
  element.style.top = `${Math.round(Math.max(EDGE, Math.min(y, innerHeight - height - EDGE)))}px`;
}
