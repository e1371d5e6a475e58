import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { repository } from "./repository.mjs";
import { trackedFiles } from "./tracked-files.ts";

const needed = /(^|\/)package\.json$|^\.changeset\/|^(CHANGELOG\.md|docs\/mcp\.md|apps\/mcp\/server\.json|pnpm-)/;
let root: string;

const git = (...args: string[]) => execFileSync("git", args, { cwd: root });
const release = () =>
  spawnSync(process.execPath, [path.join(repository, "scripts/version-release.ts"), "--root", root], {
    encoding: "utf8",
  });
const read = (file: string) => fs.readFileSync(path.join(root, file), "utf8");
const manifests = () => trackedFiles(root).filter((file) => /^(apps|packages)\/[^/]+\/package\.json$/.test(file));

beforeAll(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "svc-version-"));
  for (const file of trackedFiles(repository).filter((name) => needed.test(name))) {
    fs.mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    fs.copyFileSync(path.join(repository, file), path.join(root, file));
  }
  for (const file of fs.readdirSync(path.join(root, ".changeset")))
    if (file.endsWith(".md") && file !== "README.md") fs.rmSync(path.join(root, ".changeset", file));
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "--quiet", "--message=first");
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

describe("a release", () => {
  test("without a changeset changes nothing", () => {
    expect(release()).toMatchObject({ status: 1, stderr: expect.stringContaining("nothing to release") });
    expect(git("status", "--porcelain").toString()).toBe("");
  });

  test("gives every package one version, and its changesets to the changelog", () => {
    const { version } = JSON.parse(read("packages/sdk/package.json")) as { version: string };
    const [major = 0, minor = 0] = version.split(".").map(Number);
    const next = `${major}.${minor + 1}.0`;
    fs.writeFileSync(path.join(root, ".changeset/brave-cranes.md"), '---\n"@svc/sdk": minor\n---\n\nShare links\n');
    expect(release()).toMatchObject({ status: 0, stdout: `${version} becomes ${next}\n` });
    const versions = manifests().map((file) => JSON.parse(read(file)).version);
    expect(versions.length).toBeGreaterThan(20);
    expect(new Set(versions)).toEqual(new Set([next]));
    expect(read("CHANGELOG.md")).toMatch(
      new RegExp(`## Unreleased\n\n## ${next} - \\d{4}-\\d\\d-\\d\\d\n[^]*- Share links`),
    );
    expect(fs.existsSync(path.join(root, ".changeset/brave-cranes.md"))).toBe(false);
    expect(JSON.parse(read("apps/mcp/server.json"))).toMatchObject({ version: next, packages: [{ version: next }] });
    expect(read("docs/mcp.md")).toContain(`svc-mcp-${next}.tgz`);
    expect(read("docs/mcp.md")).not.toContain(`svc-mcp-${version}.tgz`);
  });
});
