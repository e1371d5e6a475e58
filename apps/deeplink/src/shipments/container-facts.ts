import type { Container, Shipment } from "@svc/domain";
import { type Html, html } from "../http/html.ts";
import { localTime } from "./local-time.ts";
import { eventWords } from "./words.ts";

function availability({ availabilityKnown, availableForPickup }: Container): string {
  if (!availabilityKnown) return "not known";
  return availableForPickup ? "yes" : "no";
}

function equipment({ equipmentLength, equipmentType, equipmentHeight }: Container): string {
  const parts = [equipmentLength && `${equipmentLength} ft`, equipmentType, equipmentHeight];
  return parts.filter((part) => part).join(", ") || "–";
}

/** What is known of one container. */
export function containerFacts(container: Container, shipment: Shipment): Html {
  const zone = container.podTimezone ?? shipment.portOfDischarge?.timeZone ?? null;
  const holds = container.holdsAtPodTerminal.map(({ name, status }) => `${eventWords(name)} (${status})`);
  const fees = container.feesAtPodTerminal.map(({ type, amount, currencyCode }) =>
    [eventWords(type), amount, currencyCode].filter((part) => part !== null).join(" "),
  );
  const facts: (readonly [string, Html | string])[] = [
    ["State", eventWords(container.currentStatus)],
    ["Available for pickup", availability(container)],
    ["Last free day", localTime(container.pickupLfd, zone, "date_only")],
    ["Pickup appointment", localTime(container.pickupAppointmentAt, zone)],
    ["Holds", holds.join(", ") || "–"],
    ["Fees", fees.join(", ") || "–"],
    ["Equipment", equipment(container)],
    ["Seal", container.sealNumber ?? "–"],
    ["References", container.refNumbers.join(", ") || "–"],
  ];
  return html`<dl>${facts.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
}
