import fs from "node:fs/promises";
import path from "node:path";
import type { ObjectStore } from "./object-store.ts";

const isAbsent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

/** Writes a directory's own entries to the disk, so that a power failure does not lose the name of a file. */
async function syncDirectory(folder: string): Promise<void> {
  const handle = await fs.open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Objects as files below a directory, for example a network file system that all workers mount. */
export function createDirectoryStore(root: string): ObjectStore {
  const fileOf = (key: string): string => path.join(root, ...key.split("/"));
  return {
    async put(key, bytes) {
      const file = fileOf(key);
      const folder = path.dirname(file);
      await fs.mkdir(folder, { recursive: true, mode: 0o700 });
      // A file that is read is a whole one: the rename replaces it at once.
      const partial = `${file}.partial`;
      await fs.writeFile(partial, bytes, { mode: 0o600, flush: true });
      await fs.rename(partial, file);
      for (let at = folder; ; at = path.dirname(at)) {
        await syncDirectory(at);
        if (at === root || path.dirname(at) === at) break;
      }
    },
    async get(key) {
      try {
        return await fs.readFile(fileOf(key));
      } catch (error) {
        if (isAbsent(error)) return null;
        throw error;
      }
    },
    async remove(key) {
      const file = fileOf(key);
      for (const name of [file, `${file}.partial`]) await fs.rm(name, { force: true });
      // The directories of the shipment and of the account, once they are empty.
      for (let at = path.dirname(file); at !== root && at.startsWith(root); at = path.dirname(at)) {
        const isRemoved = await fs.rmdir(at).then(
          () => true,
          () => false,
        );
        if (!isRemoved) break;
      }
    },
  };
}
