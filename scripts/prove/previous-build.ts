import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { repository } from "../repository.mjs";
import { run } from "./shell.ts";

const migrations = "packages/persistence/prisma/migrations";
const git = (...args: string[]): string => run("git", ["-C", repository, ...args]);

/** The migrations of a commit: mode, id of the content, and path of each file. */
function migrationsOf(commit: string): string[] {
  return git("ls-tree", "-r", commit, "--", migrations)
    .split("\n")
    .filter((line) => line.endsWith("/migration.sql"));
}

/**
 * The last release. Before the first one the newest commit with fewer migrations, all of which are those of today: a
 * database of it can be migrated.
 */
export function previousCommit(): string {
  const describe = ["-C", repository, "describe", "--tags", "--match", "v*", "--abbrev=0", "HEAD^"];
  const tag = spawnSync("git", describe, { encoding: "utf8" });
  if (tag.status === 0) return tag.stdout.trim();
  const today = new Set(migrationsOf("HEAD"));
  for (const commit of git("log", "--format=%H", "--", migrations).split("\n")) {
    const before = `${commit}^`;
    if (spawnSync("git", ["-C", repository, "rev-parse", "--verify", before]).status !== 0) continue;
    const earlier = migrationsOf(before);
    if (earlier.length > 0 && earlier.length < today.size && earlier.every((line) => today.has(line))) return before;
  }
  throw new Error("No earlier commit has migrations that this build continues. Name the previous build by --from.");
}

/**
 * Checks a commit out into a folder, without the history, and builds its services there.
 * @returns the commit's id.
 */
export function createPreviousBuild(commit: string, folder: string): string {
  const id = git("rev-parse", "--short=10", "--verify", `${commit}^{commit}`);
  fs.mkdirSync(folder, { recursive: true });
  run("sh", ["-c", 'git -C "$1" archive "$2" | tar -x -C "$3"', "sh", repository, id, folder]);
  run(process.execPath, [path.join(folder, "scripts/run.mjs"), "exec", "turbo", "run", "build"]);
  return id;
}
