import fs from "node:fs/promises";
import path from "node:path";
import { UsageError } from "@svc/sdk";
import type { World } from "../world.ts";

/** The bytes of a file, or of what is piped in when it is called "-". */
export async function readBytes(file: string, world: World): Promise<Buffer> {
  if (file === "-") return Buffer.concat(await world.input.toArray());
  try {
    return await fs.readFile(path.resolve(world.cwd, file));
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? "unknown error"}.`);
  }
}

/** The text of a file, or of what is piped in, read as UTF-8. */
export async function readText(file: string, world: World): Promise<string> {
  return (await readBytes(file, world)).toString("utf8");
}
