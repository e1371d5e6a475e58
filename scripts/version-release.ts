// Gives every package the version of the next release, and moves the changesets into CHANGELOG.md. Commits nothing:
// `npm run --silent x -- node scripts/version-release.ts`; the release workflow runs it for its pull request.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { type Changeset, releasedChangelog } from "./changelog.ts";
import { repository } from "./repository.mjs";

const { values } = parseArgs({ options: { root: { type: "string", default: repository } } });
const root = path.resolve(values.root);

interface ReleasePlan {
  readonly changesets: readonly Changeset[];
  readonly releases: readonly { readonly name: string; readonly oldVersion: string; readonly newVersion: string }[];
}

const changeset = (args: readonly string[]): void => {
  const program = path.join(repository, "node_modules/.bin/changeset");
  execFileSync(program, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
};

function readPlan(): ReleasePlan {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-release-"));
  try {
    // Relative to the repository, says the program; it accepts no absolute path.
    const file = path.join(folder, "plan.json");
    changeset(["status", `--output=${path.relative(root, file)}`]);
    return JSON.parse(fs.readFileSync(file, "utf8")) as ReleasePlan;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function edit(file: string, change: (text: string) => string): void {
  const target = path.join(root, file);
  fs.writeFileSync(target, change(fs.readFileSync(target, "utf8")));
}

const { changesets, releases } = readPlan();
// One version for all of them, by `fixed` in .changeset/config.json.
const [{ oldVersion, newVersion } = { oldVersion: "", newVersion: "" }] = releases;
if (newVersion === "") {
  console.error("There is no changeset: nothing to release.");
  process.exit(1);
}
const date = new Date().toISOString().slice(0, 10);
// First what can fail, so that nothing is half-written.
const changelogFile = path.join(root, "CHANGELOG.md");
const changelog = releasedChangelog(fs.readFileSync(changelogFile, "utf8"), { version: newVersion, date, changesets });
changeset(["version"]);
fs.writeFileSync(changelogFile, changelog);
edit("apps/mcp/server.json", (text) => text.replaceAll(`"version": "${oldVersion}"`, `"version": "${newVersion}"`));
edit("docs/mcp.md", (text) => text.replaceAll(`svc-mcp-${oldVersion}.tgz`, `svc-mcp-${newVersion}.tgz`));
console.log(`${oldVersion} becomes ${newVersion}`);
