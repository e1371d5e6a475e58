import { defineConfig, type Options } from "tsup";

/**
 * How every app is built: our own packages are inlined, everything from the registry stays external,
 * so an app's manifest must itself list the run-time dependencies of the packages it inlines.
 */
export function appBundle(entry: string[] = ["src/main.ts"], more: Options = {}) {
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
    ...more,
  });
}

/** How what is published is built: everything is inlined, so that it needs no other package. */
export function publishedBundle(options: Options) {
  return defineConfig({ format: "esm", outDir: "dist", clean: true, noExternal: [/./], ...options });
}
