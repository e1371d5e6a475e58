import { dayMs } from "@svc/domain";
import { type StopReason, stopReasonLabels } from "@svc/domain/shipments";
import { eventCategories } from "@svc/domain/webhooks";
import { delay } from "../commands/delay.ts";
import { plainText } from "../output/plain-text.ts";
import type { Session } from "../session.ts";
import { demoStories, expectedEvents, expectedStops, stoppedByHand } from "./demo-stories.ts";
import type { SandboxClock } from "./sandbox-clock.ts";

export interface DemoOptions {
  /** Six digits, the same for every story. */
  readonly seed: string;
  /** Simulated hours from one look to the next. */
  readonly stepHours: number;
  /** Real milliseconds that the service has for each step. */
  readonly paceMs: number;
}

export interface DemoResult {
  readonly missingStops: readonly StopReason[];
  readonly missingEvents: readonly string[];
}

/** The voyages have ended then; only stop windows remain. */
const voyagesDays = 42;
const daysMax = 170;
const waitingStepHours = 72;
/** All vessels are at sea, or only empty returns are pending: no event depends on hours. */
const quietDays: readonly (readonly [from: number, until: number])[] = [
  [4, 9],
  [32, voyagesDays],
];
const quietStepHours = 24;
/** Longer than the longest polling interval, at any step. */
const silenceMaxMs = 1.2 * dayMs;
const recheckMs = 200;
const triesToCatchUp = 150;

const described: ReadonlyMap<string, string> = new Map(
  eventCategories.flatMap(({ events }) => events.map(([name, text]) => [name, text] as const)),
);

interface ReceivedEvent {
  readonly event: string;
  readonly numbers: readonly string[];
}

/** The event of a notification body, with the numbers of its shipments or requests. */
function receivedEvent(body: unknown): ReceivedEvent {
  const { data, included = [] } = body as {
    data: { attributes: { event: string } };
    included?: { attributes?: Record<string, unknown> }[];
  };
  const numbers = included.flatMap(({ attributes }) => {
    const number = attributes?.bill_of_lading_number ?? attributes?.request_number;
    return typeof number === "string" ? [number] : [];
  });
  return { event: data.attributes.event, numbers: [...new Set(numbers)] };
}

/** What every step of the demo needs. */
interface Demo {
  readonly client: Session["client"];
  readonly signal: AbortSignal;
  readonly clock: SandboxClock;
  readonly options: DemoOptions;
  /** The number of each story. */
  readonly numbers: readonly string[];
  /** Time of the sandbox at the start, in epoch milliseconds. */
  readonly began: number;
  readonly print: (text: string) => Promise<void>;
}

/** Runs the scenarios on a clock that advances step by step, and prints the notifications. */
export async function runDemo(session: Session, clock: SandboxClock, options: DemoOptions): Promise<DemoResult> {
  const { client, context } = session;
  const { signal } = context;
  const numbers = demoStories.map(([code]) => `SBX${code}${options.seed}`);
  const print = (text: string) => context.write(`${plainText(text)}\n`);
  const demo: Demo = { client, signal, clock, options, numbers, began: await clock.pause(), print };
  // Its deliveries are paused: the events are read from its feed.
  const webhook = { url: "https://demo.example/", events: ["*"], paused: true };
  const webhookId = (await client.webhooks.create(webhook, rawCall(demo))).data.id;
  try {
    await requestStories(demo);
    const seenEvents = await playVoyages(demo, createEventPrinter(demo, webhookId));
    const reasons = await printEndings(demo);
    return {
      missingStops: expectedStops.filter((reason) => !reasons.has(reason)),
      missingEvents: expectedEvents.filter((event) => !seenEvents.has(event)),
    };
  } finally {
    // Passes no signal, so that the webhook is deleted after an interruption too.
    await client.webhooks.delete(webhookId).catch(() => undefined);
  }
}

const rawCall = ({ signal }: Demo) => ({ signal, format: "raw" }) as const;

async function listShipments(demo: Demo) {
  const query = { filter: { number: demo.numbers }, pageSize: 100 };
  return (await demo.client.shipments.list(query, rawCall(demo))).data;
}

/** Prints the story of each number, and requests its tracking. */
async function requestStories({ client, signal, numbers, print }: Demo): Promise<void> {
  for (const [index, [, story]] of demoStories.entries()) await print(`${numbers[index]}  ${story}`);
  const requests = numbers.map((requestNumber) => ({
    requestType: "bill_of_lading" as const,
    requestNumber,
    scac: "SBXL",
  }));
  await client.trackingRequests.createBulk(requests, { signal });
}

interface EventPrinter {
  /** Prints the events since the last call, each once with its count. */
  print(now: number): Promise<void>;
  readonly seenEvents: ReadonlySet<string>;
}

function createEventPrinter(demo: Demo, webhookId: string): EventPrinter {
  const seenEvents = new Set<string>();
  let cursor: string | undefined;

  /** @returns how often each line occurs. */
  const readLines = async (): Promise<ReadonlyMap<string, number>> => {
    const lines = new Map<string, number>();
    for (;;) {
      const query = { after: cursor, pageSize: 100 };
      const page = await demo.client.webhooks.notifications(webhookId, query, rawCall(demo));
      for (const { attributes } of page.data) {
        const received = receivedEvent(attributes.body);
        const number = received.numbers.find((one) => demo.numbers.includes(one));
        if (number === undefined) continue;
        seenEvents.add(received.event);
        const line = `${number}  ${described.get(received.event) ?? received.event}`;
        lines.set(line, (lines.get(line) ?? 0) + 1);
      }
      cursor = page.meta?.page?.end_cursor ?? cursor;
      if (page.data.length < 100) return lines;
    }
  };

  return {
    seenEvents,
    async print(now) {
      const day = ((now - demo.began) / dayMs).toFixed(1).padStart(5);
      for (const [line, count] of await readLines())
        await demo.print(`day ${day}  ${line}${count > 1 ? ` (${count})` : ""}`);
    },
  };
}

/** Advances the clock until every voyage has ended. @returns the events that were seen. */
async function playVoyages(demo: Demo, events: EventPrinter): Promise<ReadonlySet<string>> {
  const { signal, clock, options, began } = demo;
  let now = began;
  let wasStopped = false;
  for (let step = 0; (now - began) / dayMs < daysMax; step++) {
    await delay(options.paceMs, signal);
    await catchUp(demo, now);
    await events.print(now);
    const day = (now - began) / dayMs;
    if (day >= stoppedByHand.onDay && !wasStopped) {
      await stopByHand(demo);
      wasStopped = true;
    }
    const isWaiting = day >= voyagesDays;
    if (isWaiting && step % 4 === 0 && (await haveAllStopped(demo))) break;
    const isQuiet = quietDays.some(([from, until]) => day >= from && day < until);
    const calmHours = isWaiting ? waitingStepHours : quietStepHours;
    now = await clock.advance(isWaiting || isQuiet ? calmHours : options.stepHours);
  }
  await events.print(now);
  return events.seenEvents;
}

/** Waits until every subject was polled recently: a busy machine needs longer than the pace. */
async function catchUp(demo: Demo, now: number): Promise<void> {
  for (let tries = 0; tries < triesToCatchUp; tries++) {
    const isLagging = (await listShipments(demo)).some(({ attributes }) => {
      const { line_tracking_stopped_at: stoppedAt, line_tracking_last_attempted_at: lastAttemptedAt } = attributes;
      return stoppedAt === null && (lastAttemptedAt === null || now - Date.parse(lastAttemptedAt) > silenceMaxMs);
    });
    if (!isLagging) return;
    await delay(recheckMs, demo.signal);
  }
}

async function stopByHand(demo: Demo): Promise<void> {
  const number = `SBX${stoppedByHand.code}${demo.options.seed}`;
  const shipments = await listShipments(demo);
  const shipment = shipments.find(({ attributes }) => attributes.bill_of_lading_number === number);
  if (shipment !== undefined) await demo.client.shipments.stopTracking(shipment.id, rawCall(demo));
}

async function haveAllStopped(demo: Demo): Promise<boolean> {
  const shipments = await listShipments(demo);
  const stopped = shipments.filter(({ attributes }) => attributes.line_tracking_stopped_at !== null);
  // One story never becomes a shipment.
  return stopped.length === demoStories.length - 1;
}

/** Prints why tracking ended, for each shipment. @returns the reasons. */
async function printEndings(demo: Demo): Promise<ReadonlySet<string | null>> {
  const ended = await listShipments(demo);
  await demo.print("");
  const reasons = new Set<string | null>();
  for (const { attributes } of ended) {
    const reason = attributes.line_tracking_stopped_reason;
    reasons.add(reason);
    const ending = reason === null ? "still tracked" : `tracking ended: ${stopReasonLabels[reason]} (${reason})`;
    await demo.print(`${attributes.bill_of_lading_number}  ${ending}`);
  }
  return reasons;
}
