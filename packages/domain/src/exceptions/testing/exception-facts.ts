import { addMs, hourMs, instant } from "../../instant.ts";
import type { ContainerExceptionFacts, ShipmentExceptionFacts } from "../exception-rules.ts";

/** The time at which the facts are evaluated. */
export const now = instant("2026-06-10T12:00:00.000Z");
/** A container of which nothing is known. */
export const container: ContainerExceptionFacts = {
  id: "c",
  ownArrival: null,
  lastFreeDay: null,
  pickupAppointmentAt: null,
  timeZone: "America/Los_Angeles",
  holds: [],
  fees: [],
  feeReports: [],
  charges: [],
  fullOutAt: null,
  emptyReturnedAt: null,
};
/** A shipment that is tracked, and of which nothing is known. */
export const shipment: ShipmentExceptionFacts = {
  progress: null,
  stoppedAt: null,
  stoppedReason: null,
  trackedSince: addMs(now, -hourMs),
  lastSucceededAt: now,
  unchangedPolls: 0,
  lastChangedAt: now,
  notFoundSince: null,
  estimatedArrivalAt: null,
  arrivalTimeZone: "America/Los_Angeles",
  originalEtaAt: null,
  hasArrived: false,
  etaChangeCause: null,
  voyageChange: null,
  connectionAtRisk: null,
  portOfDischargeChange: null,
  containers: [],
};

/** A charge of a demurrage rule, 3 days after its last free day. */
export const ruleCharge: ContainerExceptionFacts["charges"][number] = {
  kind: "demurrage",
  direction: "import",
  status: "charged",
  ruleId: "r",
  ruleName: "Contract",
  countingStart: "discharged",
  startedAt: now,
  startDay: "2026-06-01",
  countingEnd: "full_out",
  endedAt: null,
  timeZone: "America/Los_Angeles",
  freeDays: 7,
  freeDaysUsed: 7,
  lastFreeDay: "2026-06-07",
  chargedDays: 3,
  amount: "0.00",
  currencyCode: "USD",
  amountPerDay: null,
  days: [],
};
