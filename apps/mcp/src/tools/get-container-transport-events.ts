import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { chronological, eventRow, eventRowOf } from "./event-row.ts";
import { containerId } from "./fields.ts";

const eventsShown = 30;

export const getContainerTransportEvents = defineTool({
  name: "get_container_transport_events",
  title: "Get container transport events",
  description:
    "Returns what happened to a container, oldest first: each milestone with place, terminal, vessel and voyage. Use it for " +
    "history and delays; for the present state call get_container. svc://docs/milestone-glossary explains the milestones.",
  input: z.strictObject({ id: containerId }),
  output: z.object({
    container_id: z.string(),
    events: z.array(eventRow),
    total: z.number(),
    truncated: z.boolean(),
  }),
  tokenBudget: 2_500,
  notFound: (input) =>
    `No container ${input.id} in this account. Find ids with search_container(query) or list_containers.`,
  async run(input, { client }) {
    const page = await client.containers.transportEvents(
      input.id,
      { pageSize: eventsShown, kind: ["milestone"] },
      { format: "mapped" },
    );
    const total = page.meta.page?.total ?? page.items.length;
    const truncated = total > page.items.length;
    const which = truncated ? `The latest ${page.items.length} of ${total} events` : `${total} events`;
    return {
      headline: `${which}, oldest first. Present state: get_container(${input.id}).`,
      content: { container_id: input.id, events: chronological(page.items).map(eventRowOf), total, truncated },
    };
  },
});
