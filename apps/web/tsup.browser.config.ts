import { defineConfig } from "tsup";

/**
 * Builds the files that browsers load: one script, one stylesheet and another for print, and the files of `public` as
 * they are. The map, its worker and its styles are loaded only by the pages with the map, and the styles of the pages
 * for developers only by these.
 */
export default defineConfig({
  entry: {
    web: "src/browser/main.ts",
    style: "src/browser/web.css",
    print: "src/browser/print.css",
    developers: "src/browser/developers.css",
    voyages: "src/browser/voyages.css",
    map: "src/browser/map/main.ts",
    "map-worker": "node_modules/maplibre-gl/dist/maplibre-gl-worker.mjs",
  },
  format: "esm",
  target: "es2022",
  platform: "browser",
  outDir: "dist/assets",
  publicDir: "src/browser/public",
  clean: true,
  minify: true,
  splitting: false,
  dts: false,
  noExternal: [/^@svc\//, "maplibre-gl"],
});
