import { normalizeContainerNumber, type RequestType, requestTypes } from "@svc/domain";
import type { TrackingRequestResource } from "@svc/jsonapi";
import { type Client, ValidationError } from "@svc/sdk";
import { z } from "zod";
import type { Caller } from "../api/caller.ts";
import { defineTool, type ToolOutcome } from "./define-tool.ts";
import { scac } from "./fields.ts";
import { findTracked } from "./search-container.ts";
import { ToolError } from "./tool-error.ts";

const text = z.string().optional();

const input = z.strictObject({
  number: z.string().trim().min(1).max(64).describe("container, bill of lading or booking number, e.g. MSCU1234567"),
  numberType: z.enum(requestTypes).optional().describe("inferred when absent"),
  scac: scac.optional().describe("shipping line, e.g. MAEU; inferred when absent"),
  refNumbers: z
    .array(z.string().trim().min(1).max(100))
    .max(20)
    .transform((references) => [...new Set(references)])
    .optional()
    .describe("own references for the shipment"),
});

const output = z.object({
  created: z.boolean().describe("false: it was tracked before"),
  tracking_request: z
    .object({
      id: z.string(),
      request_type: z.string(),
      request_number: z.string(),
      scac: text,
      status: z.string(),
      failed_reason: text,
      ref_numbers: z.array(z.string()).optional(),
    })
    .optional(),
  container: z.object({ id: z.string(), container_number: text }).optional(),
  shipment: z.object({ id: z.string() }).optional(),
});

type Input = z.output<typeof input>;

function requestOutcome({ id, attributes, relationships }: TrackingRequestResource, created: boolean): ToolOutcome {
  const shipment = relationships.tracked_object.data;
  const next = shipment
    ? `Details: get_shipment_details(${shipment.id}).`
    : `The carrier is asked now; later call search_container(query=${attributes.request_number}).`;
  return {
    headline: `${created ? "Tracking started" : "Already requested"}, status ${attributes.status}. ${next}`,
    content: { created, tracking_request: { ...attributes, id }, shipment: shipment && { id: shipment.id } },
  };
}

/** What the account tracks under exactly this number already; a second request would say the same. */
async function trackedAlready(number: string, caller: Caller): Promise<ToolOutcome | undefined> {
  const { matches } = await findTracked(number, caller);
  const match = matches.find(({ match }) => match === "container_exact" || match === "shipment_exact");
  if (!match) return undefined;
  const next = match.container_id
    ? `Details: get_container(${match.container_id}).`
    : `Details: get_shipment_details(${match.shipment_id}).`;
  return {
    headline: `${number} is tracked already. ${next}`,
    content: {
      created: false,
      container: match.container_id && { id: match.container_id, container_number: match.container_number },
      shipment: match.shipment_id && { id: match.shipment_id },
    },
  };
}

/** Kind and carrier, from the caller or else inferred. The letters of a container number are its owner's, not the carrier's. */
async function identify(
  { number, numberType, scac }: Input,
  client: Client,
): Promise<{ type: RequestType; scac: string }> {
  if (numberType !== undefined && scac !== undefined) return { type: numberType, scac };
  const { number_type, shipping_line } = (await client.trackingRequests.inferNumber(number)).data.attributes;
  const type = numberType ?? (number_type === "booking" ? "booking_number" : number_type);
  const selected = shipping_line.decision === "auto_select" ? shipping_line.selected?.scac : undefined;
  const carrier = scac ?? selected;
  if (carrier !== undefined) return { type, scac: carrier };
  const candidates = shipping_line.candidates.slice(0, 5).map(({ scac, name }) => `${scac} (${name})`);
  const hint =
    candidates.length > 0
      ? `Possible: ${candidates.join(", ")}. Call again with scac=${shipping_line.candidates[0]?.scac} if that is right.`
      : "Ask which line carries it, find its SCAC with get_supported_shipping_lines, and call again with scac.";
  throw new ToolError({ code: "carrier_unclear", message: `The shipping line of ${number} is not clear. ${hint}` });
}

/** The API's refusal in own words, with the call that mends it. */
function refusal(error: ValidationError, request: { type: RequestType; scac: string }): ToolError {
  if (error.pointers.some((pointer) => pointer.endsWith("/scac"))) {
    const message = `${request.scac} cannot be tracked. Find a SCAC with get_supported_shipping_lines and call again.`;
    return new ToolError({ code: "carrier_not_supported", message });
  }
  const message = `The number is not accepted as ${request.type} of ${request.scac}. Check it, or call again with another numberType.`;
  return new ToolError({ code: "number_refused", message });
}

async function request(input: Input, client: Client): Promise<ToolOutcome> {
  const identity = await identify(input, client);
  try {
    const { data } = await client.trackingRequests.create({
      requestType: identity.type,
      requestNumber: input.number,
      scac: identity.scac,
      refNumbers: input.refNumbers,
    });
    return requestOutcome(data, true);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const existing = error.faults.find((fault) => fault.code === "duplicate")?.meta?.tracking_request_id;
    if (typeof existing !== "string") throw refusal(error, identity);
    return requestOutcome((await client.trackingRequests.get(existing)).data, false);
  }
}

export const trackContainer = defineTool({
  name: "track_container",
  title: "Start tracking a number",
  description:
    "Starts tracking a container, bill of lading or booking number, or returns what is tracked under it already. Call " +
    "search_container first. Kind and shipping line are inferred where clear; otherwise the error lists candidates. " +
    'Example: {"number":"MSCU1234567"}.',
  writes: { idempotent: true, openWorld: true },
  input,
  output,
  tokenBudget: 400,
  async run(given, caller, progress) {
    const number = given.number.toUpperCase();
    const asContainer = normalizeContainerNumber(number);
    const isContainer = given.numberType === "container" || /^[A-Z]{4}\d{7}$/.test(asContainer);
    const input = { ...given, number: isContainer ? asContainer : number };
    // Three requests to the API, each with its own patience: a client that waits hears that it moves on.
    await progress(0, 2, "Looking up what is tracked already");
    const known = await trackedAlready(input.number, caller);
    if (known) return known;
    await progress(1, 2, "Starting to track");
    return request(input, caller.client);
  },
});
