export function Inspector() {
  return <aside class="inspector" />;
}
