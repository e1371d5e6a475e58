import { expect, test } from "@jest/globals";
import { containerStatuses } from "@svc/domain/containers";
import { containerStatusMark, statusMark } from "./status-mark.ts";

const classOf = (markup: unknown): string | undefined => /class="status ([^"]*)"/.exec(String(markup))?.[1];

const containerClass = (currentStatus: (typeof containerStatuses)[number]): string | undefined =>
  classOf(containerStatusMark({ currentStatus, holdsAtPodTerminal: [] }));

test.each(containerStatuses)("a container that is %s has the disc of its progress", (status) => {
  expect(containerClass(status)).toMatch(/^is-/);
});

test("a container that is picked up looks like a shipment whose containers are picked up", () => {
  const counts = { availableForPickup: 0, held: 0, onRail: 0, returned: 0, count: 1, arrived: 1, pickedUp: 1 };
  expect(containerClass("picked_up")).toBe(classOf(statusMark({ status: "arrived_at_pod" }, counts)));
});
