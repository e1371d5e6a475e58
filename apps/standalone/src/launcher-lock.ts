import fs from "node:fs";
import { commandOf } from "@svc/local-stores";
import type { DataFolder } from "./data-folder.ts";
import { StartError } from "./start-error.ts";

/** Recognises a launcher among the processes, because process ids are used again. */
const launcherScript = /standalone.*main\.ts/;

export const isLauncher = (pid: number): boolean => launcherScript.test(commandOf(pid) ?? "");

export interface LauncherLock {
  /** An earlier launcher of this data was killed, so its processes may still be there. */
  readonly tookOver: boolean;
  release(): void;
}

function readHolder(lockFile: string): number | undefined {
  const pid = Number(fs.readFileSync(lockFile, "utf8"));
  return pid !== process.pid && isLauncher(pid) ? pid : undefined;
}

function tryCreate(lockFile: string): boolean {
  try {
    fs.writeFileSync(lockFile, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** One launcher at a time for a data folder. Throws StartError when another one runs. */
export function lockDataFolder(data: DataFolder): LauncherLock {
  const release = () => fs.rmSync(data.lockFile, { force: true });
  if (tryCreate(data.lockFile)) return { tookOver: false, release };
  const holder = readHolder(data.lockFile);
  if (holder === undefined) {
    release();
    if (tryCreate(data.lockFile)) return { tookOver: true, release };
  }
  throw new StartError(
    `The data in ${data.path} is in use by a launcher that runs already${holder ? ` (process ${holder})` : ""}; stop it, or choose another folder with \`npm start -- --data-dir D\`.`,
  );
}
