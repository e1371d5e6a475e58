import { countText, daysBetween, type Instant, localDateOrUtc } from "@svc/domain";
import type { ExceptionResource } from "@svc/sdk";
import { calendarDayMark, eventLabel, type Html, html, localTime } from "@svc/views";
import type { ContainerRecord, ShipmentRecord } from "../shipments/api-records.ts";
import { zoneAtPickup } from "../shipments/container-facts.ts";
import { isPickedUp } from "../shipments/last-free-day.ts";

const noBreakSpace = "\u00A0";
const listFormat = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** "customs hold", or "customs and USDA holds": abbreviations stay in capitals. */
function holdNames(held: readonly { readonly name: string }[]): string {
  const names = held.map(({ name }) => {
    const label = eventLabel(name);
    return /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
  });
  return `${listFormat.format(names)} ${held.length === 1 ? "hold" : "holds"}`;
}

/** An appointment that is still to come. */
interface Appointment {
  readonly at: Instant;
  /** For how many days it is after a last free day that is not over yet; 0: it is not. */
  readonly daysTooLate: number;
}

/** What ends an exception about the pickup of a container. */
type PickupStep =
  | { readonly kind: "release"; readonly holds: string; readonly appointment: Appointment | null }
  | { readonly kind: "pick_up" | "rebook"; readonly appointment: Appointment }
  | { readonly kind: "book"; readonly isNew: boolean };

export interface PickupSubject {
  readonly exception: ExceptionResource;
  readonly container: ContainerRecord;
  readonly shipment: ShipmentRecord;
  readonly now: Instant;
}

function comingAppointment({ exception, container, shipment, now }: PickupSubject): Appointment | null {
  const { pickupAppointmentAt: at } = container;
  if (at === null || at <= now) return null;
  const zone = zoneAtPickup(container, shipment);
  const { last_free_day: lastFreeDay } = exception.attributes;
  const isFree = lastFreeDay !== null && lastFreeDay >= localDateOrUtc(now, zone);
  return { at, daysTooLate: isFree ? Math.max(0, daysBetween(lastFreeDay, localDateOrUtc(at, zone))) : 0 };
}

/** Null: the condition ended or is resolved, or the facts do not show it. */
function pickupStep(subject: PickupSubject): PickupStep | null {
  const { attributes } = subject.exception;
  const { container } = subject;
  if (attributes.ended_at !== null || attributes.status === "resolved" || isPickedUp(container)) return null;
  const held = container.holdsAtPodTerminal.filter((one) => one.status === "hold");
  const appointment = comingAppointment(subject);
  if (held.length > 0) return { kind: "release", holds: holdNames(held), appointment };
  if (appointment !== null) return { kind: appointment.daysTooLate > 0 ? "rebook" : "pick_up", appointment };
  const isOver = container.pickupAppointmentAt !== null;
  const mayBook = container.availableForPickup === true || (isOver && !container.availabilityKnown);
  return mayBook ? { kind: "book", isNew: isOver } : null;
}

const afterLastFreeDay = ({ daysTooLate }: Appointment): string =>
  `${countText(daysTooLate, "day")} after the last free day`;

/** "get the customs hold released", as a sentence of the page goes on. Null: the facts do not show it. */
export function pickupStepSentence(subject: PickupSubject): Html | string | null {
  const step = pickupStep(subject);
  const time = ({ at }: Appointment) => localTime(at, zoneAtPickup(subject.container, subject.shipment));
  switch (step?.kind) {
    case "release":
      return `get the ${step.holds} released`;
    case "pick_up":
      return html`pick it up at the appointment, ${time(step.appointment)}`;
    case "rebook":
      return html`book an earlier pickup: the appointment, ${time(step.appointment)}, is
        ${afterLastFreeDay(step.appointment)}`;
    case "book":
      return `book a ${step.isNew ? "new " : ""}pickup`;
    case undefined:
      return null;
  }
}

/** "3 Mar · Next: book a pickup, no appointment known", for a row. Null: the facts do not show it. */
export function pickupStepLine(subject: PickupSubject): string | null {
  const { last_free_day: lastFreeDay, amounts_as_of: amountsAsOf } = subject.exception.attributes;
  const step = pickupStep(subject);
  // What is known of the container is as old as the amounts.
  if (step === null || amountsAsOf !== null) return null;
  const zone = zoneAtPickup(subject.container, subject.shipment);
  const dayOf = ({ at }: Appointment) => calendarDayMark(localDateOrUtc(at, zone)).replaceAll(" ", noBreakSpace);
  const bookedText = (appointment: Appointment) =>
    `appointment ${dayOf(appointment)}${appointment.daysTooLate > 0 ? `, ${afterLastFreeDay(appointment)}` : ""}`;
  const text = () => {
    switch (step.kind) {
      case "release":
        return `get the ${step.holds} released${step.appointment ? ` · ${bookedText(step.appointment)}` : ""}`;
      case "pick_up":
        return `pick it up at the appointment on ${dayOf(step.appointment)}`;
      case "rebook":
        return `book an earlier pickup than ${dayOf(step.appointment)}`;
      case "book":
        return step.isNew ? "book a new pickup, the appointment is over" : "book a pickup, no appointment known";
    }
  };
  return [lastFreeDay && calendarDayMark(lastFreeDay), `Next: ${text()}`].filter(Boolean).join(" · ");
}
