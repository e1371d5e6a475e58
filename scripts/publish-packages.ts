// Builds the published packages and publishes those whose version the registry of npm's configuration does not have:
// `npm run --silent x -- node scripts/publish-packages.ts --repository <URL of this repository>`; `--dry-run` only
// builds and packs. npm adds the provenance, which must name the repository in the manifest.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { repository } from "./repository.mjs";

/** Folders in which each package is built, from the root of the repository. */
const published = [
  ["packages/sdk", "packages/sdk/dist"],
  ["apps/cli", "apps/cli/dist"],
  ["apps/mcp", "apps/mcp/dist/package"],
] as const;

const { values } = parseArgs({
  options: { repository: { type: "string" }, "dry-run": { type: "boolean", default: false } },
});
if (!values.repository) {
  console.error("Usage: node scripts/publish-packages.ts --repository <URL of this repository> [--dry-run]");
  process.exit(2);
}
const run = (program: string, args: readonly string[], cwd: string): void => {
  execFileSync(program, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
};

for (const [source, built] of published) {
  run("pnpm", ["run", "package"], path.join(repository, source));
  const folder = path.join(repository, built);
  const file = path.join(folder, "package.json");
  const manifest = JSON.parse(fs.readFileSync(file, "utf8"));
  manifest.repository = { type: "git", url: `git+${values.repository}.git`, directory: source };
  fs.writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  const name = `${manifest.name}@${manifest.version}`;
  if (values["dry-run"]) {
    run("npm", ["pack", "--dry-run"], folder);
    console.log(`${name} would be published.`);
    continue;
  }
  // A run that failed half-way is repeated: what is published stays.
  if (spawnSync("npm", ["view", name, "version"], { encoding: "utf8" }).stdout.trim() === manifest.version) {
    console.log(`${name} is published already.`);
    continue;
  }
  run("npm", ["publish", "--access", "public", "--provenance"], folder);
  console.log(`${name} is published.`);
}
