import { normalizeContainerNumber } from "@svc/domain/identifiers";
import { type MappedTrackingRequest, ValidationError } from "@svc/sdk";
import { type Command, Option } from "commander";
import { CliError, exitCodes } from "../errors/cli-error.ts";
import { plainText } from "../output/plain-text.ts";
import type { ProcessContext } from "../process-context.ts";
import { openSession, type Session } from "../session.ts";
import { integerBetween } from "./collection-commands.ts";
import { collectionNamed } from "./collections.ts";
import { delay } from "./delay.ts";

const types = ["bill_of_lading", "booking_number", "container"] as const;
type RequestType = (typeof types)[number];

interface TrackOptions {
  readonly scac?: string;
  readonly type?: RequestType;
  readonly ref?: string[];
  readonly tag?: string[];
  readonly timeLimit: number;
  readonly wait: boolean;
}

/** Returns carrier and type of a number, each inferred if its option is absent. */
async function completed({ client, call }: Session, number: string, { scac, type }: TrackOptions) {
  if (scac !== undefined && type !== undefined) return { scac, type };
  const { attributes } = (await client.trackingRequests.inferNumber(number, { signal: call.signal })).data;
  const inferredType = attributes.number_type === "booking" ? "booking_number" : attributes.number_type;
  const { decision, selected } = attributes.shipping_line;
  const line = scac ?? (decision === "auto_select" ? selected?.scac : undefined);
  if (line !== undefined) return { scac: line, type: type ?? inferredType };
  const candidates = attributes.shipping_line.candidates.map((candidate) => `${candidate.scac} (${candidate.name})`);
  throw new CliError(
    exitCodes.usage,
    `The carrier cannot be detected from the number; give it with --scac${candidates.length > 0 ? `, perhaps ${plainText(candidates.join(" or "))}` : ""}.`,
  );
}

/** Prints which other tracked shipments have the container: it is then listed and priced twice. */
async function noteContaining({ client, output, call }: Session, number: string): Promise<void> {
  const parameters = { filter: { number, trackingStopped: false }, pageSize: 10 };
  const options = { signal: call.signal, format: "mapped", include: ["shipment"] } as const;
  const { items } = await client.containers.list(parameters, options);
  for (const { number, shipment } of items) {
    if (shipment.billOfLading === null || normalizeContainerNumber(shipment.billOfLading) === number) continue;
    output.note(`Container ${number} is already tracked with shipment ${plainText(shipment.billOfLading)}.`);
  }
}

/** The request for the number: a new one, or the one that tracks it already. */
async function begin(session: Session, number: string, options: TrackOptions): Promise<MappedTrackingRequest> {
  const { client, output, call } = session;
  const { scac, type } = await completed(session, number, options);
  const mapped = { signal: call.signal, format: "mapped" } as const;
  if (type === "container") await noteContaining(session, number);
  try {
    const request = {
      requestType: type,
      requestNumber: number,
      scac,
      refNumbers: options.ref,
      shipmentTags: options.tag,
    };
    return await client.trackingRequests.create(request, mapped);
  } catch (error) {
    const fault = error instanceof ValidationError ? error.faults.find(({ code }) => code === "duplicate") : undefined;
    const known = fault?.meta?.tracking_request_id;
    if (typeof known !== "string") throw error;
    output.note("It is tracked already.");
    return client.trackingRequests.get(known, mapped);
  }
}

/** Polls until the request is decided or the time is over. */
async function follow(session: Session, first: MappedTrackingRequest, limitSeconds: number) {
  const { client, call, output } = session;
  const until = Date.now() + limitSeconds * 1000;
  let request = first;
  let waitMs = 500;
  if (request.status === "pending") output.note(`Polling ${request.scac} for ${request.requestNumber} …`);
  while (request.status === "pending" && Date.now() < until) {
    await delay(Math.min(waitMs, until - Date.now()), call.signal);
    waitMs = Math.min(waitMs * 1.5, 5_000);
    request = await client.trackingRequests.get(first.id, { signal: call.signal, format: "mapped" });
  }
  return request;
}

const outcomes: Readonly<Record<string, string>> = {
  failed: "The carrier does not know the number, or cannot be polled",
  awaiting_manifest: "The carrier does not know the number yet; polling continues",
  pending: "Still pending; run the same command to keep waiting",
};

async function show(session: Session, request: MappedTrackingRequest): Promise<void> {
  const { client, output, call } = session;
  if (request.shipment === null) {
    const displayed = output.format === "raw" ? await client.trackingRequests.get(request.id, call) : request;
    return output.record(displayed);
  }
  const { raw, mapped } = await client.shipments.get(request.shipment.id, { signal: call.signal, format: "both" });
  await output.record(output.format === "raw" ? raw : mapped);
  const numbers = mapped.containers.flatMap(({ number }) => number ?? []);
  if (output.shape === "json" || numbers.length === 0) return;
  const parameters = { filter: { number: numbers }, pageSize: 100 };
  const { items } = await client.containers.list(parameters, { signal: call.signal, format: "mapped" });
  await session.context.write("\n");
  const own = items.filter((container) => container.shipment.id === mapped.id);
  await output.table(collectionNamed("containers").columns, own);
}

/** `svc track`: from a number to its shipment. */
export function addTrackCommand(program: Command, context: ProcessContext, end: (exitCode: number) => void): void {
  program
    .command("track")
    .description("Track a number: create or find its tracking request, follow it, and show the shipment.")
    .argument("<number>", "bill of lading, booking or container number")
    .option("--scac <code>", "carrier; default: detected from the number")
    .addOption(new Option("--type <type>", "kind of number; inferred when absent").choices(types))
    .option("--ref <text...>", "your reference numbers")
    .option("--tag <text...>", "tags of the shipment")
    .option("--no-wait", "do not follow the request")
    .option("--time-limit <seconds>", "maximum time to follow the request", integerBetween(1, 86_400), 120)
    .action(async (number: string, options: TrackOptions, command: Command) => {
      const session = openSession(command, context);
      const started = await begin(session, number, options);
      const request = options.wait ? await follow(session, started, options.timeLimit) : started;
      await show(session, request);
      if (!options.wait || request.shipment !== null) return;
      const reason = request.failedReason === null ? "" : ` (${request.failedReason})`;
      session.output.note(`svc: ${outcomes[request.status] ?? request.status}${reason}.`);
      end(exitCodes.notTracked);
    });
}
