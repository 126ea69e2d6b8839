/** What the stage says of an edit: that it is impossible, or that a better motion is being looked for. */

import { findCommand, runCommand } from "../../commands/registry";
import { edit } from "../../store";
import { Button, Icon } from "../../ui";
import { editing } from "../../store/workspace";
import { dragging } from "../../store/edit/state";
import { shortenWarning } from "../../store/edit/labels";

export function EditNotice() {
  const open = edit.value;
  if (!editing.value || !open) return null;
  if (open.warning) {
    return (
      <div class="hud-banner warn" role="alert" data-testid="banner-impossible">
        <Icon name="warning" />
        <span class="hud-banner-text">{shortenWarning(open.warning)}</span>
        {open.refused && !dragging.value && (
          <Button onClick={() => runCommand("edit.nearest")} help={findCommand("edit.nearest").help} testid="take-nearest">
            Closest solution
          </Button>
        )}
      </div>
    );
  }
  if (open.busy && !dragging.value) {
    return (
      <div class="hud-banner calm" role="status" data-testid="banner-solving">
        <Icon name="solve" />
        <span class="hud-banner-text">Solving…</span>
        <Button onClick={() => runCommand("edit.stop")} testid="stop-solving">
          Stop
        </Button>
      </div>
    );
  }
  return null;
}
