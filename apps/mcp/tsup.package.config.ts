import { publishedBundle } from "../../tsup.preset.ts";

/** `npx` fetches one package. */
export default publishedBundle({
  entry: ["src/svc-mcp.ts"],
  target: "node22",
  platform: "node",
  outDir: "dist/package",
  splitting: false,
  metafile: true,
  // Express and others are CommonJS, which calls require() for what is Node's own.
  banner: { js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);` },
});
