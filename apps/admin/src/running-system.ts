import fs from "node:fs";
import path from "node:path";

/** What the commands work on. */
export interface Sources {
  readonly databaseUrl: string | undefined;
  /** `SVC_CARRIERS`. */
  readonly carriers: string | undefined;
}

/**
 * Sources of the system that `npm start` runs in a folder, by its `.svc/runtime.json`. A file of another user is not
 * trusted: it decides which database is changed.
 */
export function runningSystem(folder: string, userId: number | undefined): Sources {
  const file = path.resolve(folder, ".svc/runtime.json");
  try {
    const isOwn = userId === undefined || fs.statSync(file).uid === userId;
    if (!isOwn) return { databaseUrl: undefined, carriers: undefined };
    const runtime = JSON.parse(fs.readFileSync(file, "utf8")) as { databaseUrl?: string; sandbox?: string };
    const { databaseUrl, sandbox } = runtime;
    const line = { scac: "SBXL", protocol: "dcsa-2.2", baseUrl: sandbox };
    return { databaseUrl, carriers: sandbox && JSON.stringify([line]) };
  } catch {
    return { databaseUrl: undefined, carriers: undefined };
  }
}
