import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { visibleText } from "../testing/visible-text.ts";
import type { ContainerRecord, ShipmentRecord } from "./api-records.ts";
import { asOfStop, availability, feesOf, knownPickupFacts } from "./container-facts.ts";

const at = instant("2026-07-12T08:00:00Z");
const picked = { feesAtPodTerminal: [], podFullOutAt: at, finalDestinationFullOutAt: null, terminalCheckedAt: null };
const unqueried = picked as unknown as ContainerRecord;

test("fees of a container that was picked up before its terminal was queried are not known", () => {
  expect(feesOf(unqueried)).toBe("Not known: picked up before the terminal was queried");
  expect(feesOf({ ...unqueried, podFullOutAt: null })).toBe("None known");
  expect(feesOf({ ...unqueried, terminalCheckedAt: at })).toBe("None known");
});

const atSea = {
  currentStatus: "on_ship",
  availabilityKnown: false,
  availableForPickup: false,
  pickupAppointmentAt: null,
  locationAtPodTerminal: null,
  pickupLfd: null,
  pickupLfdLine: null,
  pickupLfdTerminal: null,
  pickupLfdRail: null,
  podTimezone: "Europe/Berlin",
  finalDestinationTimezone: null,
  holdsAtPodTerminal: [],
  feesAtPodTerminal: [],
  podFullOutAt: null,
  finalDestinationFullOutAt: null,
  emptyTerminatedAt: null,
  terminalCheckedAt: null,
} as unknown as ContainerRecord;

const pickupOf = (container: ContainerRecord) =>
  knownPickupFacts(container, { portOfDischarge: null } as ShipmentRecord, at).map(
    ({ term, value }) => `${term}: ${visibleText(String(value)).trim()}`,
  );

test("the pickup of a container at sea is only what is known", () => {
  expect(pickupOf(atSea)).toEqual(["Available: Reported after discharge, with holds, fees and last free day"]);
  const held = { name: "customs", status: "hold", description: null } as const;
  expect(pickupOf({ ...atSea, holdsAtPodTerminal: [held] })).toEqual([
    "Available: Not known",
    "Last free day: –",
    "Holds: Customs: held",
    "Charges by the terminal: None known",
  ]);
  expect(pickupOf({ ...atSea, pickupAppointmentAt: at })).toContain("Pickup appointment: Sun, 12 Jul 2026, 10:00 CEST");
});

test("availability is as of the day on which tracking stopped, and not in green", () => {
  const available = { ...atSea, availabilityKnown: true, availableForPickup: true };
  const shipment = { portOfDischarge: null, lineTrackingStoppedAt: null } as ShipmentRecord;
  expect(String(availability(available, shipment))).toBe('<span class="early">Yes</span>');
  const stopped = { ...shipment, lineTrackingStoppedAt: instant("2027-02-10T08:00:00Z") };
  expect(String(availability(available, stopped))).toBe('Yes <span class="muted">as of Wed, 10 Feb 2027</span>');
  expect(asOfStop({ ...available, emptyTerminatedAt: at }, stopped)).toBeNull();
});
