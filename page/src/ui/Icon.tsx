import { ICONS, type IconName } from "./icons";

/** An icon of our set; its lines are 1.5 px wide whatever its size. Says nothing to a screen reader: its button does. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  const [lines = "", filled = ""] = ICONS[name].split("|");
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      {lines && <path d={lines} class="icon-line" />}
      {filled && <path d={filled} class="icon-fill" />}
    </svg>
  );
}
