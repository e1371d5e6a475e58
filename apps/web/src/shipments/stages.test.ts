import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { visibleText } from "../testing/visible-text.ts";
import type { ContainerRecord, ShipmentRecord } from "./api-records.ts";
import { availableSince, stages } from "./stages.ts";

const at = instant("2026-02-21T10:00:00Z");
const container = {
  polFullInAt: null,
  podEtaAt: null,
  podFullOutAt: null,
  finalDestinationFullOutAt: null,
  emptyTerminatedAt: null,
  availableForPickup: false,
} as unknown as ContainerRecord;
const shipment = {
  portOfLading: null,
  portOfDischarge: null,
  destination: null,
  polEtdAt: null,
  polAtdAt: at,
  podEtaAt: null,
  podAtaAt: null,
  destinationEtaAt: null,
  destinationAtaAt: null,
  lineTrackingStoppedReason: null,
} as unknown as ShipmentRecord;

const labelsOf = (record: ShipmentRecord, containers: readonly ContainerRecord[]): string =>
  [...String(stages(record, containers)).matchAll(/<strong>([^<]*)</g)].map(([, label]) => label).join(", ");

test("the gate-in takes the place of the booking once it is known, with its day", () => {
  expect(labelsOf(shipment, [container])).toBe("Booked, Departed, Arrived at port, Picked up, Returned");
  const gatedIn = [{ ...container, polFullInAt: at }];
  expect(labelsOf(shipment, gatedIn)).toContain("Gate in, Departed");
  expect(visibleText(String(stages(shipment, gatedIn)))).toContain("Gate in Sat, 21 Feb 2026");
});

test("a split shipment has its first gate-in and its first departure, which the gate-in of another may follow", () => {
  const [first, later] = [instant("2026-02-20T10:00:00Z"), instant("2026-02-27T10:00:00Z")];
  const split = [
    { ...container, podEtaAt: later, polFullInAt: later },
    { ...container, podEtaAt: at, polFullInAt: first },
  ];
  expect(labelsOf(shipment, split)).toContain("First gate in, First departed");
  expect(visibleText(String(stages(shipment, split)))).toMatch(
    /First gate in Fri, 20 Feb 2026.*First departed Sat, 21 Feb 2026/,
  );
  expect(labelsOf(shipment, [{ ...container, podEtaAt: at }])).toContain("Booked, First departed");
});

test("an arrived shipment has the stage at which its containers are available", () => {
  const arrived = { ...shipment, podAtaAt: at };
  const [ready, out] = [
    { ...container, availableForPickup: true },
    { ...container, podFullOutAt: at },
  ];
  expect(labelsOf(arrived, [container, ready])).toContain("Arrived at port, Available (1 of 2), Picked up");
  expect(labelsOf(arrived, [out, ready])).toContain("Available, Picked up (1 of 2)");
});

test("the stage of the only container has the time at which it became available", () => {
  const arrived = { ...shipment, podAtaAt: at };
  const ready = [{ ...container, availableForPickup: true }];
  const steps = [{ event: "available", actualAt: at }] as unknown as Parameters<typeof availableSince>[1];
  const textOf = (containers: readonly ContainerRecord[]) =>
    visibleText(String(stages(arrived, containers, availableSince(containers, steps))));
  expect(textOf(ready)).toContain("Available Sat, 21 Feb 2026");
  expect(textOf([...ready, ...ready])).toContain("Available , done");
});
