import { defineConfig, type Plugin } from "vite";

export default defineConfig(({ mode }) => ({
  base: "./",
  // JSX goes through the compiler that vite has anyway.
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: mode === "player" ? [putInline()] : [],
  build: {
    outDir: "../src/stringless/studio/page",
    emptyOutDir: mode !== "player",
    copyPublicDir: mode !== "player",
    target: "es2023",
    // Everything is one local file away: one chunk loads faster than many.
    chunkSizeWarningLimit: 2000,
    assetsInlineLimit: 0,
    ...(mode === "player" ? { rolldownOptions: { input: "player.html" } } : {}),
  },
}));

/** Puts scripts and styles into the page itself, which then opens from a disk with nothing beside it. */
function putInline(): Plugin {
  return {
    name: "put-inline",
    enforce: "post",
    generateBundle(_, bundle) {
      for (const page of Object.values(bundle)) {
        if (page.type !== "asset" || !page.fileName.endsWith(".html")) continue;
        page.source = String(page.source).replace(/<(script|link)\b[^>]*?(?:src|href)="\.\/([^"]+)"[^>]*>(?:<\/script>)?/g, (_, tag, name) => {
          const part = bundle[name];
          if (!part) throw new Error(`there is no '${name}' to put into the page`);
          delete bundle[name];
          const text = part.type === "chunk" ? part.code.replaceAll("</script", "<\\/script") : String(part.source);
          return tag === "script" ? `<script type="module">${text}</script>` : `<style>${text}</style>`;
        });
      }
    },
  };
}
