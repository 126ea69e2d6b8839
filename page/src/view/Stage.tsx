export function Stage() {
  return <section class="stage" />;
}
