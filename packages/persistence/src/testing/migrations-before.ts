import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const migrations = fileURLToPath(new URL("../../prisma/migrations", import.meta.url));

/** A folder with those of an older release, each file as it is. */
export function migrationsBefore(last: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-migrations-"));
  for (const name of fs.readdirSync(migrations)) {
    if (name < last) fs.cpSync(path.join(migrations, name), path.join(folder, name), { recursive: true });
  }
  return folder;
}
