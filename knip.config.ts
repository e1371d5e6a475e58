import type { KnipConfig } from "knip";
import { bundledApps, inlinedDependencies } from "./scripts/bundle-dependencies.ts";

const root = import.meta.dirname;

/** Nothing is ignored but what an app must declare for its bundle, and that list follows from the manifests. */
const config: KnipConfig = {
  // What a package offers and nothing imports is dead, but for the published client.
  includeEntryExports: true,
  ignoreIssues: { "packages/persistence/src/generated/**": ["exports", "types"] },
  ignoreExportsUsedInFile: { interface: true, type: true },
  // Programs of the machine.
  ignoreBinaries: [
    "apt-get",
    "go",
    "kubectl",
    "mount",
    "nsenter",
    "openssl",
    "promtool",
    "setpriv",
    "taskset",
    "umount",
    "unshare",
  ],
  workspaces: {
    // `npm run x -- changeset`, and tests/runner starts Jest by the path of its program.
    ".": { "dependency-cruiser": true, ignoreDependencies: ["@changesets/cli", "jest"] },
    scripts: {
      entry: ["*.{mjs,ts}", "prove/{containers,container-walk,failover,redis,chaos,growth,upgrade}.ts"],
      // Programs that users run: `npm run svc`, `npm run x -- svc-admin`.
      ignoreDependencies: ["@svc/cli", "@svc/admin"],
    },
    ...Object.fromEntries(
      bundledApps(root).map((app) => [
        app,
        {
          entry: ["src/{main,stdio,svc-mcp}.ts", "src/views/browser/{board,container}.ts", "tools/*.ts"],
          ignoreDependencies: inlinedDependencies(root, app),
        },
      ]),
    ),
    "apps/standalone": { entry: ["src/main.ts"] },
    "apps/cli": { entry: ["src/main.ts", "tools/*.ts"] },
    "packages/sdk": {
      includeEntryExports: false,
      entry: ["src/index.ts", "src/webhooks/index.ts", "src/testing/index.ts", "tools/*.ts"],
    },
    "packages/persistence": { entry: ["tools/*.mjs", "src/generated/client.ts"] },
    bench: { entry: ["*.ts"] },
    tests: {
      includeEntryExports: false,
      // Imported by the kind of each manifest.
      ignoreDependencies: ["kubernetes-models"],
      entry: [
        "{architecture,browser,e2e,faults,fuzz,seeded-faults,spec}/**/*.test.ts",
        "{runner,seeded-faults}/*.{ts,mjs}",
        "browser/harness/view-host-page.ts",
      ],
    },
  },
};

export default config;
