import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "tsup";

const renderer = fileURLToPath(new URL("./browser/standalone.js", import.meta.resolve("@scalar/api-reference")));

/**
 * Builds the files that browsers load for the API reference: the renderer as it is published, and our configuration.
 */
export default defineConfig({
  entry: { reference: "src/reference/browser/main.ts", style: "src/reference/browser/reference.css" },
  format: "iife",
  target: "es2022",
  platform: "browser",
  outDir: "dist/assets",
  clean: true,
  minify: true,
  splitting: false,
  dts: false,
  outExtension: () => ({ js: ".js" }),
  async onSuccess() {
    fs.copyFileSync(renderer, "dist/assets/scalar.js");
    fs.copyFileSync("src/reference/scalar-notices.txt", "dist/assets/scalar-notices.txt");
  },
});
