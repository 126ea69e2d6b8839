export function TopBar() {
  return <header class="topbar" />;
}
