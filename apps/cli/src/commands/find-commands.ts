import type { Command } from "commander";
import { CliError, exitCodes } from "../errors/cli-error.ts";
import { plainText } from "../output/plain-text.ts";
import type { ProcessContext } from "../process-context.ts";
import { openSession } from "../session.ts";
import { collectionNamed } from "./collections.ts";
import { searchColumns } from "./record-columns.ts";

const collectionByEntityType = {
  shipment: "shipments",
  cargo: "containers",
  tracking_request: "tracking-requests",
} as const;

export function addFindCommands(program: Command, context: ProcessContext): void {
  program
    .command("search")
    .description("Search shipments, containers and tracking requests by number or reference.")
    .argument("<text>")
    .action(async (text: string, _options: object, command: Command) => {
      const { client, output, call } = openSession(command, context);
      const found = await client.search(text, call);
      if (output.shape === "json") return output.json(found);
      const items = found as readonly unknown[];
      await (items.length === 0 ? output.note("Nothing fits.") : output.table(searchColumns, items));
    });
  program
    .command("find")
    .description("Show the best match of a number in full.")
    .argument("<number>")
    .action(async (text: string, _options: object, command: Command) => {
      const { client, output, call } = openSession(command, context);
      const [best] = await client.search(text, { ...call, format: "mapped" });
      if (best === undefined) {
        const advice = "`svc track` starts tracking it.";
        throw new CliError(exitCodes.notFound, `Nothing has the number ${plainText(text)}; ${advice}`);
      }
      const records = collectionNamed(collectionByEntityType[best.entityType]).of(client);
      await output.record(await records.get(best.id, call));
    });
  program
    .command("infer")
    .description("Detect carrier and number type.")
    .argument("<number>")
    .action(async (number: string, _options: object, command: Command) => {
      const { client, output, call } = openSession(command, context);
      const inferred = await client.trackingRequests.inferNumber(number, { signal: call.signal });
      await output.record(output.shape === "json" ? inferred : inferred.data.attributes);
    });
}
