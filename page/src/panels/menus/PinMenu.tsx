/** Beside a fresh pin: what it shall hold. */

import { Button, Segmented } from "../../ui";
import { changePin, pinMenu, removePin, type PinKind } from "../../store/pins";
import { formatName } from "../../ui/text";
import "./pins.css";

const KINDS: { value: PinKind; label: string; help: string; testid: string }[] = [
  { value: "position", label: "Position", help: "The point stays where it is; the bone may turn about it.", testid: "pin-position" },
  { value: "orientation", label: "Orientation", help: "The bone keeps its direction; it may move.", testid: "pin-orientation" },
  { value: "height", label: "Height", help: "Only the height is kept; it may slide sideways.", testid: "pin-height" },
];

export function PinMenu() {
  const menu = pinMenu.value;
  if (!menu) return null;
  // Beside the click, but not outside the window.
  const left = Math.min(Math.max(menu.x + 14, 8), innerWidth - 320);
  const top = Math.min(Math.max(menu.y - 96, 56), innerHeight - 140);
  return (
    <div class="pin-menu" style={{ left: `${left}px`, top: `${top}px` }} role="dialog" aria-label="Pin" data-testid="pin-menu">
      <p class="pin-title">
        Pinned: <b>{formatName(menu.bone)}</b>
      </p>
      <Segmented value={menu.kind} label="What the pin holds" choices={KINDS} onChange={(kind) => void changePin(kind)} />
      <div class="pin-actions">
        <Button kind="quiet" icon="trash" onClick={() => void removePin()} testid="pin-remove">
          Remove
        </Button>
        <Button kind="quiet" keys="Esc" onClick={() => (pinMenu.value = null)} testid="pin-done">
          Done
        </Button>
      </div>
    </div>
  );
}
