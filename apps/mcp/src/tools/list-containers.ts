import { containerStatuses } from "@svc/domain/containers";
import { z } from "zod";
import { defineTool } from "./shared/define-tool.ts";
import { explainEmptyList } from "./shared/explain-empty-list.ts";
import { listBudget, paging } from "./shared/fields.ts";
import { resolveShipmentId } from "./shared/find-record.ts";
import { listOutcome, listPath } from "./shared/list-outcome.ts";
import { overviewAliases, overviewArguments, overviewFilters } from "./shared/overview-arguments.ts";
import { containerRow, toContainerRow } from "./shared/overview-rows.ts";
import { groupsOutput, summaryOutcome } from "./shared/summary.ts";

const sorts = ["arrival", "-arrival", "last_free_day", "-delay", "number", "-created_at", "-updated_at"] as const;

export const listContainers = defineTool({
  name: "list_containers",
  title: "List containers",
  description:
    "Lists or counts containers of the whole account: arrivals, holds, fees, last free days, delays, customers, vessels, stale " +
    "data, empties not returned. Filters combine; summary gives counts. For one known number call get_container. " +
    'Example: {"port":"USLAX","arrival_before":"2026-12-01","sort":"arrival"}.',
  input: z.strictObject({
    status: z.array(z.enum(containerStatuses)).optional(),
    shipment: z.string().trim().min(1).max(64).describe("bill of lading, booking or reference").optional(),
    sort: z.enum(sorts).default("-created_at"),
    ...overviewArguments,
  }),
  aliases: { ...overviewAliases, current_status: "status", shipment_id: "shipment", bill_of_lading: "shipment" },
  obsolete: ["include"],
  output: z.object({ items: z.array(containerRow).optional(), ...paging, ...groupsOutput }),
  ...listBudget,
  page: (input) => listPath("/containers", input),
  async run(input, caller) {
    const { client } = caller;
    const shipment = input.shipment && (await resolveShipmentId(input.shipment, caller));
    const filter = overviewFilters(input, shipment);
    if (input.summary) {
      const { data } = await client.overviews.countContainers(input.summary, filter);
      return summaryOutcome({
        what: "containers",
        by: input.summary,
        counts: data,
        countAll: async () => (await client.overviews.containers({ filter, pageSize: 1 })).meta?.page,
        explain: () => explainEmptyList(input, caller),
      });
    }
    const { page, page_size, sort } = input;
    const document = await client.overviews.containers({ filter, page, pageSize: page_size, sort });
    return listOutcome({
      what: "containers",
      document,
      items: document.data.map(toContainerRow),
      input,
      nextStep: "Details of one: get_container(id=<its number>).",
      explanation: document.data.length === 0 ? await explainEmptyList(input, caller) : undefined,
    });
  },
});
