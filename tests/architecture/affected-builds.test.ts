import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { trackedFiles } from "../../scripts/tracked-files.ts";

const root = path.resolve(import.meta.dirname, "../..");
const needed = /^(turbo\.json|pnpm-(lock|workspace)\.yaml|(?!tests\/architecture\/fixtures\/)(.*\/)?package\.json)$/;

let checkout: string;
const git = (...args: string[]) => execFileSync("git", args, { cwd: checkout });

/** A repository with the manifests of this one, and one source file in each member. */
beforeAll(() => {
  checkout = fs.mkdtempSync(path.join(os.tmpdir(), "svc-affected-"));
  for (const file of trackedFiles(root).filter((name) => needed.test(name))) {
    fs.cpSync(path.join(root, file), path.join(checkout, file));
    fs.mkdirSync(path.join(checkout, path.dirname(file), "src"), { recursive: true });
    fs.writeFileSync(path.join(checkout, path.dirname(file), "src/main.ts"), "");
  }
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "--quiet", "--message=test: add files");
});
afterAll(() => fs.rmSync(checkout, { recursive: true, force: true }));

/** The members whose task turbo runs after an edit in the folder of one of them, for example "redis". */
function affectedBy(folder: string, task: "build" | "test"): string[] {
  const file = path.join(checkout, folder, "src/main.ts");
  fs.writeFileSync(file, "export {};\n");
  try {
    const turbo = path.join(root, "node_modules/.bin/turbo");
    const env = { PATH: process.env.PATH, HOME: checkout, TURBO_SCM_BASE: "HEAD", TURBO_TELEMETRY_DISABLED: "1" };
    const output = execFileSync(turbo, ["run", task, "--affected", "--dry=json"], {
      cwd: checkout,
      env,
      stdio: "pipe",
    });
    const { tasks } = JSON.parse(output.toString()) as {
      tasks: { task: string; package: string; command: string }[];
    };
    return tasks
      .filter((planned) => planned.task === task && planned.command !== "<NONEXISTENT>")
      .map((planned) => planned.package.replace("@svc/", ""));
  } finally {
    fs.writeFileSync(file, "");
  }
}

describe("turbo run --affected", () => {
  test("builds and tests a leaf and the packages that run it, and nothing else", () => {
    expect(affectedBy("apps/admin", "build")).toEqual(["admin"]);
    expect(affectedBy("apps/admin", "test")).toEqual(["admin", "scripts", "tests"]);
  });

  test("builds the apps that use a package, directly or through another one", () => {
    expect(affectedBy("packages/redis", "build")).toEqual(["admin", "api", "webhook-worker"]);
    const persistenceBuilds = affectedBy("packages/persistence", "build");
    expect(persistenceBuilds).toEqual(expect.arrayContaining(["api", "deeplink", "persistence", "tracking-worker"]));
    for (const app of ["mcp", "carrier-sandbox"]) expect(persistenceBuilds).not.toContain(app);
  });

  test("tests what starts a service that its manifest does not name", () => {
    expect(affectedBy("apps/api", "test")).toEqual(expect.arrayContaining(["api", "sdk", "web", "cli", "tests"]));
    expect(affectedBy("apps/api", "test")).not.toContain("webhook-worker");
  });
});
