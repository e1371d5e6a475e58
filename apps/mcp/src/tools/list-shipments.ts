import { overviewStatuses } from "@svc/domain/shipments";
import { z } from "zod";
import { defineTool } from "./shared/define-tool.ts";
import { attentionArguments, exceptionsOutput, listExceptions, requestsExceptions } from "./shared/exception-rows.ts";
import { explainEmptyList } from "./shared/explain-empty-list.ts";
import { listBudget, paging } from "./shared/fields.ts";
import { listOutcome, listPath } from "./shared/list-outcome.ts";
import { overviewAliases, overviewArguments, overviewFilters } from "./shared/overview-arguments.ts";
import { shipmentRow, toShipmentRow } from "./shared/overview-rows.ts";
import { groupsOutput, summaryOutcome } from "./shared/summary.ts";

const sorts = ["arrival", "-arrival", "-delay", "-created_at", "-updated_at"] as const;

export const listShipments = defineTool({
  name: "list_shipments",
  title: "List shipments",
  description:
    "Lists or counts shipments with ports, vessel, arrival, delay, customer and containers. Filters " +
    "combine; summary counts. What needs attention: needs_attention=true, with cause and price. " +
    "For one number: get_shipment_details. " +
    'Example: {"customer":"Acme","summary":"status"}.',
  input: z.strictObject({
    status: z.array(z.enum(overviewStatuses)).optional(),
    sort: z.enum(sorts).default("-created_at"),
    ...overviewArguments,
    ...attentionArguments,
  }),
  aliases: { ...overviewAliases, attention: "needs_attention", exceptions: "needs_attention", kind: "exception_kind" },
  obsolete: ["include_containers", "include"],
  output: z.object({ items: z.array(shipmentRow).optional(), ...exceptionsOutput, ...paging, ...groupsOutput }),
  ...listBudget,
  page: (input) => (requestsExceptions(input) ? "/attention" : listPath("/shipments", input)),
  async run(input, caller) {
    const { client } = caller;
    if (requestsExceptions(input)) return listExceptions(input, caller, () => explainEmptyList(input, caller));
    const filter = overviewFilters(input);
    if (input.summary) {
      const { data } = await client.overviews.countShipments(input.summary, filter);
      return summaryOutcome({
        what: "shipments",
        by: input.summary,
        counts: data,
        countAll: async () => (await client.overviews.shipments({ filter, pageSize: 1 })).meta?.page,
        explain: () => explainEmptyList(input, caller),
      });
    }
    const { page, page_size, sort } = input;
    const document = await client.overviews.shipments({ filter, page, pageSize: page_size, sort });
    return listOutcome({
      what: "shipments",
      document,
      items: document.data.map(toShipmentRow),
      input,
      nextStep: "Details of one: get_shipment_details(id=<its number>).",
      explanation: document.data.length === 0 ? await explainEmptyList(input, caller) : undefined,
    });
  },
});
