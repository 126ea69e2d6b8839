/** Direct or edit: which workspace the page shows. */

import { findCommand, runCommand } from "../commands/registry";
import { Segmented, shownKey } from "../ui";
import { workspace, type Workspace } from "../store/workspace";

export function WorkspaceSwitch() {
  const found = findCommand("edit.enter");
  const now = workspace.value;
  const about = { keys: shownKey(found), blocked: found.blocked?.() };
  return (
    <Segmented<Workspace>
      label="Workspace"
      value={now}
      choices={[
        { value: "direct", label: "Direct", help: "Play live, and direct the character by hand.", testid: "workspace-direct", ...(now === "edit" ? about : {}) },
        { value: "edit", label: "Edit", help: "Drag a whole motion: a flight, a swing, a bounce. Physics still holds.", testid: "workspace-edit", ...(now === "direct" ? about : {}) },
      ]}
      onChange={(next) => {
        if (next !== now) runCommand("edit.enter");
      }}
    />
  );
}
