import { Icon } from "../../ui";

/** What the studio said, in its own words; nothing if it said nothing. */
export function Trouble({ text }: { text: string }) {
  if (!text) return null;
  return (
    <div class="trouble" role="alert" data-testid="dialog-error">
      <Icon name="warning" size={16} />
      <p>{text}</p>
    </div>
  );
}
