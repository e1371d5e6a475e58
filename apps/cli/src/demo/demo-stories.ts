import { type StopReason, stopReasons, type WebhookEventName, webhookEventNames } from "@svc/domain";

/** The sandbox's stories that together reach all that tracking can tell (docs/sandbox.md has all of them). */
export const demoStories: readonly (readonly [code: string, story: string])[] = [
  ["TSP", "a missed connection at a transshipment port"],
  ["TS2", "a barge, then two transshipments"],
  ["RAI", "on by rail to an inland destination"],
  ["ROL", "rolled over to the next ship"],
  ["HLD", "held by customs"],
  ["OMT", "the port of discharge is left out"],
  ["CAN", "the booking is cancelled"],
  ["NFO", "the line forgets the number"],
  ["FOW", "never returned empty"],
  ["ARW", "nobody fetches the boxes"],
  ["AWM", "known to the line after three days"],
  ["NFD", "never known to the line"],
];

/** Tracking of this one is stopped by hand. */
export const stoppedByHand = { code: "AWM", onDay: 20 };

export const expectedStops: readonly StopReason[] = stopReasons;

/** What only people, or webhooks themselves, cause. */
const notByTracking = (event: WebhookEventName) =>
  event === "container.transport.delivered" || event.startsWith("webhook.");

export const expectedEvents = webhookEventNames.filter((event) => !notByTracking(event));
