import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  // JSX goes through the compiler that vite has anyway.
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../src/stringless/studio/page",
    emptyOutDir: true,
    target: "es2023",
    // Everything is one local file away: one chunk loads faster than many.
    chunkSizeWarningLimit: 2000,
    assetsInlineLimit: 0,
  },
});
