import type { KnipConfig } from "knip";
import { bundledApps, inlinedDependencies } from "./scripts/bundle-dependencies.ts";

const root = import.meta.dirname;

/** Nothing is ignored but what an app must declare for its bundle, and that list follows from the manifests. */
const config: KnipConfig = {
  ignoreExportsUsedInFile: { interface: true, type: true },
  // Programs of the machine.
  ignoreBinaries: ["openssl", "taskset"],
  workspaces: {
    ".": { entry: ["scripts/*.{mjs,ts}"] },
    ...Object.fromEntries(
      bundledApps(root).map((app) => [
        app,
        { entry: ["src/{main,stdio}.ts"], ignoreDependencies: inlinedDependencies(root, app) },
      ]),
    ),
    "apps/standalone": { entry: ["src/main.ts"] },
    "packages/persistence": { entry: ["tools/*.mjs", "src/generated/client.ts"] },
    bench: { entry: ["*.ts"] },
    tests: {
      entry: ["{architecture,e2e,faults,fuzz,spec}/**/*.test.ts", "runner/*.{ts,mjs}"],
      ignore: ["architecture/fixtures/**"],
    },
  },
};

export default config;
