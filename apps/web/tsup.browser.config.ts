import { defineConfig } from "tsup";

/** What browsers load: one script and one stylesheet, and the files of `public` as they are. */
export default defineConfig({
  entry: { web: "src/browser/main.ts", style: "src/browser/web.css" },
  format: "esm",
  target: "es2022",
  platform: "browser",
  outDir: "dist/assets",
  publicDir: "src/browser/public",
  clean: true,
  minify: true,
  splitting: false,
  dts: false,
  noExternal: [/^@svc\//],
});
