import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { checkArchitecture, ruleNames } from "../../scripts/architecture.ts";
import { compliantTree, importAndFileViolations, lintViolations, type Tree } from "./rule-breakers.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** A folder with the tree. */
function write(tree: Tree): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-architecture-"));
  for (const [file, text] of Object.entries(tree)) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), text);
  }
  return folder;
}

async function rulesBroken(tree: Tree): Promise<string[]> {
  const folder = write(tree);
  // The link is to the installed packages, by which an undeclared dependency differs from an unknown one.
  fs.symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  return (await checkArchitecture(folder)).violations.map(({ rule }) => rule);
}

/** The linter's view of one folder, with the repository's configuration but for what it ignores. */
function lint(folder: string): string {
  const settings = JSON.parse(fs.readFileSync(path.join(root, ".oxlintrc.json"), "utf8"));
  const config = path.join(root, "node_modules", `.oxlintrc.fixture-${process.pid}.json`);
  fs.writeFileSync(config, JSON.stringify({ ...settings, ignorePatterns: [] }));
  try {
    const program = path.join(root, "node_modules/.bin/oxlint");
    return spawnSync(program, ["--config", config, "--format", "unix", folder], { cwd: root, encoding: "utf8" }).stdout;
  } finally {
    fs.rmSync(config);
  }
}

describe("the architecture is enforced", () => {
  test("every rule has a tree that breaks it", () => {
    expect(Object.keys(importAndFileViolations).sort()).toEqual([...ruleNames].sort());
  });

  test.each(Object.entries(importAndFileViolations))("%s is noticed", async (rule, tree) => {
    expect(await rulesBroken(tree)).toContain(rule);
  });

  test.each(Object.entries(lintViolations))("the linter notices %s", (rule, tree) => {
    expect(lint(write(tree))).toContain(`(${rule})`);
  });

  test("every package and app is in the import table", () => {
    const members = ["packages", "apps"].flatMap((folder) => fs.readdirSync(path.join(root, folder)));
    const isMember = (name: string) =>
      ["packages", "apps"].some((folder) => fs.existsSync(path.join(root, folder, name, "package.json")));
    for (const member of members.filter(isMember)) expect(ruleNames).toContain(`${member}-imports`);
  });

  test("every permission of the import table is used", () => {
    const { mayImport } = createRequire(import.meta.url)("../../.dependency-cruiser.cjs") as {
      mayImport: Readonly<Record<string, readonly string[]>>;
    };
    const unused = Object.entries(mayImport).flatMap(([member, allowed]) => {
      const files = fs.globSync(`${member}/{src,tools}/**/*.ts`, { cwd: root });
      const sources = files.map((file) => fs.readFileSync(path.join(root, file), "utf8")).join("\n");
      return allowed
        .filter((other) => !new RegExp(`"@svc/${path.basename(other)}["/]`).test(sources))
        .map((other) => `${member} imports nothing of ${other}`);
    });
    expect(unused).toEqual([]);
  });

  test("ARCHITECTURE.md lists the modules that the linter permits to access the process", () => {
    const { overrides } = JSON.parse(fs.readFileSync(path.join(root, ".oxlintrc.json"), "utf8")) as {
      overrides: { excludeFiles: string[] }[];
    };
    const text = fs.readFileSync(path.join(root, "ARCHITECTURE.md"), "utf8");
    const invariant = /^3\. Only these touch `process`:(?:.*\n)+?\n/m.exec(text)?.[0] ?? "";
    const names = (overrides[0]?.excludeFiles ?? [])
      .filter((pattern) => !/\.test\.ts$|\/testing\//.test(pattern))
      .map((pattern) => path.basename(pattern.replace(/\/src\/\*\*$/, "")));
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(invariant).toContain(`\`${name}\``);
  });

  test("turbo runs the tests of every package and app that has any", () => {
    const hasTests = (folder: string) =>
      fs.globSync("src/**/*.test.ts", { cwd: folder }).some((file) => !file.endsWith(".long.test.ts"));
    const folders = ["packages", "apps"].flatMap((kind) => fs.globSync(`${kind}/*/package.json`, { cwd: root }));
    for (const manifest of folders.filter((file) => hasTests(path.join(root, path.dirname(file))))) {
      const { scripts } = JSON.parse(fs.readFileSync(path.join(root, manifest), "utf8")) as {
        scripts: { test?: string };
      };
      expect(scripts.test).toContain(`run-tests.ts ${path.dirname(manifest)}/ --selectProjects unit integration`);
    }
  });

  test("a tree that keeps every rule passes", async () => {
    expect(await rulesBroken(compliantTree)).toEqual([]);
    expect(lint(write(compliantTree))).not.toMatch(/\(no-/);
  });
});
