import fs from "node:fs/promises";
import path from "node:path";
import { UsageError } from "@svc/sdk";
import type { ProcessContext } from "../process-context.ts";

/** The bytes of a file, or of what is piped in when it is called "-". */
export async function readBytes(file: string, context: ProcessContext): Promise<Buffer> {
  if (file === "-") return Buffer.concat(await context.input.toArray());
  try {
    return await fs.readFile(path.resolve(context.cwd, file));
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? "unknown error"}.`);
  }
}

/** The text of a file, or of what is piped in, read as UTF-8. */
export async function readText(file: string, context: ProcessContext): Promise<string> {
  return (await readBytes(file, context)).toString("utf8");
}
