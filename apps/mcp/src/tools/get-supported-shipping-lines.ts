import { z } from "zod";
import { carrierConnections, nextStep } from "./shared/carrier-connection.ts";
import { defineTool } from "./shared/define-tool.ts";
import { optionalText } from "./shared/fields.ts";

const linesMax = 60;
const lanesMax = 15;

const line = z.object({
  scac: z.string(),
  name: z.string(),
  alternative_scacs: z.array(z.string()).optional(),
  numbers: z.array(z.string()).describe("kinds of number that it can be tracked by"),
  connection: z.string().describe("account, service, or none: then no data arrives"),
  to_do: optionalText.describe("what a user has to do so that data arrives"),
});

const lane = z.object({
  scac: z.string(),
  lane: z.string(),
  shipments: z.number(),
  mean_error_hours: z.number().describe("positive: vessels came later than estimated"),
  mean_absolute_error_hours: z.number(),
});

export const getSupportedShippingLines = defineTool({
  name: "get_supported_shipping_lines",
  title: "Get supported shipping lines",
  description:
    "Lists shipping lines by name with SCAC, the kinds of number they take, whether they are connected and what to do if not: without " +
    "a connection no data arrives. accuracy adds how reliable their ETAs were on the account's own lanes. " +
    'Example: {"search":"maersk"}.',
  input: z.strictObject({
    search: z.string().trim().min(1).max(100).optional().describe("SCAC or part of a name, e.g. maersk"),
    accuracy: z.boolean().default(false),
  }),
  aliases: { query: "search", name: "search", scac: "search", carrier: "search" },
  output: z.object({
    lines: z.array(line),
    total: z.number(),
    eta_accuracy: z.array(lane).optional(),
    eta_accuracy_total: z.number().optional().describe("lanes; narrow with search"),
  }),
  tokenBudget: 2_500,
  page: () => "/carriers",
  async run({ search, accuracy }, caller) {
    const { client } = caller;
    const [{ data }, connections, { data: catalogue }] = await Promise.all([
      client.shippingLines.list({ search }),
      carrierConnections(caller),
      client.carriers.list(),
    ]);
    const carriers = new Map(catalogue.map((carrier) => [carrier.id, carrier]));
    const findToDo = (scac: string): string | undefined => {
      const carrier = carriers.get(scac);
      return carrier && nextStep(carrier);
    };
    const lines = data
      .map(({ attributes }) => ({
        scac: attributes.scac,
        name: attributes.name,
        alternative_scacs: attributes.alternative_scacs,
        numbers: [
          ...(attributes.bill_of_lading_tracking_support ? ["bill_of_lading"] : []),
          ...(attributes.booking_number_tracking_support ? ["booking_number"] : []),
          ...(attributes.container_number_tracking_support ? ["container"] : []),
        ],
        connection: connections.get(attributes.scac) ?? "none",
        to_do: findToDo(attributes.scac),
      }))
      .sort((a, b) => a.name.localeCompare(b.name, "en"));
    const displayedLines = lines.slice(0, linesMax);
    const lanes =
      accuracy && displayedLines.length > 0
        ? await client.etaAccuracy.list({
            filter: search ? { carrier: displayedLines.map(({ scac }) => scac) } : undefined,
            pageSize: lanesMax,
          })
        : undefined;
    const connected = lines.filter(({ connection }) => connection !== "none").length;
    const headline =
      displayedLines.length > 0
        ? `${displayedLines.length} of ${lines.length} shipping lines, ${connected} connected.${displayedLines.length < lines.length ? " The others: call again with search." : ""} Track with track_container(number, scac).`
        : "No shipping line matches. Call again without search for all of them.";
    const eta_accuracy = lanes?.data.map(({ attributes: accuracy }) => ({
      scac: accuracy.shipping_line_scac,
      lane: `${accuracy.port_of_lading_locode ?? "?"} to ${accuracy.port_of_discharge_locode}`,
      shipments: accuracy.shipments,
      mean_error_hours: accuracy.mean_error_hours,
      mean_absolute_error_hours: accuracy.mean_absolute_error_hours,
    }));
    return {
      headline,
      content: {
        lines: displayedLines,
        total: lines.length,
        ...(lanes && { eta_accuracy, eta_accuracy_total: lanes.meta?.page?.total ?? lanes.data.length }),
      },
    };
  },
});
