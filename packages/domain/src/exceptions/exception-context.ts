import { dateText, dayCount } from "../eta-changes/voyage-text.ts";
import type { Instant } from "../instant.ts";
import { localDateOrUtc } from "../local-time.ts";
import { daysLater } from "../shipments/arrival-delay.ts";
import { delayReasonKinds } from "./describe-exception.ts";
import type { ExceptionKind } from "./exception.ts";

/** The records of an exception, as far as its context names them. Null: not known, or it has none. */
export interface ExceptionSubject {
  /** Number of the container, the bill of lading or the request. */
  readonly number: string;
  readonly shipmentNumber: string | null;
  readonly customerName: string | null;
  /** The account's own, of the container before those of its shipment. */
  readonly refNumbers: readonly string[];
  readonly portOfLadingName: string | null;
  readonly portOfDischargeName: string | null;
  /** Inland or another port; null: the port of discharge. */
  readonly destinationName: string | null;
  /** Vessel that arrives at the port of discharge. */
  readonly vesselName: string | null;
  readonly voyageNumber: string | null;
  readonly estimatedArrivalAt: Instant | null;
  readonly firstEstimatedArrivalAt: Instant | null;
  /** IANA zone of the port of discharge. */
  readonly arrivalTimeZone: string | null;
}

/** Kinds whose reader first asks when the cargo arrives. The summaries of kinds with charges have the amounts. */
const delayKinds: ReadonlySet<ExceptionKind> = new Set(delayReasonKinds);

const referencesMax = 2;

/** "PO-1, PO-2, +3"; null: none. */
function referencesText(refNumbers: readonly string[]): string | null {
  const own = [...new Set(refNumbers)];
  const omitted = own.length - referencesMax;
  return [...own.slice(0, referencesMax), ...(omitted > 0 ? [`+${omitted}`] : [])].join(", ") || null;
}

type Arrival = Pick<ExceptionSubject, "estimatedArrivalAt" | "firstEstimatedArrivalAt" | "arrivalTimeZone">;

/** "ETA 9 Jan 2026, first 7 Jan 2026 (+2 days)", in the time zone of the port of discharge. */
function arrivalText({ estimatedArrivalAt: eta, firstEstimatedArrivalAt: first, arrivalTimeZone }: Arrival) {
  if (eta === null) return null;
  const day = (at: Instant) => dateText(localDateOrUtc(at, arrivalTimeZone));
  if (first === null) return `ETA ${day(eta)}`;
  const days = daysLater(first, eta, arrivalTimeZone) ?? 0;
  if (days === 0) return `ETA ${day(eta)}, as first estimated`;
  return `ETA ${day(eta)}, first ${day(first)} (${days > 0 ? "+" : "−"}${dayCount(Math.abs(days))})`;
}

type Cargo = Pick<
  ExceptionSubject,
  "customerName" | "refNumbers" | "portOfLadingName" | "portOfDischargeName" | "destinationName"
>;

/** "Shanghai → Rotterdam → Duisburg"; null: nothing is known. */
function routeText({ portOfLadingName: from, portOfDischargeName: to, destinationName: end }: Cargo): string | null {
  if (from === null && to === null && end === null) return null;
  return [from ?? "–", to ?? "–", ...(end === null || end === to ? [] : [end])].join(" → ");
}

/** "Northwind · PO-1, PO-2, +3 · Shanghai → Rotterdam": whose cargo it is and its route; null: nothing is known. */
export const cargoContext = (cargo: Cargo): string | null =>
  [cargo.customerName, referencesText(cargo.refNumbers), routeText(cargo)].filter(Boolean).join(" · ") || null;

/**
 * Returns, in one line, what an operator needs besides the summary to act on an exception: shipment, cargo, vessel, and
 * for a change of the voyage the ETA and its delay. Null: nothing is known.
 */
export function exceptionContext(kind: ExceptionKind, subject: ExceptionSubject): string | null {
  const { number, shipmentNumber, vesselName, voyageNumber } = subject;
  const parts = [
    shipmentNumber === null || shipmentNumber === number ? null : `Shipment ${shipmentNumber}`,
    cargoContext(subject),
    [vesselName, vesselName && voyageNumber].filter(Boolean).join(" "),
    delayKinds.has(kind) ? arrivalText(subject) : null,
  ];
  return parts.filter(Boolean).join(" · ") || null;
}
