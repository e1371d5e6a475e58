import { expect, test } from "@jest/globals";
import { containerStatuses } from "@svc/domain/containers";
import { type ContainerCounts, containerBadge, exactStatusLabel, shipmentBadge } from "./index.ts";

/** "good: Available". */
function said(badge: unknown): string {
  const [, tone, word = ""] = /<span class="status (\w+) quarters-\d">(.*)<\/span>/.exec(String(badge)) ?? [];
  return `${tone}: ${word.replace(/<\/?span>/g, "")}`;
}

const plain = { holds: [], lastEvent: null, freeDaysLeft: null };
const held = [{ status: "hold" }];

test("a container has one word and colour for each status", () => {
  expect(containerStatuses.map((status) => said(containerBadge({ ...plain, status })))).toEqual([
    "calm: At origin",
    "usual: Loaded",
    "usual: In transit",
    "usual: At terminal",
    "good: Available",
    "usual: At terminal",
    "usual: Awaiting inland transfer",
    "usual: On rail",
    "usual: At terminal",
    "good: Picked up",
    "good: Picked up",
    "good: Delivered",
    "calm: Returned",
  ]);
});

test("filters name statuses that share a word apart", () => {
  const labels = containerStatuses.map(exactStatusLabel);
  expect(new Set(labels).size).toBe(labels.length);
  expect(labels).toContain("At terminal (not available)");
});

test.each([
  [4, "good: Available"],
  [3, "soon: Available · free time ends soon"],
  [0, "soon: Available · last free day today"],
  [-1, "bad: Available · free time over"],
])("an available container with %i free days left is %s", (freeDaysLeft, expected) => {
  expect(said(containerBadge({ ...plain, status: "available", freeDaysLeft }))).toBe(expected);
});

test.each([
  ["available", "calm: Available · tracking stopped"],
  ["on_ship", "calm: In transit · tracking stopped"],
  ["picked_up", "good: Picked up"],
  ["empty_returned", "calm: Returned"],
] as const)("the colour of %s says nothing about the present once tracking has stopped", (status, expected) => {
  expect(said(containerBadge({ ...plain, status, freeDaysLeft: -11, isStopped: true }))).toBe(expected);
});

test("a hold decides after the arrival, until the pickup", () => {
  const word = (status: (typeof containerStatuses)[number]) => said(containerBadge({ ...plain, status, holds: held }));
  expect(word("available")).toBe("bad: On hold");
  expect(word("on_ship")).toBe("usual: In transit");
  expect(word("picked_up")).toBe("good: Picked up");
});

test("the last milestone says where a container on its voyage is", () => {
  const word = (lastEvent: string, status: "on_ship" | "grounded" = "on_ship") =>
    said(containerBadge({ ...plain, status, lastEvent }));
  expect(word("vessel_loaded")).toBe("usual: Loaded");
  expect(word("vessel_departed")).toBe("usual: In transit");
  expect(word("transshipment_discharged")).toBe("usual: At transshipment port");
  expect(word("transshipment_departed")).toBe("usual: In transit");
  expect(word("vessel_arrived")).toBe("usual: Arrived at port");
  expect(word("transshipment_discharged", "grounded")).toBe("usual: At terminal");
});

const none: ContainerCounts = { count: 3, arrived: 3, available: 0, held: 0, onRail: 0, pickedUp: 0 };

test.each([
  [{ held: 1, available: 2 }, "bad: On hold (1 of 3)"],
  [{ available: 3 }, "bad: Available · free time over"],
  [{ available: 1, pickedUp: 2 }, "bad: Available (1 of 3) · free time over"],
  [{ pickedUp: 1 }, "usual: At terminal (2 of 3)"],
  [{ onRail: 2, pickedUp: 1 }, "usual: On rail (2 of 3)"],
  [{ arrived: 2, pickedUp: 2 }, "usual: In transit (1 of 3)"],
  [{}, "usual: At terminal"],
])("an arrived shipment has the most urgent state of its containers: %j", (counts, expected) => {
  const containers = { ...none, ...counts };
  expect(said(shipmentBadge({ status: "arrived_at_pod", containers, freeDaysLeft: -11 }))).toBe(expected);
});

test("a shipment at sea, or without containers, has the word of its own status", () => {
  const facts = { containers: { ...none, count: 0, arrived: 0 }, freeDaysLeft: null };
  expect(said(shipmentBadge({ ...facts, status: "in_transit" }))).toBe("usual: In transit");
  expect(said(shipmentBadge({ ...facts, status: "arrived_at_pod" }))).toBe("usual: Arrived at port");
  expect(said(shipmentBadge({ ...facts, status: "pending" }))).toBe("calm: Waiting for carrier data");
});
