import fs from "node:fs";
import path from "node:path";
import { postgresDataDir } from "@svc/local-stores";
import { StartError } from "./start-error.ts";

/** Paths below --data-dir. */
export interface DataFolder {
  readonly path: string;
  /** Whether the folder was empty: what an earlier one of this name left elsewhere is void. */
  readonly isNew: boolean;
  readonly postgres: string;
  readonly redis: string;
  readonly sandbox: string;
  /** Mails that were caught. */
  readonly mails: string;
  readonly secretsFile: string;
  readonly runtimeFile: string;
  readonly lockFile: string;
}

/** Throws StartError when the folder cannot be made or written to. */
export function openDataFolder(folder: string): DataFolder {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o755 });
    fs.accessSync(folder, fs.constants.W_OK);
  } catch (error) {
    throw new StartError(
      `The data cannot live in ${folder} (${(error as Error).message}); choose a folder with --data-dir.`,
    );
  }
  const below = (name: string) => path.join(folder, name);
  return {
    path: folder,
    isNew: fs.readdirSync(folder).length === 0,
    postgres: below("postgres"),
    redis: below("redis"),
    sandbox: below("carrier-sandbox"),
    mails: below("mails"),
    secretsFile: below("secrets.json"),
    runtimeFile: below("runtime.json"),
    lockFile: below("launcher.pid"),
  };
}

/** Deletes the data of earlier starts: only what the launcher itself created, whichever folder was given. */
export function clearDataFolder(data: DataFolder): void {
  const createdEntries = [
    postgresDataDir(data.postgres),
    data.postgres,
    data.redis,
    data.sandbox,
    data.mails,
    data.secretsFile,
  ];
  for (const entry of createdEntries) fs.rmSync(entry, { recursive: true, force: true });
}
