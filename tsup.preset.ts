import { defineConfig } from "tsup";

/**
 * How every app is built: our own packages are inlined, everything from the registry stays external,
 * so an app's manifest must itself list the run-time dependencies of the packages it inlines.
 */
export function appBundle(entry: string[] = ["src/main.ts"]) {
  return defineConfig({
    entry,
    format: "esm",
    target: "node22",
    platform: "node",
    outDir: "dist",
    clean: true,
    sourcemap: true,
    splitting: false,
    dts: false,
    noExternal: [/^@svc\//],
  });
}
