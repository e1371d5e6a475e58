import fs from "node:fs";
import os from "node:os";

/** Where throw-away data is fastest: in memory when the machine has such a file system, else the temporary folder. */
export function scratchDir(): string {
  try {
    const memory = fs.statfsSync("/dev/shm");
    fs.accessSync("/dev/shm", fs.constants.W_OK);
    if (memory.bavail * memory.bsize > 1e9) return "/dev/shm";
  } catch {
    // No memory file system here.
  }
  return os.tmpdir();
}
