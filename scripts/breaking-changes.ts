/**
 * `node scripts/breaking-changes.ts`: what the committed description of the API takes away from the one before. Exit
 * code 1 for anything.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { breakingChanges } from "./openapi-differences.ts";

/**
 * Changes that were decided on while nothing is released: how a line ends, and why. Whatever is not listed is refused.
 */
const accepted: Readonly<Record<string, string>> = JSON.parse(
  fs.readFileSync(path.resolve(import.meta.dirname, "../docs/api/accepted-changes.json"), "utf8"),
);
const reasonOf = (change: string): string | undefined =>
  Object.entries(accepted).find(([ending]) => change.endsWith(ending))?.[1];

const root = path.resolve(import.meta.dirname, "..");
const file = "docs/api/openapi.json";

function git(...values: readonly string[]): string | null {
  const { status, stdout } = spawnSync("git", values, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return status === 0 ? stdout.trim() : null;
}

/**
 * Returns the commit at which the work left main; on main itself the one before. Null: no history, as in an archive.
 */
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
  const refused = changes.filter((change) => reasonOf(change) === undefined);
  for (const change of changes)
    console.log(refused.includes(change) ? change : `accepted: ${change} ${reasonOf(change)}`);
  if (refused.length > 0)
    console.log(
      "Keep what clients rely on, or give the API another version (apps/api/src/openapi/published-description.ts).",
    );
  process.exitCode = refused.length === 0 ? 0 : 1;
} else console.log("There is no earlier description to compare with.");
