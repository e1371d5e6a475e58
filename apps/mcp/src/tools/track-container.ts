import { countText } from "@svc/domain";
import { requestTypes } from "@svc/domain/tracking-requests";
import type { TrackingRequestResource } from "@svc/jsonapi/tracking-requests";
import { type Client, ValidationError } from "@svc/sdk";
import { z } from "zod";
import type { Caller } from "../api/caller.ts";
import { quotedValue, quotedValues } from "../text/clean-text.ts";
import { carrierConnections, howToConnect } from "./shared/carrier-connection.ts";
import { defineTool, type ToolOutcome } from "./shared/define-tool.ts";
import { editedValues, editShipment, editStored } from "./shared/edit-shipment.ts";
import { labels, optionalText, scac, tokenBudgetForRows } from "./shared/fields.ts";
import { findTracked, type Match } from "./shared/find-tracked.ts";
import { checkNumber, type Identity, identify, type NumberToTrack, normalNumber } from "./shared/identify-number.ts";
import { ToolError, toToolError } from "./shared/tool-error.ts";

const numbersMax = 20;
/** Maximum number of concurrent API requests for one call. */
const concurrency = 4;

const number = z.string().trim().min(1).max(64);
const distinctLabels = labels.transform((texts) => [...new Set(texts)]).optional();

const input = z.strictObject({
  number: number.describe("container, bill of lading or booking number, e.g. MSCU1234566").optional(),
  numbers: z.array(number).max(numbersMax).describe("several at once").optional(),
  numberType: z.enum(requestTypes).optional().describe("inferred when absent"),
  scac: scac.optional().describe("shipping line, e.g. MAEU; inferred when absent"),
  refNumbers: distinctLabels.describe("own references for the shipment; added when it is tracked already"),
  tags: distinctLabels,
  dry_run: z.boolean().default(false).describe("identify only, change nothing"),
});

const requestOutput = z.object({
  id: z.string(),
  request_type: z.string(),
  request_number: z.string(),
  scac: optionalText,
  status: z.string(),
  failed_reason: optionalText,
  ref_numbers: z.array(z.string()).optional(),
});

const row = z.object({
  // Empty for a number without a visible character.
  number: z.string().default(""),
  outcome: z.string().describe("tracking_started, tracked_already, would_track, or the code of an error"),
  number_type: optionalText,
  scac: optionalText,
  connection: optionalText.describe("account, service, or none: then no data arrives"),
  detail: optionalText,
});

const output = z.object({
  created: z.boolean().optional().describe("false: it was tracked before"),
  tracking_request: requestOutput.optional(),
  container: z.object({ container_number: optionalText }).optional(),
  shipment: z
    .object({ id: z.string(), bill_of_lading_number: optionalText, ref_numbers: z.array(z.string()).optional() })
    .optional(),
  connection: optionalText,
  results: z.array(row).optional(),
});

type Input = z.output<typeof input>;
/** One number with what the caller gave for all. */
type OneInput = Omit<Input, "number" | "numbers"> & { readonly number: string };

interface Tracked extends ToolOutcome {
  readonly row: z.input<typeof row>;
}

/** References and tags for a shipment that is tracked already; what it has stays. */
async function addLabels(shipmentId: string, { refNumbers, tags }: OneInput, client: Client) {
  const { attributes, written } = await editShipment(client, shipmentId, (stored) => {
    const edit = {
      refNumbers: editedValues(stored.ref_numbers, { added: refNumbers }),
      tags: editedValues(stored.tags, { added: tags }),
    };
    return edit.refNumbers || edit.tags ? edit : undefined;
  });
  return [...(written?.refNumbers ?? attributes.ref_numbers ?? [])];
}

/** Records with exactly this number. */
async function findExact(number: string, caller: Caller): Promise<Match[]> {
  const { matches } = await findTracked(number, caller);
  return matches.filter(({ match }) => match === "container_exact" || match === "shipment_exact");
}

/** The result for a record that the account tracks, which a second request would repeat. */
async function trackedAlready(match: Match, args: OneInput, caller: Caller): Promise<Tracked | undefined> {
  if (!match.shipment_id) return undefined;
  const refNumbers = await addLabels(match.shipment_id, args, caller.client);
  const added = args.refNumbers || args.tags ? " The references and tags were added to its shipment." : "";
  const tool = match.container_id ? "get_container" : "get_shipment_details";
  return {
    headline: `${quotedValue(args.number)} is tracked already.${added} Details: ${tool}(${quotedValue(args.number)}).`,
    content: {
      created: false,
      container: match.container_id && { container_number: match.container_number },
      shipment: {
        id: match.shipment_id,
        bill_of_lading_number: match.bill_of_lading_number,
        ref_numbers: refNumbers,
      },
    },
    row: { number: args.number, outcome: "tracked_already", detail: added.trim() || undefined },
  };
}

/** The API's refusal in own words, with the call that corrects it. */
function refusal(error: ValidationError, { type, scac }: Identity): ToolError {
  if (error.pointers.some((pointer) => pointer.endsWith("/scac"))) {
    const message = `${scac} cannot be tracked. Find a SCAC with get_supported_shipping_lines and call again.`;
    return new ToolError({ code: "carrier_not_supported", message });
  }
  const message = `The number is not accepted as ${type} of ${scac}. Check it, or call again with another numberType.`;
  return new ToolError({ code: "number_refused", message });
}

async function existingRequest(id: string, args: OneInput, client: Client): Promise<TrackingRequestResource> {
  const { stored, result } = await editStored({
    read: (options) => client.trackingRequests.get(id, { ...options }),
    edit: ({ data }) => editedValues(data.attributes.ref_numbers, { added: args.refNumbers }),
    write: (refNumbers: string[], options) => client.trackingRequests.update(id, { refNumbers }, options),
  });
  return (result ?? stored).data;
}

async function request(args: OneInput, caller: Caller): Promise<Tracked> {
  const { client } = caller;
  const identity = await identify(args, client);
  const connection = (await carrierConnections(caller)).get(identity.scac) ?? "none";
  const warning = connection === "none" ? ` ${howToConnect(identity.scac)}` : "";
  const about = { number: args.number, number_type: identity.type, scac: identity.scac, connection };
  if (args.dry_run) {
    return {
      headline: `${quotedValue(args.number)} would be tracked as ${identity.type} of ${identity.scac}.${warning} Nothing was changed.`,
      content: { connection, results: [{ ...about, outcome: "would_track" }] },
      row: { ...about, outcome: "would_track" },
    };
  }
  const create = () =>
    client.trackingRequests.create({
      requestType: identity.type,
      requestNumber: args.number,
      scac: identity.scac,
      refNumbers: args.refNumbers,
      shipmentTags: args.tags,
    });
  let created = true;
  const data = await create().then(
    (document) => document.data,
    (error: unknown) => {
      if (!(error instanceof ValidationError)) throw error;
      const existing = error.faults.find((fault) => fault.code === "duplicate")?.meta?.tracking_request_id;
      if (typeof existing !== "string") throw refusal(error, identity);
      created = false;
      return existingRequest(existing, args, client);
    },
  );
  const { attributes, relationships } = data;
  const shipment = relationships.tracked_object.data;
  const next = shipment
    ? `Details: get_shipment_details(${quotedValue(attributes.request_number)}).`
    : warning ||
      ` The carrier is polled now; later call search_container(query=${quotedValue(attributes.request_number)}).`;
  return {
    headline: `${created ? "Tracking requested" : "Already requested"}, status ${attributes.status}. ${next.trim()}`,
    content: {
      created,
      tracking_request: { ...attributes, id: data.id },
      shipment: shipment && { id: shipment.id },
      connection,
    },
    row: { ...about, outcome: created ? "tracking_started" : "tracked_already", detail: warning.trim() || undefined },
  };
}

async function trackOne(args: OneInput, caller: Caller): Promise<Tracked> {
  checkNumber(args);
  const input = { ...args, number: normalNumber(args) };
  const exact = await findExact(input.number, caller);
  const active = exact.find(({ tracking_stopped }) => tracking_stopped !== true);
  const labelled = args.dry_run ? { ...input, refNumbers: undefined, tags: undefined } : input;
  const known = active && (await trackedAlready(active, labelled, caller));
  if (known) return known;
  const requested = await request(input, caller);
  if (exact.length === 0) return requested;
  return { ...requested, headline: `${requested.headline} It was tracked before, until that tracking ended.` };
}

/**
 * A number that cannot be tracked is a row with its error; only an error of all rows, such as a limit, ends the call.
 */
async function rowFor(args: OneInput, caller: Caller): Promise<Tracked["row"]> {
  try {
    return (await trackOne(args, caller)).row;
  } catch (error) {
    const known = toToolError(error, caller, undefined);
    if (known === undefined) throw error;
    return { number: args.number, outcome: known.details.code, detail: known.details.message };
  }
}

async function trackMany(
  numbers: readonly string[],
  args: Input,
  caller: Caller,
  report: (done: number) => Promise<void>,
) {
  const rows: Tracked["row"][] = [];
  for (let start = 0; start < numbers.length; start += concurrency) {
    const group = numbers.slice(start, start + concurrency);
    rows.push(...(await Promise.all(group.map((number) => rowFor({ ...args, number }, caller)))));
    await report(rows.length);
  }
  const counts = Object.entries(Object.groupBy(rows, ({ outcome }) => outcome));
  const what = counts.map(([outcome, each]) => `${each?.length} ${outcome}`).join(", ");
  const dry = args.dry_run ? " Nothing was changed." : "";
  return { headline: `${numbers.length} numbers: ${what}.${dry}`, content: { results: rows } };
}

const numbersOf = ({ number, numbers }: Input): string[] => [
  ...new Set([...(number ? [number] : []), ...(numbers ?? [])]),
];

/** "Start tracking 2 numbers (A, B), references PO-1?" */
function question(args: Input): string | undefined {
  const { refNumbers = [], tags = [], dry_run } = args;
  const numbers = numbersOf(args);
  if (dry_run || numbers.length === 0) return undefined;
  const additions = [
    ...(refNumbers.length > 0 ? [`references ${quotedValues(refNumbers)}`] : []),
    ...(tags.length > 0 ? [`tags ${quotedValues(tags)}`] : []),
  ];
  const start = `Start tracking ${countText(numbers.length, "number")} (${quotedValues(numbers)})`;
  return `${[start, ...additions].join(", ")}?`;
}

export const trackContainer = defineTool({
  name: "track_container",
  title: "Start tracking numbers",
  description:
    "Starts tracking container, bill of lading or booking numbers, or returns what is tracked under them already, adding " +
    "references and tags. dry_run identifies a number (kind, carrier, check digit, whether the carrier is connected) without " +
    'tracking it. Example: {"number":"MSCU1234566"}.',
  writes: { idempotent: true, openWorld: true },
  question,
  input,
  commaSeparated: ["numbers"],
  aliases: {
    containerNumber: "number",
    container_number: "number",
    bookingNumber: "number",
    booking_number: "number",
    bill_of_lading: "number",
    request_number: "number",
    shipping_line: "scac",
    carrier: "scac",
    number_type: "numberType",
    request_type: "numberType",
    ref_numbers: "refNumbers",
    references: "refNumbers",
    dryRun: "dry_run",
  } satisfies Readonly<Record<string, keyof NumberToTrack | keyof Input>>,
  output,
  tokenBudget: 4_000,
  budgetOf: (args) => tokenBudgetForRows(numbersOf(args).length),
  page: () => "/tracking-requests",
  async run(args, caller, progress) {
    const numbers = numbersOf(args);
    const [only, ...others] = numbers;
    if (only === undefined) {
      throw new ToolError({
        code: "invalid_arguments",
        message: "number is required: one number, or several in numbers.",
      });
    }
    await progress(0, numbers.length, "Looking up what is tracked already");
    if (others.length === 0) return trackOne({ ...args, number: only }, caller);
    return trackMany(numbers, args, caller, (done) => progress(done, numbers.length, "Starting to track"));
  },
});
