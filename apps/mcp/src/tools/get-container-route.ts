import type { MappedRoute } from "@svc/sdk";
import { z } from "zod";
import { defineTool } from "./shared/define-tool.ts";
import { containerId, optionalText, page } from "./shared/fields.ts";
import { resolveContainerId } from "./shared/find-record.ts";

const legsPageSize = 12;

const place = z.object({ locode: optionalText, name: optionalText });

/** Returns the legs between neighbouring places: the departure from one, and the arrival at the next. */
function toLegs({ locations }: MappedRoute) {
  return locations.slice(1).map((to, index) => {
    const from = locations[index];
    const leaving = from?.outbound;
    const coming = to.inbound;
    return {
      from: { locode: from?.place?.locode, name: from?.place?.name },
      to: { locode: to.place?.locode, name: to.place?.name },
      mode: leaving?.mode ?? coming.mode,
      carrier_scac: leaving?.carrierScac ?? coming.carrierScac,
      vessel: leaving?.vessel?.name ?? coming.vessel?.name,
      voyage: leaving?.voyageNumber ?? coming.voyageNumber,
      etd: leaving?.etd,
      atd: leaving?.atd,
      eta: coming.eta,
      ata: coming.ata,
    };
  });
}

export const getContainerRoute = defineTool({
  name: "get_container_route",
  title: "Get container route",
  description:
    "Returns a container's route leg by leg: places, mode, vessel, voyage, estimated and actual times. A paid feature; " +
    "without it the error says so, and get_container_transport_events returns what happened so far.",
  input: z.strictObject({ id: containerId, page }),
  aliases: { number: "id", container_number: "id", container_id: "id" },
  output: z.object({
    container_id: z.string(),
    legs: z.array(
      z.object({
        from: place,
        to: place,
        mode: optionalText,
        carrier_scac: optionalText,
        vessel: optionalText,
        voyage: optionalText,
        etd: optionalText,
        atd: optionalText,
        eta: optionalText,
        ata: optionalText,
      }),
    ),
    legs_total: z.number(),
    next_page: z.number().optional(),
  }),
  tokenBudget: 1_500,
  page: (_input, content) => `/containers/${content.container_id}`,
  notFound: (input) =>
    `No route for container ${input.id} in this account. Call get_container_transport_events(id) for past events.`,
  async run(input, caller) {
    const id = await resolveContainerId(input.id, caller);
    const route = await caller.client.containers.route(id, { format: "mapped" });
    const legs = toLegs(route);
    const actual = legs.filter((leg) => leg.ata).length;
    const pageLegs = legs.slice((input.page - 1) * legsPageSize, input.page * legsPageSize);
    const hasNext = legs.length > input.page * legsPageSize;
    const more = hasNext ? ` More with page=${input.page + 1}.` : "";
    return {
      headline: `${legs.length} legs, ${actual} completed.${more} Past events: get_container_transport_events(id).`,
      content: {
        container_id: id,
        legs: pageLegs,
        legs_total: legs.length,
        ...(hasNext && { next_page: input.page + 1 }),
      },
    };
  },
});
