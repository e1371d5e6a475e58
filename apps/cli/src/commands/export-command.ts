import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { finished } from "node:stream/promises";
import { Argument, type Command, Option } from "commander";
import type { ProcessContext } from "../process-context.ts";
import { openSession } from "../session.ts";

const resources = ["shipments", "containers", "transport-events"] as const;

interface ExportOptions {
  readonly format: "csv" | "jsonl";
  readonly since?: string;
  readonly output?: string;
}

/** Writes beside the file and renames at the end, so that the file is never a part of an export. */
async function writeFile(file: string, items: AsyncIterable<string>): Promise<void> {
  const partial = `${file}.partial`;
  const stream = createWriteStream(partial);
  try {
    for await (const item of items) if (!stream.write(item)) await once(stream, "drain");
    stream.end();
    await finished(stream);
    await rename(partial, file);
  } catch (error) {
    stream.destroy();
    await rm(partial, { force: true });
    throw error;
  }
}

export function addExportCommand(program: Command, context: ProcessContext): void {
  program
    .command("export")
    .description("Export all records, or those that changed since the cursor of an earlier export.")
    .addArgument(new Argument("<resource>", "what to export").choices(resources))
    .addOption(new Option("--format <format>", "format of the rows").choices(["csv", "jsonl"]).default("jsonl"))
    .option("--since <cursor>", "cursor that an earlier export ended with")
    .option("--output <file>", "file to write, instead of stdout")
    .action(async (resource: (typeof resources)[number], options: ExportOptions, command: Command) => {
      const { client, output, call } = openSession(command, context);
      const name = resource === "transport-events" ? "transport_events" : resource;
      const { since, format } = options;
      const { cursor, items } = await client.exports.text(name, format, { since }, { signal: call.signal });
      if (options.output === undefined) for await (const item of items) await context.write(item);
      else await writeFile(path.resolve(context.cwd, options.output), items);
      output.note(`Next export: --since ${cursor}`);
    });
}
