import type { Command } from "commander";
import type { ProcessContext } from "../process-context.ts";
import { openSession } from "../session.ts";
import { collectionNamed } from "./collections.ts";
import { findNamedRecords, noRecord, severalRecords } from "./named-records.ts";
import { searchColumns } from "./record-columns.ts";

const collectionByEntityType = {
  shipment: "shipments",
  cargo: "containers",
  tracking_request: "tracking-requests",
} as const;

/** A container comes before a shipment of its number, as in a deep link. */
const shownFirst = ["cargo", "shipment", "tracking_request"] as const;

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
    .description("Show the record that has a number or reference in full.")
    .argument("<number>")
    .action(async (text: string, _options: object, command: Command) => {
      const session = openSession(command, context);
      const { client, output, call } = session;
      const { byNumber, byReference, found } = await findNamedRecords(session, text);
      const named = [byNumber, byReference].flatMap((records) =>
        shownFirst.map((kind) => records.filter(({ entityType }) => entityType === kind)),
      );
      const [record, ...others] = named.find((records) => records.length > 0) ?? [];
      if (record === undefined) throw noRecord("record", text, found);
      if (others.length > 0) throw severalRecords(text, [record, ...others]);
      const records = collectionNamed(collectionByEntityType[record.entityType]).of(client);
      await output.record(await records.get(record.id, call));
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
