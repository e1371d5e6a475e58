import { type StopReason, stopReasons } from "@svc/domain/shipments";
import { catalogueEventNames } from "@svc/domain/webhooks";

/** Sandbox scenarios that together cause every event of tracking (docs/sandbox.md has all scenarios). */
export const demoStories: readonly (readonly [code: string, story: string])[] = [
  ["TSP", "a missed connection at a transshipment port"],
  ["TS2", "a barge, then two transshipments"],
  ["RAI", "on by rail to an inland destination"],
  ["ROL", "rolled over to the next ship"],
  ["HLD", "held by customs"],
  ["OMT", "the port of discharge is left out"],
  ["CAN", "the booking is cancelled"],
  ["NFO", "the carrier no longer knows the number"],
  ["FOW", "never returned empty"],
  ["ARW", "the containers are never picked up"],
  ["AWM", "known to the line after three days"],
  ["NFD", "never known to the line"],
];

/** Tracking of this one is stopped by hand. */
export const stoppedByHand = { code: "AWM", onDay: 20 };

export const expectedStops: readonly StopReason[] = stopReasons;

/** Events of the subscription `*`, without the one that no operation causes. */
export const expectedEvents = catalogueEventNames.filter((event) => event !== "container.transport.delivered");
