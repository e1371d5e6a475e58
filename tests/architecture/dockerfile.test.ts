import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { serviceVariables } from "@svc/service-kit/service-variables";
import { bundledApps } from "../../scripts/bundle-dependencies.ts";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string) => fs.readFileSync(path.join(root, file), "utf8");

describe("docker/Dockerfile", () => {
  test("installs the versions that the repository is developed with", () => {
    const { packageManager } = JSON.parse(read("package.json")) as { packageManager: string };
    const turbo = /^ {2}turbo: (\S+)$/m.exec(read("pnpm-workspace.yaml"))?.[1];
    expect(read("docker/Dockerfile")).toContain(`npm install --global ${packageManager} turbo@${turbo}\n`);
  });

  test("the service runs without privileges and is asked for its health", () => {
    const final = read("docker/Dockerfile")
      .split(/^FROM /m)
      .at(-1);
    expect(final).toMatch(/^USER node$/m);
    expect(final).toMatch(/^HEALTHCHECK .*\\\n.*\/healthz/m);
  });
});

/** Files that read variables and are not the configuration of a service. */
const variableReaders: Readonly<Record<string, readonly string[]>> = {
  persistence: ["packages/persistence/src/migrate-cli.ts"],
  admin: [
    "apps/admin/src/main.ts",
    "apps/admin/src/commands/queue-commands.ts",
    "apps/admin/src/commands/secret-commands.ts",
    "apps/admin/src/commands/user-commands.ts",
    "packages/archive/src/archive-settings.ts",
  ],
};

/** Variables that several services read. */
const shared = [
  ["processVariables", "packages/service-kit/src/config.ts"],
  ["databaseVariables", "packages/service-kit/src/database-variables.ts"],
  ["egressVariables", "packages/egress/src/egress-variables.ts"],
  ["archiveVariables", "packages/archive/src/archive-settings.ts"],
] as const;

describe("docker/compose.yml", () => {
  test("runs every service and the migrations, each from the one Dockerfile", () => {
    const built = [...read("docker/compose.yml").matchAll(/dockerfile: (\S+), args: \{ APP: (\S+) \}/g)];
    expect(new Set(built.map(([, file]) => file))).toEqual(new Set(["docker/Dockerfile"]));
    const apps = bundledApps(root).map((app) => path.basename(app));
    expect(built.map(([, , app]) => app).sort()).toEqual([...apps, "persistence"].sort());
  });

  test("passes every variable on to the service that reads it", () => {
    const compose = read("docker/compose.yml");
    const namesIn = (block = "", indent = 6) =>
      [...block.matchAll(new RegExp(`^ {${indent}}([A-Z_]+): `, "gm"))].map(([, name]) => name ?? "");
    const commonVariables = namesIn(/^x-process: &process\n((?: {2}.*\n)+)/m.exec(compose)?.[1], 2);
    // The image sets the first two; the next two would lend an account to callers without a token. Only `npm start`
    // catches mail.
    const left = new Set(["PORT", "HOST", "SVC_API_TOKEN", "SVC_MCP_LEND_TOKEN", "SVC_CAUGHT_MAIL_DIR"]);
    for (const [service, variables] of Object.entries(serviceVariables)) {
      if (service === "mcp-stdio") continue;
      const block = new RegExp(`^ {2}${service}:\n(?: {4}.*\n|\n)+`, "m").exec(compose)?.[0] ?? "";
      expect([service, block.includes("*process")]).toEqual([service, true]);
      const passed = new Set([...namesIn(block), ...commonVariables]);
      const missing = variables.filter(({ name }) => !passed.has(name) && !left.has(name)).map(({ name }) => name);
      expect([service, missing]).toEqual([service, []]);
    }
  });

  test("lists every required variable in example.env, and none that no service reads", () => {
    const compose = read("docker/compose.yml");
    const names = (text: string, pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, name]) => name ?? ""));
    const example = read("docker/example.env");
    const required = names(compose, /\$\{(\w+):\?/g);
    expect([...required].filter((name) => !new RegExp(`^${name}=$`, "m").test(example))).toEqual([]);
    expect([...names(example, /^(\w+)=$/gm)].toSorted()).toEqual([...required].toSorted());
    const used = names(compose, /\$\{(\w+)/g);
    expect([...names(example, /^(?:# )?([A-Z_]+)=/gm)].filter((name) => !used.has(name))).toEqual([]);
  });

  test("gives each service only variables that it reads, and all that it must have", () => {
    const services =
      read("docker/compose.yml")
        .split(/^services:$/m)[1]
        ?.split(/^ {2}(?=[a-z])/m) ?? [];
    const ownServices = services.filter((service) => service.includes("docker/Dockerfile"));
    expect(ownServices).toHaveLength(bundledApps(root).length + 1);
    for (const service of ownServices) {
      const app = /args: \{ APP: (\S+) \}/.exec(service)?.[1] ?? "";
      const own = (variableReaders[app] ?? [`apps/${app}/src/config.ts`]).map(read).join("\n");
      const source = shared
        .filter(([name]) => own.includes(`...${name}`))
        .reduce((all, [, file]) => all + read(file), own);
      const variables = [...service.matchAll(/^ {6}([A-Z_]+): /gm)].map(([, name]) => name ?? "");
      for (const name of variables) expect(`${app}: ${source}`).toContain(name);
      for (const name of ["DATABASE_URL", "SVC_SECRET_KEY", "SVC_SANDBOX_DATA_DIR"]) {
        if (new RegExp(`^ {2}${name}: `, "m").test(source)) expect(variables).toContain(name);
      }
      // A service that listens must not lend an account to callers without a token.
      expect(variables).not.toContain("SVC_API_TOKEN");
    }
  });
});
