export function ToolStrip() {
  return <nav class="tools" />;
}
