import { type Instant, localDateOrUtc } from "@svc/domain";
import type { ExceptionResource } from "@svc/sdk";
import { calendarDayMark, eventLabel, type Html, html, localTime } from "@svc/views";
import type { ContainerRecord, ShipmentRecord } from "../shipments/api-records.ts";
import { zoneAtPickup } from "../shipments/container-facts.ts";
import { isPickedUp } from "../shipments/last-free-day.ts";

const listFormat = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** "customs hold", or "customs and USDA holds": abbreviations stay in capitals. */
function holdNames(held: readonly { readonly name: string }[]): string {
  const names = held.map(({ name }) => {
    const label = eventLabel(name);
    return /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
  });
  return `${listFormat.format(names)} ${held.length === 1 ? "hold" : "holds"}`;
}

/** What ends an exception about the pickup of a container; `at`: the appointment, which is still to come. */
type PickupStep =
  | { readonly kind: "release"; readonly holds: string; readonly at: Instant | null }
  | { readonly kind: "pick_up"; readonly at: Instant }
  | { readonly kind: "book"; readonly isNew: boolean };

/** Null: the condition ended or is resolved, or the facts do not show it. */
function pickupStep({ attributes }: ExceptionResource, container: ContainerRecord, now: Instant): PickupStep | null {
  if (attributes.ended_at !== null || attributes.status === "resolved" || isPickedUp(container)) return null;
  const held = container.holdsAtPodTerminal.filter((one) => one.status === "hold");
  const { pickupAppointmentAt: appointment, availabilityKnown, availableForPickup } = container;
  const at = appointment !== null && appointment > now ? appointment : null;
  if (held.length > 0) return { kind: "release", holds: holdNames(held), at };
  if (at !== null) return { kind: "pick_up", at };
  const mayBook = availableForPickup === true || (appointment !== null && !availabilityKnown);
  return mayBook ? { kind: "book", isNew: appointment !== null } : null;
}

export interface PickupSubject {
  readonly exception: ExceptionResource;
  readonly container: ContainerRecord;
  readonly shipment: ShipmentRecord;
  readonly now: Instant;
}

/** "get the customs hold released", as a sentence of the page goes on. Null: the facts do not show it. */
export function pickupStepSentence({ exception, container, shipment, now }: PickupSubject): Html | string | null {
  const step = pickupStep(exception, container, now);
  switch (step?.kind) {
    case "release":
      return `get the ${step.holds} released`;
    case "pick_up":
      return html`pick it up at the appointment, ${localTime(step.at, zoneAtPickup(container, shipment))}`;
    case "book":
      return `book a ${step.isNew ? "new " : ""}pickup`;
    case undefined:
      return null;
  }
}

/** "3 Mar · Next: book a pickup, no appointment yet", for a row. Null: the facts do not show it. */
export function pickupStepLine({ exception, container, shipment, now }: PickupSubject): string | null {
  const step = pickupStep(exception, container, now);
  // What is known of the container is as old as the amounts.
  if (step === null || exception.attributes.amounts_as_of !== null) return null;
  const dayOf = (at: Instant) => calendarDayMark(localDateOrUtc(at, zoneAtPickup(container, shipment)));
  const text = () => {
    switch (step.kind) {
      case "release":
        return `get the ${step.holds} released${step.at === null ? "" : ` · appointment ${dayOf(step.at)}`}`;
      case "pick_up":
        return `pick it up at the appointment on ${dayOf(step.at)}`;
      case "book":
        return step.isNew ? "book a new pickup, the appointment is over" : "book a pickup, no appointment yet";
    }
  };
  const { last_free_day: lastFreeDay } = exception.attributes;
  return [lastFreeDay && calendarDayMark(lastFreeDay), `Next: ${text()}`].filter(Boolean).join(" · ");
}
