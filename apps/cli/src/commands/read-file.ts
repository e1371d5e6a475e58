import fs from "node:fs/promises";
import path from "node:path";
import { UsageError } from "@svc/sdk";
import type { World } from "../world.ts";

/** The text of a file, or of what is piped in when it is called "-". */
export async function readText(file: string, world: World): Promise<string> {
  if (file === "-") return (await world.input.setEncoding("utf8").toArray()).join("");
  try {
    return await fs.readFile(path.resolve(world.cwd, file), "utf8");
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? "unknown error"}.`);
  }
}
