import { z } from "zod";
import { defineTool } from "./define-tool.ts";

const linesShown = 60;

export const getSupportedShippingLines = defineTool({
  name: "get_supported_shipping_lines",
  title: "Get supported shipping lines",
  description:
    "Lists shipping lines that can be tracked, by name, with SCAC and supported kinds of number. Use it to find the scac of " +
    'track_container or the carrier of a list filter. Example: {"search":"maersk"}.',
  input: z.strictObject({
    search: z.string().trim().min(1).max(100).optional().describe("SCAC or part of a name, e.g. maersk"),
  }),
  output: z.object({
    lines: z.array(
      z.object({
        scac: z.string(),
        name: z.string(),
        alternative_scacs: z.array(z.string()).optional(),
        numbers: z.array(z.string()).describe("kinds of number it can be asked for"),
      }),
    ),
    total: z.number(),
  }),
  tokenBudget: 1_600,
  async run({ search }, { client }) {
    const { data } = await client.shippingLines.list({ search });
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
      }))
      .sort((a, b) => a.name.localeCompare(b.name, "en"));
    const shown = lines.slice(0, linesShown);
    const headline =
      shown.length > 0
        ? `${shown.length} of ${lines.length} shipping lines. Track with track_container(number, scac).`
        : "No shipping line matches. Call again without search for all of them.";
    return { headline, content: { lines: shown, total: lines.length } };
  },
});
