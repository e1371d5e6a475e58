import {
  type DemurrageCharge,
  earliestDay,
  lastFreeDayByRule,
  runningImportCharges,
} from "../demurrage/compute-demurrage.ts";
import { type ChargedPrice, type FeeReport, priceOf, type ReportedFee } from "../demurrage/reported-charges.ts";
import type { EtaChangeCause } from "../eta-changes/eta-change-cause.ts";
import { addMs, dayMs, hourMs, type Instant } from "../instant.ts";
import { daysBetween, type LocalDate, localDateOrUtc, nextMidnight } from "../local-time.ts";
import { sumMoney } from "../money/money.ts";
import { daysLater, daysPast, placeDelayDays } from "../shipments/arrival-delay.ts";
import { isUnreported, type StopReason } from "../shipments/shipment.ts";
import { type FreshnessFacts, shipmentFreshness } from "../tracking/shipment-freshness.ts";
import { carrierReportedAt } from "../tracking/tracking-progress.ts";
import type { ConnectionAtRisk } from "./connection-at-risk.ts";
import type { ExceptionDetails } from "./exception.ts";
import { exceptionThresholds as thresholds } from "./exception-thresholds.ts";
import { type EvaluatedExceptions, Findings } from "./findings.ts";
import type { PortOfDischargeChange } from "./port-of-discharge-change.ts";
import type { VoyageChange } from "./voyage-changes.ts";

/** An arrival at the port of discharge. */
export interface ArrivalExceptionFacts {
  readonly estimatedArrivalAt: Instant | null;
  /** The first estimate. */
  readonly originalEtaAt: Instant | null;
  readonly hasArrived: boolean;
}

export interface ContainerExceptionFacts {
  readonly id: string;
  /** Null unless the containers of the shipment arrive separately. */
  readonly ownArrival: ArrivalExceptionFacts | null;
  /** Date in the time zone of the place of pickup. */
  readonly lastFreeDay: LocalDate | null;
  readonly pickupAppointmentAt: Instant | null;
  /** IANA zone of that place. */
  readonly timeZone: string | null;
  readonly holds: readonly { readonly name: string; readonly status: string }[];
  readonly fees: readonly ReportedFee[];
  /** Past reports of fees, the oldest first. */
  readonly feeReports: readonly FeeReport[];
  /** Charges by the rules of the account. */
  readonly charges: readonly DemurrageCharge[];
  /** Taken out full. */
  readonly fullOutAt: Instant | null;
  readonly emptyReturnedAt: Instant | null;
}

/** The arrival is that of the last container, if they arrive separately. */
export interface ShipmentExceptionFacts extends FreshnessFacts, ArrivalExceptionFacts {
  /** IANA zone of the place of arrival. */
  readonly arrivalTimeZone: string | null;
  /** Cause of the last ETA change for which the reports show one; null: none has one. */
  readonly etaChangeCause: EtaChangeCause | null;
  /** Null while the shipment is tracked. */
  readonly stoppedReason: StopReason | null;
  readonly voyageChange: VoyageChange | null;
  readonly connectionAtRisk: ConnectionAtRisk | null;
  readonly portOfDischargeChange: PortOfDischargeChange | null;
  readonly containers: readonly ContainerExceptionFacts[];
}

/** Returns the details of charges that grow by time. */
function pricedDetails({
  amounts,
  perDay,
  source,
}: ChargedPrice): Pick<ExceptionDetails, "amounts" | "perDay" | "demurrageSource"> {
  return {
    ...(amounts.length > 0 && { amounts }),
    ...(perDay && { perDay }),
    ...(source && { demurrageSource: source }),
  };
}

/** A pickup that is booked for a day which will be charged. */
function evaluateAppointment(
  { id, pickupAppointmentAt: at, timeZone }: ContainerExceptionFacts,
  lastFreeDay: LocalDate,
  findings: Findings,
): void {
  if (at === null) return;
  const appointmentDate = localDateOrUtc(at, timeZone);
  const days = daysBetween(lastFreeDay, appointmentDate);
  if (days > 0) findings.add("late_appointment", "warning", { days, lastFreeDay, appointmentDate }, id);
}

/** @returns whether the last free day is over: what is charged since is part of that finding. */
function evaluateLastFreeDay(
  container: ContainerExceptionFacts,
  price: ChargedPrice,
  now: Instant,
  findings: Findings,
): boolean {
  const { id, lastFreeDay: reported } = container;
  const timeZone = container.timeZone ?? "UTC";
  const lastFreeDay = earliestDay([reported, lastFreeDayByRule(container.charges)]);
  if (lastFreeDay === null) return false;
  findings.changesAt(nextMidnight(now, timeZone));
  const days = daysBetween(localDateOrUtc(now, timeZone), lastFreeDay);
  const day = { lastFreeDay, ...(lastFreeDay !== reported && { reportedLastFreeDay: reported }) };
  if (days < 0) {
    findings.add("last_free_day_over", "critical", { days: -days, ...day, ...pricedDetails(price) }, id);
    return true;
  }
  // Nothing is charged yet: the price of the first day after the last free day.
  const next = price.perDay && price.amounts.length === 0 ? { perDay: price.perDay } : {};
  if (days === 0) findings.add("last_free_day_today", "critical", { days, ...day, ...next }, id);
  else if (days <= thresholds.lastFreeDaySoonDays)
    findings.add("last_free_day_soon", "warning", { days, ...day, ...next }, id);
  evaluateAppointment(container, lastFreeDay, findings);
  return false;
}

function evaluateHolds({ id, holds }: ContainerExceptionFacts, findings: Findings): void {
  const inForce = holds.filter(({ status }) => status === "hold").map(({ name }) => name);
  const customs = inForce.filter((name) => name.toLowerCase().includes("customs"));
  const others = inForce.filter((name) => !customs.includes(name));
  if (customs.length > 0) findings.add("customs_hold", "critical", { holds: customs }, id);
  if (others.length > 0) findings.add("hold", "critical", { holds: others }, id);
}

/** @param isOver whether the last free day is: its finding has the charges by time itself. */
function evaluateFees(id: string, price: ChargedPrice, isOver: boolean, findings: Findings): void {
  const fees = isOver ? price.fees : sumMoney([...price.amounts, ...price.fees]);
  if (fees.length === 0) return;
  const isByTime = !isOver && price.amounts.length > 0;
  const feeTypes = isByTime ? ["demurrage", ...price.feeTypes] : price.feeTypes;
  findings.add("fee", "warning", { ...(isByTime && pricedDetails(price)), amounts: fees, feeTypes }, id);
}

function evaluatePickup(container: ContainerExceptionFacts, now: Instant, findings: Findings): void {
  const price = priceOf(runningImportCharges(container.charges), container);
  const isOver = evaluateLastFreeDay(container, price, now, findings);
  evaluateHolds(container, findings);
  evaluateFees(container.id, price, isOver, findings);
}

/** Adds `not_returned` from the last free day of a demurrage rule on; without a rule, after a fixed time. */
function evaluateReturn(
  container: ContainerExceptionFacts,
  fullOutAt: Instant,
  now: Instant,
  findings: Findings,
): void {
  const charges = runningImportCharges(container.charges);
  const lastFreeDay = lastFreeDayByRule(charges);
  const timeZone = charges[0]?.timeZone ?? container.timeZone ?? "UTC";
  // Between the dates, so that it is the difference of those that are shown.
  const days = daysLater(fullOutAt, now, timeZone) ?? 0;
  findings.changesAt(nextMidnight(now, timeZone));
  if (lastFreeDay === null) {
    if (days >= thresholds.emptyReturnDays) findings.add("not_returned", "warning", { days }, container.id);
    return;
  }
  if (localDateOrUtc(now, timeZone) < lastFreeDay) return;
  const priced = pricedDetails(priceOf(charges, { fees: [], feeReports: [] }));
  findings.add("not_returned", "warning", { days, lastFreeDay, ...priced }, container.id);
}

function evaluateContainer(container: ContainerExceptionFacts, now: Instant, findings: Findings): void {
  const { fullOutAt, emptyReturnedAt } = container;
  if (emptyReturnedAt !== null) return;
  if (fullOutAt === null) evaluatePickup(container, now, findings);
  else evaluateReturn(container, fullOutAt, now, findings);
}

/** The day of an estimate in the time zone of the port of discharge. */
const estimateOf = (at: Instant, timeZone: string | null) => ({
  estimatedArrivalAt: at,
  estimatedArrivalDate: localDateOrUtc(at, timeZone),
});

/**
 * Evaluates a change of the port of discharge. It matters until the arrival: what depends on the port is arranged
 * before.
 */
function evaluatePortOfDischarge(facts: ShipmentExceptionFacts, findings: Findings): void {
  const { portOfDischargeChange, hasArrived, estimatedArrivalAt, arrivalTimeZone } = facts;
  if (portOfDischargeChange === null || hasArrived) return;
  const estimate = estimatedArrivalAt === null ? {} : estimateOf(estimatedArrivalAt, arrivalTimeZone);
  findings.add("port_of_discharge_changed", "critical", { ...portOfDischargeChange, ...estimate }, null);
}

function evaluateArrival(
  { estimatedArrivalAt, originalEtaAt, hasArrived }: ArrivalExceptionFacts,
  { arrivalTimeZone, etaChangeCause }: Pick<ShipmentExceptionFacts, "arrivalTimeZone" | "etaChangeCause">,
  now: Instant,
  findings: Findings,
  containerId: string | null,
): void {
  if (hasArrived || estimatedArrivalAt === null) return;
  const estimate = estimateOf(estimatedArrivalAt, arrivalTimeZone);
  const overdueDays = daysPast(estimatedArrivalAt, now);
  findings.changesDaily(estimatedArrivalAt);
  if (overdueDays !== null) findings.add("arrival_overdue", "warning", { days: overdueDays, ...estimate }, containerId);
  // Without a later estimate, an overdue arrival is that exception alone.
  const estimatedDays = daysLater(originalEtaAt, estimatedArrivalAt, arrivalTimeZone);
  if (originalEtaAt === null || estimatedDays === null || estimatedDays < thresholds.lateArrivalDays) return;
  if (overdueDays !== null) findings.changesAt(nextMidnight(now, arrivalTimeZone ?? "UTC"));
  const arrival = { etaAt: estimatedArrivalAt, originalEtaAt, ataAt: null, timeZone: arrivalTimeZone };
  const days = placeDelayDays({ ...arrival, isAwaited: true }, now) ?? estimatedDays;
  const details = {
    days,
    ...estimate,
    ...(overdueDays !== null && { overdueDays }),
    ...(etaChangeCause !== null && { etaChangeCause }),
  };
  findings.add("eta_delay", "warning", details, containerId);
}

/** Evaluates the arrival of each container that arrives separately, otherwise that of the shipment. */
function evaluateArrivals(facts: ShipmentExceptionFacts, now: Instant, findings: Findings): void {
  const separate = facts.containers.flatMap(({ id, ownArrival }) => (ownArrival === null ? [] : { id, ownArrival }));
  if (separate.length === 0) evaluateArrival(facts, facts, now, findings, null);
  for (const { id, ownArrival } of separate) {
    // The recorded cause explains the ETA of the shipment, which is that of its last container.
    const isLast = ownArrival.estimatedArrivalAt === facts.estimatedArrivalAt;
    evaluateArrival(ownArrival, isLast ? facts : { ...facts, etaChangeCause: null }, now, findings, id);
  }
}

/** A usable reply that changes nothing triggers no check, so a silent carrier is checked again at this interval. */
const silentCheckMs = 6 * hourMs;

function evaluateFreshness(facts: ShipmentExceptionFacts, now: Instant, findings: Findings): void {
  const { freshness, answerExpectedBy, changeExpectedBy } = shipmentFreshness(facts, now);
  findings.changesAt(answerExpectedBy === null ? null : addMs(answerExpectedBy, dayMs + 1));
  findings.changesAt(changeExpectedBy === null ? null : addMs(changeExpectedBy, 1));
  if (freshness !== "stale" && freshness !== "silent") return;
  const reportedAt = carrierReportedAt(facts);
  const details: ExceptionDetails =
    freshness === "stale"
      ? {
          silentSince: facts.lastSucceededAt ?? facts.trackedSince,
          isUnanswered: true,
          ...(reportedAt !== null && { reportedAt }),
        }
      : { silentSince: reportedAt ?? facts.trackedSince };
  findings.add("carrier_silent", "warning", details, null);
  findings.changesAt(addMs(now, silentCheckMs));
}

/** The last free day that is over of a container which is not picked up and is charged, until a member resolves it. */
function evaluateUnreportedPickup(
  container: ContainerExceptionFacts,
  stoppedAt: Instant,
  now: Instant,
  findings: Findings,
): void {
  const isCharged = container.fullOutAt === null && container.emptyReturnedAt === null;
  const pickup = new Findings(now);
  if (isCharged) evaluatePickup(container, now, pickup);
  const over = pickup.result().found.find(({ kind, details }) => kind === "last_free_day_over" && details.amounts);
  if (over === undefined) return;
  const trackingStoppedDate = localDateOrUtc(stoppedAt, container.timeZone);
  // What is not updated does not grow.
  const { perDay: _, ...details } = over.details;
  findings.add(over.kind, over.severity, { ...details, trackingStoppedDate }, over.containerId);
  findings.changesAt(pickup.result().nextCheckAt);
}

/**
 * What remains when tracking stopped because nothing more was reported: charges, and an arrival that is delayed or
 * overdue, of a container that may be lost.
 */
function evaluateUnreported(facts: ShipmentExceptionFacts, stoppedAt: Instant, now: Instant, findings: Findings): void {
  for (const container of facts.containers) evaluateUnreportedPickup(container, stoppedAt, now, findings);
  const arrivals = new Findings(now);
  evaluateArrivals(facts, now, arrivals);
  const { found, nextCheckAt } = arrivals.result();
  const trackingStoppedDate = localDateOrUtc(stoppedAt, facts.arrivalTimeZone);
  for (const { kind, severity, details, containerId } of found)
    findings.add(kind, severity, { ...details, trackingStoppedDate }, containerId);
  findings.changesAt(nextCheckAt);
}

/**
 * The exceptions of a shipment and its containers. Pickup counts until the full gate-out, the empty return after it,
 * and a delay until the arrival. Once tracking has stopped, only what `evaluateUnreported` finds. `now`: on the
 * tracking clock.
 */
export function evaluateShipment(facts: ShipmentExceptionFacts, now: Instant): EvaluatedExceptions {
  const findings = new Findings(now);
  if (facts.stoppedAt !== null) {
    if (isUnreported(facts.stoppedReason)) evaluateUnreported(facts, facts.stoppedAt, now, findings);
    return findings.result();
  }
  for (const container of facts.containers) evaluateContainer(container, now, findings);
  if (facts.voyageChange !== null && !facts.hasArrived) {
    const { kind, details } = facts.voyageChange;
    findings.add(kind, kind === "rollover" ? "warning" : "critical", details, null);
  }
  if (facts.connectionAtRisk !== null && !facts.hasArrived) {
    findings.add("connection_at_risk", "warning", facts.connectionAtRisk, null);
  }
  evaluatePortOfDischarge(facts, findings);
  evaluateArrivals(facts, now, findings);
  evaluateFreshness(facts, now, findings);
  return findings.result();
}
