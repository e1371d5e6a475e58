import { z } from "zod";
import { defineTool } from "./shared/define-tool.ts";
import { chronological, eventRow, toEventRow } from "./shared/event-row.ts";
import { containerId, page } from "./shared/fields.ts";
import { resolveContainerId } from "./shared/find-record.ts";
import { loadRawEvents, rawEventRow } from "./shared/record-history.ts";

const eventsPageSize = 30;

export const getContainerTransportEvents = defineTool({
  name: "get_container_transport_events",
  title: "Get container transport events",
  description:
    "Returns what happened to a container, oldest first: each milestone with place, terminal, vessel and voyage; raw=true " +
    "gives every message as the carrier sent it, latest received first, plans and estimates too. For the present state call get_container. " +
    "svc://docs/milestone-glossary explains the milestones.",
  input: z.strictObject({
    id: containerId,
    raw: z.boolean().default(false),
    page: page.describe("1: the latest"),
  }),
  aliases: { number: "id", container_number: "id", container_id: "id" },
  output: z.object({
    container_id: z.string(),
    events: z.array(eventRow).optional(),
    raw_events: z.array(rawEventRow).optional(),
    total: z.number(),
    truncated: z.boolean(),
    next_page: z.number().optional(),
  }),
  tokenBudget: 4_000,
  page: (_input, content) => `/containers/${content.container_id}`,
  notFound: (input) => `No container ${input.id} in this account. Find it with search_container or list_containers.`,
  async run(input, caller) {
    const id = await resolveContainerId(input.id, caller);
    if (input.raw) {
      const { rows, total, hasNext } = await loadRawEvents(id, input.page, caller);
      const more = hasNext ? ` Earlier ones: page=${input.page + 1}.` : "";
      return {
        headline: `${rows.length} of ${total} messages of the sources, latest received first.${more}`,
        content: {
          container_id: id,
          raw_events: rows,
          total,
          truncated: hasNext,
          ...(hasNext && { next_page: input.page + 1 }),
        },
      };
    }
    const request = { page: input.page, pageSize: eventsPageSize, kind: ["milestone"] } as const;
    const found = await caller.client.containers.transportEvents(id, request, { format: "mapped" });
    const total = found.meta.page?.total ?? found.items.length;
    const hasNext = typeof found.links.next === "string";
    const which = hasNext || input.page > 1 ? `${found.items.length} of ${total} events` : `${total} events`;
    const more = hasNext ? ` Earlier ones: page=${input.page + 1}.` : "";
    return {
      headline: `${which}, oldest first.${more} Present state: get_container(id).`,
      content: {
        container_id: id,
        events: chronological(found.items).map(toEventRow),
        total,
        truncated: hasNext,
        ...(hasNext && { next_page: input.page + 1 }),
      },
    };
  },
});
