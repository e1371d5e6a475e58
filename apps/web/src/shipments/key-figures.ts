import { reportedAmounts, sumMoney } from "@svc/domain/demurrage";
import { type ExceptionKind, moneyText } from "@svc/domain/exceptions";
import { isAtPort } from "@svc/domain/shipments";
import type { ExceptionResource } from "@svc/sdk";
import { eventLabel, type Html, html, inlineTime } from "@svc/views";
import { sumExceptions } from "../attention/exception-cost.ts";
import type { ContainerRecord, ShipmentRecord } from "./api-records.ts";
import { appointmentNote, availability, isPickupKnown, zoneAtPickup, zoneAtPort } from "./container-facts.ts";
import { isPickedUp } from "./last-free-day.ts";

/** Kinds whose exceptions have what a container is charged so far; each charge is in one of them. */
const chargedKinds: ReadonlySet<ExceptionKind> = new Set(["last_free_day_over", "not_returned", "fee"]);

/**
 * Charges so far, and the price of the next day: of a container with exceptions their amounts, which the terminal
 * reports or rules of the account charge; of another one what the terminal reported last.
 */
export function charges(containers: readonly ContainerRecord[], exceptions: readonly ExceptionResource[]) {
  const charged = exceptions.filter(({ attributes }) => chargedKinds.has(attributes.kind));
  const chargedIds = new Set(charged.map(({ relationships }) => relationships.container.data?.id));
  const others = containers.filter(({ id }) => !chargedIds.has(id));
  const soFar = sumMoney([
    ...sumExceptions(charged),
    ...others.flatMap(({ feesAtPodTerminal }) => reportedAmounts(feesAtPodTerminal)),
  ]);
  const days = sumExceptions(charged.filter(({ attributes }) => attributes.ended_at === null));
  const perDay = days.flatMap(({ perDay: amount, currencyCode }) =>
    amount > 0 ? `${moneyText({ amount, currencyCode })} a day` : [],
  );
  return { amounts: soFar.map(moneyText), perDay };
}

const cell = (label: string, value: Html | string, note: Html | string | null = null): Html => html`
  <div>
    <dt>${label}</dt>
    <dd><strong>${value}</strong>${note && html`<span class="muted below">${note}</span>`}</dd>
  </div>`;

function availableCell(waiting: readonly ContainerRecord[]): Html {
  const [only] = waiting;
  if (only !== undefined && waiting.length === 1) return cell("Available", availability(only));
  if (!waiting.some(({ availabilityKnown }) => availabilityKnown)) return cell("Available", "Not known");
  const count = waiting.filter(({ availableForPickup }) => availableForPickup).length;
  return cell("Available", `${count} of ${waiting.length}`);
}

function holdsCell(waiting: readonly ContainerRecord[]): Html {
  const names = waiting.flatMap(({ holdsAtPodTerminal }) =>
    holdsAtPodTerminal.filter(({ status }) => status === "hold").map(({ name }) => eventLabel(name)),
  );
  if (names.length === 0) return cell("Holds", "None known");
  return cell("Holds", html`<span class="late">${[...new Set(names)].join(", ")}</span>`);
}

function appointmentCell(waiting: readonly ContainerRecord[], shipment: ShipmentRecord): Html {
  const booked = waiting.filter(({ pickupAppointmentAt }) => pickupAppointmentAt !== null);
  const [first] = booked.toSorted((one, other) =>
    (one.pickupAppointmentAt ?? "") < (other.pickupAppointmentAt ?? "") ? -1 : 1,
  );
  if (!first?.pickupAppointmentAt) return cell("Appointment", "None");
  const note =
    waiting.length > 1 ? html`<span class="number">${first.number}</span>` : appointmentNote(first, shipment);
  return cell("Appointment", inlineTime(first.pickupAppointmentAt, zoneAtPickup(first, shipment)), note);
}

export interface KeyFiguresOptions {
  readonly shipment: ShipmentRecord;
  readonly containers: readonly ContainerRecord[];
  readonly exceptions: readonly ExceptionResource[];
}

/** What decides about the pickup, for the head of a record. Null: before the arrival nothing is known. */
export function keyFigures({ shipment, containers, exceptions }: KeyFiguresOptions): Html | null {
  const waiting = containers.filter((container) => !isPickedUp(container));
  const isKnown = (one: ContainerRecord) => isAtPort(one, shipment) || isPickupKnown(one, zoneAtPort(one, shipment));
  const { amounts, perDay } = charges(containers, exceptions);
  const isWaiting = waiting.some(isKnown);
  if (!isWaiting && amounts.length === 0) return null;
  const cost = cell("Charges so far", amounts.join(" + ") || "None known", perDay.join(" + ") || null);
  return html`
    <dl class="key-figures">
      ${isWaiting && availableCell(waiting)}
      ${cost}
      ${isWaiting && holdsCell(waiting)}
      ${isWaiting && appointmentCell(waiting, shipment)}
    </dl>`;
}
