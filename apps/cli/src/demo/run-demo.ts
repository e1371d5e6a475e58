import type { StopReason } from "@svc/domain/shipments";
import { eventCategories } from "@svc/domain/webhooks";
import { delay } from "../commands/delay.ts";
import { plainText } from "../output/plain-text.ts";
import type { Session } from "../session.ts";
import { demoStories, expectedEvents, expectedStops, stoppedByHand, stopReasonTexts } from "./demo-stories.ts";
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
const dayMs = 86_400_000;
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

/** Runs the scenarios on a clock that advances step by step, and prints the notifications. */
export async function runDemo(session: Session, clock: SandboxClock, options: DemoOptions): Promise<DemoResult> {
  const { client, context } = session;
  const { signal } = context;
  const raw = { signal, format: "raw" } as const;
  const numbers = demoStories.map(([code]) => `SBX${code}${options.seed}`);
  const print = (text: string) => context.write(`${plainText(text)}\n`);

  const began = await clock.pause();
  // Its deliveries are paused: the events are read from its feed.
  const webhook = { url: "https://demo.example/", events: ["*"], paused: true };
  const webhookId = (await client.webhooks.create(webhook, raw)).data.id;
  const seenEvents = new Set<string>();
  let cursor: string | undefined;

  const printEvents = async (now: number): Promise<void> => {
    const day = ((now - began) / dayMs).toFixed(1).padStart(5);
    const lines = new Map<string, number>();
    for (;;) {
      const page = await client.webhooks.notifications(webhookId, { after: cursor, pageSize: 100 }, raw);
      for (const { attributes } of page.data) {
        const received = receivedEvent(attributes.body);
        const number = received.numbers.find((one) => numbers.includes(one));
        if (number === undefined) continue;
        seenEvents.add(received.event);
        const line = `${number}  ${described.get(received.event) ?? received.event}`;
        lines.set(line, (lines.get(line) ?? 0) + 1);
      }
      cursor = page.meta?.page?.end_cursor ?? cursor;
      if (page.data.length < 100) break;
    }
    for (const [line, count] of lines) await print(`day ${day}  ${line}${count > 1 ? ` (${count})` : ""}`);
  };

  const shipments = async () => (await client.shipments.list({ filter: { number: numbers }, pageSize: 100 }, raw)).data;

  /** Waits until every subject was polled recently: a busy machine needs longer than the pace. */
  const caughtUp = async (now: number): Promise<void> => {
    for (let tries = 0; tries < triesToCatchUp; tries++) {
      const lagging = (await shipments()).some(({ attributes }) => {
        const { line_tracking_stopped_at: stoppedAt, line_tracking_last_attempted_at: lastAttemptedAt } = attributes;
        return stoppedAt === null && (lastAttemptedAt === null || now - Date.parse(lastAttemptedAt) > silenceMaxMs);
      });
      if (!lagging) return;
      await delay(recheckMs, signal);
    }
  };

  try {
    for (const [index, [, story]] of demoStories.entries()) await print(`${numbers[index]}  ${story}`);
    const requests = numbers.map((requestNumber) => ({
      requestType: "bill_of_lading" as const,
      requestNumber,
      scac: "SBXL",
    }));
    await client.trackingRequests.createBulk(requests, { signal });
    let now = began;
    let wasStopped = false;
    for (let step = 0; (now - began) / dayMs < daysMax; step++) {
      await delay(options.paceMs, signal);
      await caughtUp(now);
      await printEvents(now);
      const day = (now - began) / dayMs;
      if (day >= stoppedByHand.onDay && !wasStopped) {
        const number = `SBX${stoppedByHand.code}${options.seed}`;
        const shipment = (await shipments()).find(({ attributes }) => attributes.bill_of_lading_number === number);
        if (shipment !== undefined) await client.shipments.stopTracking(shipment.id, raw);
        wasStopped = true;
      }
      const isWaiting = day >= voyagesDays;
      if (isWaiting && step % 4 === 0) {
        const stopped = (await shipments()).filter(({ attributes }) => attributes.line_tracking_stopped_at !== null);
        // One story never becomes a shipment.
        if (stopped.length === demoStories.length - 1) break;
      }
      const isQuiet = quietDays.some(([from, until]) => day >= from && day < until);
      const calmHours = isWaiting ? waitingStepHours : quietStepHours;
      now = await clock.advance(isWaiting || isQuiet ? calmHours : options.stepHours);
    }
    await printEvents(now);
    const ended = await shipments();
    await print("");
    const reasons = new Set<string | null>();
    for (const { attributes } of ended) {
      const reason = attributes.line_tracking_stopped_reason;
      reasons.add(reason);
      const ending = reason === null ? "still tracked" : `tracking ended: ${stopReasonTexts[reason]} (${reason})`;
      await print(`${attributes.bill_of_lading_number}  ${ending}`);
    }
    return {
      missingStops: expectedStops.filter((reason) => !reasons.has(reason)),
      missingEvents: expectedEvents.filter((event) => !seenEvents.has(event)),
    };
  } finally {
    // Passes no signal, so that the webhook is deleted after an interruption too.
    await client.webhooks.delete(webhookId).catch(() => undefined);
  }
}
