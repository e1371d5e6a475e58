import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { type PickupSubject, pickupStepLine, pickupStepSentence } from "./pickup-step.ts";

interface Facts {
  readonly lastFreeDay: string | null;
  readonly appointmentAt: string | null;
  readonly isHeld?: boolean;
}

const subject = ({ lastFreeDay, appointmentAt, isHeld = false }: Facts): PickupSubject =>
  ({
    exception: {
      attributes: { ended_at: null, status: "open", last_free_day: lastFreeDay, amounts_as_of: null },
    },
    container: {
      holdsAtPodTerminal: isHeld ? [{ name: "customs", status: "hold", description: null }] : [],
      pickupAppointmentAt: appointmentAt,
      availabilityKnown: true,
      availableForPickup: true,
      podFullOutAt: null,
      finalDestinationFullOutAt: null,
    },
    shipment: { portOfDischarge: { timeZone: "America/Los_Angeles" } },
    now: instant("2026-03-11T12:00:00Z"),
  }) as unknown as PickupSubject;

/** 17 Mar at 22:00 in Los Angeles. */
const appointmentAt = "2026-03-18T05:00:00Z";

test.each<[string, Facts, string]>([
  ["before the last free day", { lastFreeDay: "2026-03-18", appointmentAt }, "pick it up at the appointment on 17 Mar"],
  ["on the last free day", { lastFreeDay: "2026-03-17", appointmentAt }, "pick it up at the appointment on 17 Mar"],
  ["after it", { lastFreeDay: "2026-03-12", appointmentAt }, "book an earlier pickup than 17 Mar"],
  ["after one that is over", { lastFreeDay: "2026-03-10", appointmentAt }, "pick it up at the appointment on 17 Mar"],
  [
    "after it, of a container on hold",
    { lastFreeDay: "2026-03-12", appointmentAt, isHeld: true },
    "get the customs hold released · appointment 17 Mar, 5 days after the last free day",
  ],
  [
    "before it, of a container on hold",
    { lastFreeDay: "2026-03-20", appointmentAt, isHeld: true },
    "get the customs hold released · appointment 17 Mar",
  ],
  ["that is not known", { lastFreeDay: "2026-03-12", appointmentAt: null }, "book a pickup, no appointment known"],
])("the next step with an appointment %s", (_, facts, text) => {
  expect(pickupStepLine(subject(facts))?.replaceAll("\u00A0", " ")).toMatch(new RegExp(`^\\d+ Mar · Next: ${text}$`));
});

test("the page says how late the appointment is", () => {
  const sentence = String(pickupStepSentence(subject({ lastFreeDay: "2026-03-12", appointmentAt })));
  expect(sentence.replace(/<[^>]*>/g, "").replace(/\s+/g, " ")).toBe(
    "book an earlier pickup: the appointment, Tue, 17 Mar 2026, 22:00 GMT-7, is 5 days after the last free day",
  );
});
