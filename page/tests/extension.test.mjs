/** A panel and a command are one new file each: nothing else is edited. */

import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createServer } from "vite";

/** All of the page is read, on a machine that may be busy [ms]. */
const PATIENCE = 60_000;
vi.setConfig({ testTimeout: PATIENCE, hookTimeout: PATIENCE });

const PAGE = join(import.meta.dirname, "..");
// Beside the sources, so that packages are found.
const folder = mkdtempSync(join(PAGE, ".extension-"));
let server;

beforeAll(async () => {
  cpSync(join(PAGE, "src"), join(folder, "src"), { recursive: true, filter: (name) => !name.includes(".test.") });
  cpSync(join(import.meta.dirname, "fixtures", "wave.ts"), join(folder, "src", "commands", "wave.ts"));
  cpSync(join(import.meta.dirname, "fixtures", "Weather.tsx"), join(folder, "src", "panels", "inspector", "Weather.tsx"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  // As in a browser, where nothing moves and nothing is kept.
  vi.stubGlobal("location", new URL("http://localhost/token/"));
  server = await createServer({
    root: folder,
    configFile: join(PAGE, "vite.config.ts"),
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    logLevel: "error",
  });
});
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
  vi.unstubAllGlobals();
});

it("lists a command from its own file, blocked and run as all others", async () => {
  await server.ssrLoadModule("/src/commands/index.ts");
  const { findCommand, listCommands, runCommand } = await server.ssrLoadModule("/src/commands/registry.ts");
  expect(listCommands().length).toBeGreaterThan(30);
  expect(findCommand("test.wave")).toMatchObject({ title: "Wave", group: "View", keys: ["Shift+KeyW"] });
  expect(runCommand("test.wave")).toBe(true);
  const { toasts } = await server.ssrLoadModule("/src/store/index.ts");
  expect(toasts.value.map(({ text }) => text)).toEqual(["Waved."]);
});

it("shows a panel from its own file, as a tab in its place", async () => {
  const { Inspector } = await server.ssrLoadModule("/src/panels/Inspector.tsx");
  const { listPanels } = await server.ssrLoadModule("/src/panels/registry.ts");
  expect(listPanels().map(({ id }) => id)).toEqual(["goals", "joints", "weather", "physics", "scene", "plots", "log"]);

  const { inspectorTab } = await server.ssrLoadModule("/src/store/index.ts");
  inspectorTab.value = "weather";
  const [head, body] = Inspector().props.children;
  expect(head.props.children[0].props.choices.map(({ label }) => label)).toContain("Weather");
  expect(body.props.children.type().props.children).toBe("Sunny.");
});
