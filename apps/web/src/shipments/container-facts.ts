import { type Instant, localDateOrUtc } from "@svc/domain";
import { reportedAmounts } from "@svc/domain/demurrage";
import { weightText } from "@svc/domain/members";
import { moneyText } from "@svc/domain/money";
import { calendarDayText, eventLabel, type Html, html, localTime } from "@svc/views";
import { readerPreferences } from "../display/reader-preferences.ts";
import { relativeTimestamp } from "../pages/timestamps.ts";
import { firstReferences, otherReferences } from "../pages/visible-references.ts";
import type { ContainerRecord, KnownNames, ShipmentRecord } from "./api-records.ts";
import type { LabelledValue } from "./field-sources.ts";
import { isAfterDay, isPickedUp, lastFreeDayFact, lastFreeDays } from "./last-free-day.ts";

/** Before its discharge a container is not expected to be available. */
const atSea: ReadonlySet<ContainerRecord["currentStatus"]> = new Set(["new", "on_ship"]);

/**
 * "as of Wed, 10 Feb 2027": the day on which tracking stopped, since when neither the pickup nor charges are updated.
 * Null: they are, or the container is returned.
 */
export function asOfStop(container: ContainerRecord, shipment: ShipmentRecord): string | null {
  const { lineTrackingStoppedAt: at } = shipment;
  if (!at || container.emptyTerminatedAt !== null) return null;
  return `as of ${calendarDayText(localDateOrUtc(at, zoneAtPort(container, shipment)))}`;
}

/**
 * Availability for pickup with holds; a contradiction between the two is shown as such. What is not updated any more
 * has no colour.
 */
export function availability(container: ContainerRecord, shipment: ShipmentRecord): Html | string {
  const { availabilityKnown, availableForPickup, holdsAtPodTerminal, currentStatus } = container;
  if (container.podFullOutAt ?? container.finalDestinationFullOutAt) return "Picked up";
  if (!availabilityKnown) return "Not known";
  const stopped = asOfStop(container, shipment);
  if (stopped !== null) return html`${availableForPickup ? "Yes" : "No"} <span class="muted">${stopped}</span>`;
  if (!availableForPickup) return html`<span class="${atSea.has(currentStatus) ? "muted" : "late"}">No</span>`;
  const isHeld = holdsAtPodTerminal.some(({ status }) => status === "hold");
  return isHeld ? html`Yes, <span class="late">but it is held</span>` : html`<span class="early">Yes</span>`;
}

function equipment({ equipmentLength, equipmentType, equipmentHeight }: ContainerRecord): string {
  const parts = [equipmentLength && `${equipmentLength} ft`, equipmentType, equipmentHeight?.replaceAll("_", " ")];
  return parts.filter((part) => part).join(", ") || "–";
}

function holds(container: ContainerRecord): Html | string {
  const { holdsAtPodTerminal } = container;
  if (holdsAtPodTerminal.length === 0) return noFeesText(container);
  const item = ({ name, status, description }: ContainerRecord["holdsAtPodTerminal"][number]) => {
    const [className, label] = status === "hold" ? ["late", "held"] : ["muted", "pending"];
    return html`<li><span class="${className}">${eventLabel(name)}: ${label}</span>
      ${description && html`<span class="muted">${description}</span>`}</li>`;
  };
  return html`<ul class="plain">${holdsAtPodTerminal.map(item)}</ul>`;
}

/** Terminals are queried until the pickup: of a container that was out before, they reported neither. */
const noFeesText = ({ terminalCheckedAt, podFullOutAt, finalDestinationFullOutAt }: ContainerRecord): string =>
  terminalCheckedAt === null && (podFullOutAt ?? finalDestinationFullOutAt) !== null
    ? "Not known: picked up before the terminal was queried"
    : "None known";

/** Fees that do not grow with time. */
export const feeLabels: Readonly<Record<string, string>> = { exam: "Exam fee", other: "Other fees" };

/** "Demurrage 600.00 USD" of each fee by the terminal. */
export const feeTexts = (
  { feesAtPodTerminal }: Pick<ContainerRecord, "feesAtPodTerminal">,
  otherLabel = feeLabels.other ?? "",
): string[] =>
  feesAtPodTerminal.map(
    ({ type, ...money }) =>
      `${type === "other" ? otherLabel : (feeLabels[type] ?? eventLabel(type))} ${moneyText(money)}`,
  );

/** `otherLabel`: of fees that are neither by time nor an exam. */
export function feesOf(container: ContainerRecord, otherLabel?: string): Html | string {
  const { feesAtPodTerminal } = container;
  const [only, ...others] = feeTexts(container, otherLabel);
  if (only === undefined) return noFeesText(container);
  if (others.length === 0) return html`<strong>${only}</strong>`;
  return html`<strong>${reportedAmounts(feesAtPodTerminal).map(moneyText).join(" + ")}</strong>
    <ul class="plain muted">${[only, ...others].map((text) => html`<li>${text}</li>`)}</ul>`;
}

export const zoneAtPort = ({ podTimezone }: ContainerRecord, { portOfDischarge }: ShipmentRecord): string | null =>
  podTimezone ?? portOfDischarge?.timeZone ?? null;

/** Time zone of the place of pickup: inland once the container has arrived there, otherwise the port of discharge. */
export function zoneAtPickup(container: ContainerRecord, shipment: ShipmentRecord): string | null {
  const { indAtaAt, finalDestinationTimezone } = container;
  return (indAtaAt && finalDestinationTimezone) ?? zoneAtPort(container, shipment);
}

/** That the appointment is after the last free day; null: it is not. */
export function appointmentNote(container: ContainerRecord, shipment: ShipmentRecord): Html | null {
  const { pickupAppointmentAt: at } = container;
  const [first] = lastFreeDays(container, zoneAtPort(container, shipment));
  const isTooLate =
    at !== null && !isPickedUp(container) && isAfterDay(at, first?.day ?? null, zoneAtPickup(container, shipment));
  return isTooLate ? html`<span class="late">after the last free day</span>` : null;
}

const appointment = (container: ContainerRecord, shipment: ShipmentRecord): Html =>
  html`${localTime(container.pickupAppointmentAt, zoneAtPickup(container, shipment))} ${appointmentNote(container, shipment)}`;

/** All facts about the pickup of a container. */
export function pickupFacts(
  container: ContainerRecord,
  shipment: ShipmentRecord,
  now: Instant,
): readonly LabelledValue[] {
  const zone = zoneAtPort(container, shipment);
  return [
    { term: "Available", value: availability(container, shipment), field: "availableForPickup" },
    { term: "Last free day", value: lastFreeDayFact(container, zone, now), field: "pickupLfd" },
    { term: "Pickup appointment", value: appointment(container, shipment), field: "pickupAppointmentAt" },
    { term: "Holds", value: holds(container), field: "holdsAtPodTerminal" },
    { term: "Charges by the terminal", value: feesOf(container), field: "feesAtPodTerminal" },
    { term: "Yard location", value: container.locationAtPodTerminal ?? "–", field: "locationAtPodTerminal" },
  ];
}

/** Whether anything about the pickup of a container is known. */
export const isPickupKnown = (container: ContainerRecord, zone: string | null): boolean =>
  container.availabilityKnown ||
  container.pickupAppointmentAt !== null ||
  container.locationAtPodTerminal !== null ||
  container.holdsAtPodTerminal.length + container.feesAtPodTerminal.length > 0 ||
  lastFreeDays(container, zone).length > 0;

const reportedLater = html`<div class="whole-row muted">Reported after discharge, with holds, fees and last free
  day</div>`;

/** Fields of the pickup that many terminals do not report. */
const optionalFields: ReadonlySet<string | null> = new Set(["pickupAppointmentAt", "locationAtPodTerminal"]);

/** Whether nothing about the pickup is known, because the container is not discharged yet. */
export const isReportedLater = (container: ContainerRecord, shipment: ShipmentRecord): boolean =>
  atSea.has(container.currentStatus) && !isPickupKnown(container, zoneAtPort(container, shipment));

/** The facts about the pickup of a container that are known at its present stage. */
export function knownPickupFacts(
  container: ContainerRecord,
  shipment: ShipmentRecord,
  now: Instant,
): readonly LabelledValue[] {
  if (isReportedLater(container, shipment)) {
    return [{ term: "Available", value: reportedLater, field: null }];
  }
  return pickupFacts(container, shipment, now).filter(
    ({ field }) => !optionalFields.has(field) || (container[field as keyof ContainerRecord] ?? null) !== null,
  );
}

/** The facts about the container itself. */
export function containerFacts(container: ContainerRecord): readonly LabelledValue[] {
  const { weightInLbs } = container;
  return [
    { term: "Equipment", value: equipment(container), field: "equipmentType" },
    {
      term: "Weight",
      value: weightInLbs === null ? "–" : weightText(weightInLbs, readerPreferences().units),
      field: null,
    },
    { term: "Seal", value: container.sealNumber ?? "–", field: "sealNumber" },
    {
      term: "References",
      value: html`<div class="whole-row">${firstReferences(container.refNumbers) || "–"}
        ${otherReferences(container.refNumbers, container.id)}</div>`,
      field: null,
    },
  ];
}

/** Fields that the key figures in the head of a page have, too. */
const headFields: ReadonlySet<string | null> = new Set([
  "availableForPickup",
  "pickupAppointmentAt",
  "holdsAtPodTerminal",
  "feesAtPodTerminal",
]);

/** Facts of the pickup of one container beside its key figures: what these do not have, and the parts of their sums. */
export function factsBesideHead(
  known: readonly LabelledValue[],
  { holdsAtPodTerminal: holds, feesAtPodTerminal: fees }: ContainerRecord,
): readonly LabelledValue[] {
  const hasParts = (field: string | null) =>
    (field === "holdsAtPodTerminal" && holds.length > 0) || (field === "feesAtPodTerminal" && fees.length > 1);
  return known.filter(({ field }) => !headFields.has(field) || hasParts(field));
}

export const isKnownFact = ({ value }: LabelledValue): boolean => value !== "–";

/** Where the container is picked up. */
export function placeFacts(container: ContainerRecord, names: KnownNames, now: Instant): readonly LabelledValue[] {
  const name = (id: string | null | undefined) => (id && names.get(id)) || "–";
  const [terminal, pickup] = [name(container.podTerminalId), name(container.pickupFacility?.id)];
  const { terminalCheckedAt: checkedAt } = container;
  return [
    { term: "Terminal", value: terminal, field: null },
    { term: "Place of pickup", value: pickup === terminal ? "–" : pickup, field: null },
    {
      term: "Terminal checked",
      value: checkedAt === null ? "–" : relativeTimestamp(checkedAt, Date.parse(now)),
      field: null,
    },
  ];
}
