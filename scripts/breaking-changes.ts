/** `node scripts/breaking-changes.ts`: what the committed description of the API takes away from the one before. Exit code 1 for anything. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { breakingChanges } from "./openapi-differences.ts";

const root = path.resolve(import.meta.dirname, "..");
const file = "docs/api/openapi.json";

function git(...values: readonly string[]): string | null {
  const { status, stdout } = spawnSync("git", values, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return status === 0 ? stdout.trim() : null;
}

/** Where the work left main; on main itself the commit before. Null: there is no history, as in an archive. */
function lastLanded(): string | null {
  const head = git("rev-parse", "HEAD");
  const base = git("merge-base", "HEAD", "origin/main");
  return base !== null && base !== head ? base : git("rev-parse", "HEAD^");
}

const commit = lastLanded();
const committed = commit && git("show", `${commit}:${file}`);
if (committed) {
  const [before, after] = [JSON.parse(committed), JSON.parse(fs.readFileSync(path.join(root, file), "utf8"))];
  const changes = before.info.version === after.info.version ? breakingChanges(before, after) : [];
  for (const change of changes) console.log(change);
  if (changes.length > 0)
    console.log("Keep what clients rely on, or give the API another version (apps/api/src/openapi/api-version.ts).");
  process.exitCode = changes.length === 0 ? 0 : 1;
} else console.log("There is no earlier description to compare with.");
