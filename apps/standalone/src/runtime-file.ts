import fs from "node:fs";
import path from "node:path";
import { isLauncher } from "./launcher-lock.ts";
import type { QueueStore } from "./options.ts";

/**
 * Facts about the running system for tools, in `.svc/runtime.json` of the repository and in the data folder while it
 * runs.
 */
export interface Runtime {
  /** Addresses without a path; the API's operations are below `apiBaseUrl`. */
  readonly api: string;
  readonly mcp: string;
  readonly app: string;
  readonly sandbox: string;
  readonly apiBaseUrl: string;
  /** The page with the mails that were caught; missing: mails are sent. */
  readonly mail?: string;
  readonly token: string;
  readonly login: { readonly email: string; readonly password: string };
  /** Process ids by name: each service, `postgres`, `redis` when the launcher runs one, and `launcher`. */
  readonly pids: Readonly<Record<string, number>>;
  readonly dataDir: string;
  readonly queue: QueueStore;
  readonly databaseUrl: string;
}

/** Replaces the file at once, so that a reader never sees half of it. It holds secrets: only its owner may read it. */
export function writeRuntimeFile(file: string, runtime: Runtime): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(runtime, null, 2)}\n`, { mode: 0o600 });
  fs.renameSync(`${file}.new`, file);
}

/** The launcher that a file names; undefined without a file, and for one that no launcher of this version wrote. */
function readLauncher(file: string): number | undefined {
  try {
    return (JSON.parse(fs.readFileSync(file, "utf8")) as Runtime).pids.launcher;
  } catch {
    return undefined;
  }
}

/** Returns the process id of another running launcher, whose system is in the file and must not be overwritten. */
export function findOtherLauncher(file: string): number | undefined {
  const launcher = readLauncher(file);
  return launcher !== undefined && launcher !== process.pid && isLauncher(launcher) ? launcher : undefined;
}

/** Removes the file, unless another launcher has written its own there since. */
export function removeRuntimeFile(file: string, launcherPid: number): void {
  if (readLauncher(file) === launcherPid) fs.rmSync(file, { force: true });
}

/** The process ids that a killed launcher wrote down; none when there is no such file. */
export function readLeftPids(file: string): number[] {
  if (!fs.existsSync(file)) return [];
  return Object.values((JSON.parse(fs.readFileSync(file, "utf8")) as Runtime).pids);
}
