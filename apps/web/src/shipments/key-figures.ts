import { compareText } from "@svc/domain";
import { moneyText } from "@svc/domain/money";
import { isAtPort } from "@svc/domain/shipments";
import { eventLabel, type Html, html, inlineTime } from "@svc/views";
import type { ContainerRecord, ShipmentRecord } from "./api-records.ts";
import type { Costs } from "./container-costs.ts";
import { appointmentNote, asOfStop, availability, isPickupKnown, zoneAtPickup, zoneAtPort } from "./container-facts.ts";
import { isPickedUp } from "./last-free-day.ts";

const cell = (label: string, value: Html | string, note: Html | string | null = null): Html => html`
  <div>
    <dt>${label}</dt>
    <dd><strong>${value}</strong>${note && html`<span class="muted below">${note}</span>`}</dd>
  </div>`;

function availableCell(waiting: readonly ContainerRecord[], shipment: ShipmentRecord): Html {
  const [only] = waiting;
  if (only !== undefined && waiting.length === 1) return cell("Available", availability(only, shipment));
  if (!waiting.some(({ availabilityKnown }) => availabilityKnown)) return cell("Available", "Not known");
  const count = waiting.filter(({ availableForPickup }) => availableForPickup).length;
  return cell("Available", `${count} of ${waiting.length}`, only && asOfStop(only, shipment));
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
    compareText(one.pickupAppointmentAt ?? "", other.pickupAppointmentAt ?? ""),
  );
  if (!first?.pickupAppointmentAt) return cell("Appointment", "None known");
  const note =
    waiting.length > 1 ? html`<span class="number">${first.number}</span>` : appointmentNote(first, shipment);
  return cell("Appointment", inlineTime(first.pickupAppointmentAt, zoneAtPickup(first, shipment)), note);
}

export interface KeyFiguresOptions {
  readonly shipment: ShipmentRecord;
  readonly containers: readonly ContainerRecord[];
  /** Null: not available. */
  readonly costs: Costs | null;
  /** Whether it shows the present: past charges are explained nowhere. */
  readonly isNow: boolean;
}

/** Where the charges of a container are explained. */
export const chargesPath = (containerId: string): string => `/containers/${containerId}#demurrage`;

export const perDayText = ({ perDay }: Costs): string => perDay.map((one) => `${moneyText(one)} per day`).join(" + ");

function costCell({ shipment, containers, costs, isNow }: KeyFiguresOptions): Html {
  if (costs === null) return cell("Charges", "Not available");
  const [waiting] = containers.filter((container) => container.emptyTerminatedAt === null);
  const stopped = waiting === undefined ? null : asOfStop(waiting, shipment);
  const amounts = costs.soFar.map(moneyText).join(" + ");
  const [only, ...others] = containers;
  const linked =
    isNow &&
    amounts !== "" &&
    only !== undefined &&
    others.length === 0 &&
    html`<a href="${chargesPath(only.id)}">${amounts}</a>`;
  return cell("Charges", linked || amounts || "None known", stopped ?? (perDayText(costs) || null));
}

/** What decides about the pickup, for the head of a record. Null: before the arrival nothing is known. */
export function keyFigures(options: KeyFiguresOptions): Html | null {
  const { shipment, containers, costs } = options;
  const waiting = containers.filter((container) => !isPickedUp(container));
  const isKnown = (one: ContainerRecord) => isAtPort(one, shipment) || isPickupKnown(one, zoneAtPort(one, shipment));
  const isWaiting = waiting.some(isKnown);
  if (!isWaiting && !costs?.soFar.length) return null;
  return html`
    <dl class="key-figures">
      ${isWaiting && availableCell(waiting, shipment)}
      ${costCell(options)}
      ${isWaiting && holdsCell(waiting)}
      ${isWaiting && appointmentCell(waiting, shipment)}
    </dl>`;
}
