import fs from "node:fs";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { defineConfig } from "tsup";

const outDir = "dist/assets";

/**
 * Builds the files that browsers load: one script, one stylesheet and another for print, and the files of `public` as
 * they are, each also compressed, which would take seconds at every start. Pages of records have a stylesheet of their
 * own. The map, its worker and its styles are loaded only by the pages with the map, and the styles of the pages for
 * developers only by these.
 */
export default defineConfig({
  entry: {
    web: "src/browser/main.ts",
    style: "src/browser/web.css",
    print: "src/browser/print.css",
    developers: "src/browser/developers.css",
    voyages: "src/browser/voyages.css",
    attention: "src/browser/attention.css",
    record: "src/browser/record-page.css",
    map: "src/browser/map/main.ts",
    "map-worker": "node_modules/maplibre-gl/dist/maplibre-gl-worker.mjs",
  },
  format: "esm",
  target: "es2022",
  platform: "browser",
  outDir,
  publicDir: "src/browser/public",
  clean: true,
  minify: true,
  splitting: false,
  dts: false,
  noExternal: [/^@svc\//, "maplibre-gl"],
  async onSuccess() {
    for (const file of fs.readdirSync(outDir)) {
      const content = fs.readFileSync(path.join(outDir, file));
      fs.writeFileSync(path.join(outDir, `${file}.br`), brotliCompressSync(content));
      fs.writeFileSync(path.join(outDir, `${file}.gz`), gzipSync(content));
    }
  },
});
