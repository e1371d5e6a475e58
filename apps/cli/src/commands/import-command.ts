import { type EventFile, UsageError } from "@svc/sdk";
import type { Command } from "commander";
import type { ProcessContext } from "../process-context.ts";
import { openSession } from "../session.ts";
import { readText } from "./read-file.ts";

/** JSON is an array of rows, or an object with `rows`; everything else is CSV. */
function parseEventFile(text: string): EventFile {
  const start = text.trimStart().at(0);
  if (start !== "[" && start !== "{") return { csv: text };
  try {
    const json = JSON.parse(text);
    return Array.isArray(json) ? { rows: json } : json;
  } catch {
    throw new UsageError("The file begins like JSON and is not: give an array of rows, or CSV.");
  }
}

export function addImportCommand(program: Command, context: ProcessContext): void {
  program
    .command("import")
    .description("Import events of a carrier without an API, from a CSV or JSON file.")
    .argument("<file>", 'file name; "-" reads from the pipe')
    .action(async (file: string, _options: object, command: Command) => {
      const { client, output, call } = openSession(command, context);
      await output.record(await client.eventImports.create(parseEventFile(await readText(file, context)), call));
    });
}
