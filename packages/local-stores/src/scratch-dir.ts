import fs from "node:fs";
import os from "node:os";

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
