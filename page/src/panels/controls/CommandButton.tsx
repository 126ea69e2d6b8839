import { findCommand, runCommand } from "../../commands/registry";
import { IconButton, shownKey, type IconName, type TipText } from "../../ui";

interface CommandButtonProps {
  /** Of the command, as registered. */
  id: string;
  icon: IconName;
  active?: boolean | undefined;
  size?: 24 | 28 | 36 | undefined;
  side?: TipText["side"];
  testid?: string | undefined;
  class?: string | undefined;
  /** Instead of the command's own title or help, where more can be said. */
  title?: string | undefined;
  help?: string | undefined;
}

/** A button of a command: name, help, key and what blocks it come from the registry. */
export function CommandButton({ id, title, help, ...rest }: CommandButtonProps) {
  const found = findCommand(id);
  return (
    <IconButton
      {...rest}
      label={title ?? found.title}
      help={help ?? found.help}
      keys={shownKey(found)}
      blocked={found.blocked?.()}
      onClick={() => runCommand(id)}
    />
  );
}
