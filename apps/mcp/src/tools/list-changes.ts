import { z } from "zod";
import { defineTool } from "./shared/define-tool.ts";
import { listBudget, page, pageSize, paging, shipmentId, timestamp } from "./shared/fields.ts";
import { resolveShipmentId } from "./shared/find-record.ts";
import { listOutcome } from "./shared/list-outcome.ts";
import { changeRow, toChangeRow } from "./shared/record-history.ts";

export const listChanges = defineTool({
  name: "list_changes",
  title: "List changes",
  description:
    "Lists what changed in the whole account or in one shipment since a time (default: the last 24 hours), latest first: number, " +
    "field, old and new value, who reported it, and why an ETA changed. For all ETAs of one shipment call get_shipment_details with include=eta_history. " +
    'Example: {"since":"2026-01-31","fields":["pod_eta_at"]}.',
  input: z.strictObject({
    since: timestamp.optional(),
    shipment: shipmentId.optional(),
    fields: z
      .array(z.string().regex(/^[a-z_]{2,40}$/, "an attribute such as pod_eta_at"))
      .max(20)
      .describe("e.g. pod_eta_at, current_status, pickup_lfd, holds_at_pod_terminal")
      .optional(),
    page,
    page_size: pageSize,
  }),
  commaSeparated: ["fields"],
  aliases: {
    field: "fields",
    updated_after: "since",
    changed_since: "since",
    after: "since",
    limit: "page_size",
    id: "shipment",
  },
  output: z.object({ items: z.array(changeRow.extend({ number: z.string() })), ...paging }),
  ...listBudget,
  page: () => "/shipments",
  async run({ since, shipment: named, fields, page, page_size }, caller) {
    const shipment = named && (await resolveShipmentId(named, caller));
    const filter = { since, shipment, field: fields };
    const document = await caller.client.overviews.changes({ filter, page, pageSize: page_size });
    return listOutcome({
      what: "changes",
      document,
      items: document.data.map((change) => ({ number: change.attributes.number, ...toChangeRow(change) })),
      input: { page, page_size },
      nextStep: "Details: get_container(id).",
      explanation: "Call again with an earlier since.",
    });
  },
});
