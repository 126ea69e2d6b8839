export function Timeline() {
  return <section class="timeline" />;
}
