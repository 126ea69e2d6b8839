/** The rule that folders import one way is kept, and fails when an import goes up. */

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";

// On a machine that may be busy [ms].
vi.setConfig({ testTimeout: 60_000 });

const PAGE = join(import.meta.dirname, "..");
const LAYERS = { panels: 4, stage: 4, commands: 3, store: 2, geometry: 1, wire: 0, ui: -1 };
const folder = mkdtempSync(join(tmpdir(), "layers-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Whether a folder may import another one. */
const allowed = (from, to) => from === to || (from !== "ui" && (to === "ui" ? LAYERS[from] >= LAYERS.store : LAYERS[to] < LAYERS[from]));

/** The sources in which oxlint, as `npm run lint` calls it, finds something. */
function findFaulty() {
  const oxlint = join(PAGE, "node_modules", "oxlint", "bin", "oxlint");
  try {
    execFileSync(process.execPath, [oxlint, "--deny-warnings", "--format=json", "src"], { cwd: folder, stdio: "pipe" });
    return [];
  } catch (failed) {
    return [...new Set(JSON.parse(failed.stdout).diagnostics.map(({ filename }) => filename.replaceAll("\\", "/")))].sort();
  }
}

it("refuses every import that goes up, from files and from subfolders, types included", () => {
  cpSync(join(PAGE, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
  const planted = [];
  for (const from of Object.keys(LAYERS)) {
    mkdirSync(join(folder, "src", from, "sub"), { recursive: true });
    writeFileSync(join(folder, "src", from, "thing.ts"), "export const thing = 1;\nexport type Thing = number;\n");
    for (const to of [...Object.keys(LAYERS), "app"]) {
      const path = to === "app" ? "app" : `${to}/thing`;
      const sources = {
        [`src/${from}/${to}.ts`]: `import { thing } from "../${path}";\nexport const copy = thing;\n`,
        [`src/${from}/sub/${to}.ts`]: `import type { Thing } from "../../${path}";\nexport const copy: Thing = 1;\n`,
      };
      for (const [name, text] of Object.entries(sources)) {
        writeFileSync(join(folder, name), text);
        if (to === "app" || !allowed(from, to)) planted.push(name);
      }
    }
  }
  // A folder reaches its own files without leaving it, and ui by no other way.
  rmSync(join(folder, "src/ui/ui.ts"));
  rmSync(join(folder, "src/ui/sub/ui.ts"));
  expect(findFaulty()).toEqual(planted.sort());
});
