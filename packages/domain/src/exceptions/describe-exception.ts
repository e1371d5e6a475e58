import { failingStatus, failingStatusLabels } from "../carrier-connections/carrier-connection.ts";
import { etaChangeCauseText } from "../eta-changes/describe-eta-change.ts";
import { dateText, dayCount, duration, placeName, sailing } from "../eta-changes/voyage-text.ts";
import type { Instant } from "../instant.ts";
import { addDays } from "../local-time.ts";
import { type Money, moneyText } from "../money/money.ts";
import { failedReasonText } from "../tracking-requests/failed-reason-text.ts";
import type { ExceptionDetails, ExceptionKind, FoundException } from "./exception.ts";

/**
 * "450.00 USD so far, 150.00 USD per day; 20.00 EUR so far": the price of a day beside the sum of its currency. Amounts
 * that are not updated are "as of" a day.
 */
function price({ amounts = [], perDay, trackingStoppedDate: stopped }: ExceptionDetails): string {
  const until = stopped === undefined ? "so far" : `as of ${dateText(stopped)}`;
  const rate = perDay === undefined ? null : `${moneyText(perDay)} per day`;
  const isSameCurrency = (one: Money) => one.currencyCode === perDay?.currencyCode;
  const sums = amounts.map((one) => {
    const sum = `${moneyText(one)} ${until}`;
    return rate !== null && isSameCurrency(one) ? `${sum}, ${rate}` : sum;
  });
  return [...sums, ...(rate === null || amounts.some(isSameCurrency) ? [] : [rate])].join("; ");
}

const withPrice = (text: string, details: ExceptionDetails): string => {
  const priced = price(details);
  return priced === "" ? text : `${text}, ${priced}`;
};

/** "Last free day in 2 days, then 150.00 USD per day". */
const withNextPrice = (text: string, { perDay }: ExceptionDetails): string =>
  perDay === undefined ? text : `${text}, then ${moneyText(perDay)} per day`;

/** "Arrival overdue for 41 days, tracking stopped". */
const withStop = (text: string, { trackingStoppedDate: stopped }: ExceptionDetails): string =>
  stopped === undefined ? text : `${text}, tracking stopped`;

const humanize = (name: string): string => name.replaceAll("_", " ").toLowerCase();

const withInitial = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const hold = (details: ExceptionDetails): string => `On hold: ${(details.holds ?? []).map(humanize).join(", ")}`;

const feeNames: Readonly<Record<string, string>> = { exam: "exam fee", other: "other fees" };
const listFormat = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** "Exam fee", "Demurrage and other fees", or "Fees" where their types are not known. */
function feeName({ feeTypes = [] }: ExceptionDetails): string {
  const names = feeTypes.map((type) => feeNames[type] ?? humanize(type));
  return names.length === 0 ? "Fees" : withInitial(listFormat.format(names));
}

/** "Exam fee: 385.00 USD". */
function feeSummary(details: ExceptionDetails): string {
  const priced = price(details).replaceAll(" so far", "");
  return priced === "" ? feeName(details) : `${feeName(details)}: ${priced}`;
}

/** "No carrier update since 27 Feb 2026". */
function silenceSummary({ isUnanswered, silentSince }: ExceptionDetails): string {
  const what = isUnanswered ? "No reply from the carrier" : "No carrier update";
  return silentSince === undefined ? what : `${what} since ${dateText(silentSince.slice(0, 10))}`;
}

/** "credentials rejected"; null: the carrier is not connected, or the connection works. */
function connectionFailure({ failingConnection }: ExceptionDetails): string | null {
  const status = failingConnection === undefined ? null : failingStatus(failingConnection.error);
  return status && failingStatusLabels[status].toLowerCase();
}

function waiting(details: ExceptionDetails): string {
  const { days, requestStatus, unconnectedCarrier } = details;
  const failure = connectionFailure(details);
  if (requestStatus === "awaiting_manifest") return `The carrier has not known the number for ${dayCount(days)}`;
  if (failure !== null) return `Connection to the carrier fails: ${failure}, pending for ${dayCount(days)}`;
  return unconnectedCarrier === undefined
    ? `Tracking request pending for ${dayCount(days)}`
    : `Carrier not connected, tracking request pending for ${dayCount(days)}`;
}

function waitingCause(details: ExceptionDetails): string | null {
  const { unconnectedCarrier: scac, failingConnection } = details;
  const failure = connectionFailure(details);
  if (failure !== null) {
    return `The connection to the carrier ${failingConnection?.scac} fails: ${failure}. Check and test it on the Carriers page.`;
  }
  return scac === undefined
    ? null
    : `The carrier ${scac === null ? "" : `${scac} `}is not connected. It is queried once you connect it.`;
}

/** An overdue arrival is later than its latest ETA, too. */
const delaySummary = ({ days, overdueDays }: ExceptionDetails): string =>
  overdueDays === undefined
    ? `ETA ${dayCount(days)} later than original`
    : `Arrival ${dayCount(days)} past the original ETA`;

const summaries: Readonly<Record<ExceptionKind, (details: ExceptionDetails) => string>> = {
  last_free_day_over: (one) => withPrice(`Last free day was ${dayCount(one.days)} ago`, one),
  last_free_day_today: (one) => withNextPrice("Last free day is today", one),
  last_free_day_soon: (one) =>
    withNextPrice(one.days === 1 ? "Last free day is tomorrow" : `Last free day in ${dayCount(one.days)}`, one),
  late_appointment: ({ days }) => `Pickup appointment ${dayCount(days)} after the last free day`,
  customs_hold: hold,
  hold,
  fee: feeSummary,
  missed_transshipment: (one) => `Missed transshipment in ${placeName(one.place)}`,
  connection_at_risk: (one) => `Connection at risk in ${placeName(one.place)}`,
  rollover: (one) => `Rolled over in ${placeName(one.place)}`,
  port_of_discharge_changed: (one) => `Port of discharge changed to ${placeName(one.place)}`,
  arrival_overdue: (one) => withStop(`Arrival overdue for ${dayCount(one.days)}`, one),
  eta_delay: (one) => withStop(delaySummary(one), one),
  not_returned: (one) => withPrice(`Picked up ${dayCount(one.days)} ago, not returned`, one),
  carrier_silent: silenceSummary,
  tracking_request_failed: ({ failedReason }) =>
    `Tracking request failed${failedReason == null ? "" : `: ${failedReasonText[failedReason]}`}`,
  tracking_request_waiting: waiting,
};

const withAmounts = (text: string, { amounts = [] }: ExceptionDetails): string =>
  [text, ...amounts.map(moneyText)].join(", ");

/** Summaries of ended conditions, where the present tense or a count of days up to now would be wrong. */
const pastSummaries: Readonly<Partial<Record<ExceptionKind, (details: ExceptionDetails) => string>>> = {
  last_free_day_over: (one) => withAmounts(`Was ${dayCount(one.days)} over the last free day`, one),
  last_free_day_today: ({ lastFreeDay }) => `Last free day was ${dateText(lastFreeDay)}`,
  last_free_day_soon: ({ lastFreeDay }) => `Last free day was ${dateText(lastFreeDay)}`,
  late_appointment: ({ days }) => `Pickup appointment was ${dayCount(days)} after the last free day`,
  arrival_overdue: ({ days }) => `Arrival was overdue for ${dayCount(days)}`,
  not_returned: (one) => withAmounts(`Was not returned for ${dayCount(one.days)} after the pickup`, one),
  tracking_request_waiting: ({ days }) => `Tracking request was pending for ${dayCount(days)}`,
};

interface Described extends Pick<FoundException, "kind" | "details"> {
  /** When the condition ended. Null or not set: it has not. */
  readonly endedAt?: Instant | null;
}

/**
 * "Last free day was 2 days ago, 450.00 USD so far, 150.00 USD per day". During an upgrade, a newer build may have
 * found a kind that this one does not have: its name stands for it.
 */
export function exceptionSummary({ kind, details, endedAt = null }: Described): string {
  const known: Partial<typeof summaries> = summaries;
  const summary = (endedAt !== null ? pastSummaries[kind] : undefined) ?? known[kind];
  return summary?.(details) ?? withInitial(humanize(kind));
}

const priceInSummary = /(?:,(?: then)?|:) \d[\d,]*(?:\.\d+\b| [A-Z]{3}\b).*$/;

/** The summary of an exception for where its amounts stand beside it: "Last free day was 2 days ago". */
export const summaryWithoutPrice = (summary: string): string => summary.replace(priceInSummary, "");

function lateArrival({ arrivedAfterDepartureMs, arrivalIsActual, ...details }: ExceptionDetails): string | null {
  if (arrivedAfterDepartureMs === undefined) return null;
  const arrives = arrivalIsActual ? "arrived" : "is estimated to arrive";
  return `The container ${arrives} in ${placeName(details.place)} ${duration(arrivedAfterDepartureMs)} after the planned departure of ${
    details.previousVoyage ? sailing(details.previousVoyage) : "the next vessel"
  }.`;
}

function voyageChange(details: ExceptionDetails): string {
  const { previousVoyage, nextVoyage } = details;
  const late = lateArrival(details);
  const next = nextVoyage == null ? "No other vessel is planned yet." : `Now planned: ${sailing(nextVoyage)}.`;
  if (late !== null) return `${late} ${next}`;
  return previousVoyage ? `The carrier no longer plans ${sailing(previousVoyage)}. ${next}` : next;
}

function connection({ connectionMs = 0, arrivalIsActual, nextVoyage, place }: ExceptionDetails): string {
  const arrives = arrivalIsActual ? "arrived" : "is estimated to arrive";
  const onward = nextVoyage == null ? "the next vessel" : sailing(nextVoyage);
  const isMissed = connectionMs < 0;
  const time = `${duration(Math.abs(connectionMs))} ${isMissed ? "after" : "before"}`;
  const sentence = `The container ${arrives} in ${placeName(place)} ${time} the planned departure of ${onward}.`;
  return isMissed ? `${sentence} The carrier has planned no other vessel yet.` : sentence;
}

const demurrageSources = {
  terminal: "Demurrage by the terminal.",
  rule: "Demurrage by rules of the account.",
} as const;

/** "Last free day: 16 Dec 2026 by a demurrage rule of the account; 17 Dec 2026 is reported." */
function lastFreeDayText({ lastFreeDay, reportedLastFreeDay: reported }: ExceptionDetails): string {
  const day = dateText(lastFreeDay);
  if (reported === undefined) return `Last free day: ${day}.`;
  const other = reported === null ? "" : `; ${dateText(reported)} is reported`;
  return `Last free day: ${day} by a demurrage rule of the account${other}.`;
}

/** "ETA 23 Mar 2026, originally 17 Mar 2026." */
function laterEta({ estimatedArrivalDate: day, days }: ExceptionDetails): string {
  const original = day === undefined || days === undefined ? "" : `, originally ${dateText(addDays(day, -days))}`;
  return `ETA ${dateText(day)}${original}.`;
}

const overdueArrival = ({ estimatedArrivalDate }: ExceptionDetails): string =>
  `The estimated arrival was ${dateText(estimatedArrivalDate)}, and no arrival was reported.`;

/** A sentence for `causes` of arrivals. */
const trackingStopSentences = ({ trackingStoppedDate: stopped }: ExceptionDetails): readonly string[] =>
  stopped === undefined ? [] : [`Tracking stopped on ${dateText(stopped)}: no arrival will be reported.`];

const lastReport = ({ reportedAt }: ExceptionDetails): string | null =>
  reportedAt === undefined ? null : `The last update of the carrier is of ${dateText(reportedAt.slice(0, 10))}.`;

const causes: Readonly<Partial<Record<ExceptionKind, (details: ExceptionDetails) => string | null>>> = {
  not_returned: ({ lastFreeDay }) =>
    lastFreeDay === undefined ? null : `The last free day for the return, by rule: ${dateText(lastFreeDay)}.`,
  last_free_day_over: ({ demurrageSource, trackingStoppedDate: stopped, ...one }) =>
    [
      lastFreeDayText(one),
      ...(demurrageSource === undefined ? [] : [demurrageSources[demurrageSource]]),
      ...(stopped === undefined ? [] : [`Tracking stopped on ${dateText(stopped)}: the amount is as of that day.`]),
    ].join(" "),
  last_free_day_today: lastFreeDayText,
  last_free_day_soon: lastFreeDayText,
  late_appointment: ({ appointmentDate, lastFreeDay }) =>
    `The appointment is on ${dateText(appointmentDate)}, the last free day is ${dateText(lastFreeDay)}.`,
  missed_transshipment: voyageChange,
  connection_at_risk: connection,
  rollover: voyageChange,
  port_of_discharge_changed: ({ place, previousPlace, estimatedArrivalDate }) =>
    [
      `The carrier first reported ${placeName(previousPlace)}.`,
      ...(estimatedArrivalDate === undefined
        ? []
        : [`The arrival in ${placeName(place)} is estimated for ${dateText(estimatedArrivalDate)}.`]),
    ].join(" "),
  arrival_overdue: (one) => [overdueArrival(one), ...trackingStopSentences(one)].join(" "),
  eta_delay: ({ etaChangeCause, ...one }) =>
    [
      one.overdueDays === undefined ? laterEta(one) : overdueArrival(one),
      ...(etaChangeCause === undefined ? [] : [etaChangeCauseText(etaChangeCause)]),
      ...trackingStopSentences(one),
    ].join(" "),
  tracking_request_waiting: waitingCause,
  carrier_silent: lastReport,
};

/** Kinds of exceptions that explain a delay: what changed the voyage before what follows from it. */
export const delayReasonKinds = [
  "missed_transshipment",
  "rollover",
  "port_of_discharge_changed",
  "arrival_overdue",
  "eta_delay",
] as const satisfies readonly ExceptionKind[];

/** An exception of one of `delayReasonKinds`. */
export type DelayException = Pick<FoundException, "details"> & { readonly kind: (typeof delayReasonKinds)[number] };

/** Why a container is late, in sentences made of the facts, to be read beside its delay and its ETA. */
export function delayReasonText({ kind, details }: DelayException): string {
  const cause = exceptionCause({ kind, details });
  switch (kind) {
    case "missed_transshipment":
    case "rollover":
    case "port_of_discharge_changed":
      return [`${exceptionSummary({ kind, details })}.`, cause].join(" ");
    case "arrival_overdue":
      return cause ?? "";
    case "eta_delay":
      return details.etaChangeCause === undefined
        ? "The carrier reported a later ETA; no report shows a cause."
        : etaChangeCauseText(details.etaChangeCause);
  }
}

/** Kinds whose cause is true only while the condition lasts. */
const presentCauses: ReadonlySet<ExceptionKind> = new Set([
  "last_free_day_today",
  "last_free_day_soon",
  "late_appointment",
  "connection_at_risk",
  "tracking_request_waiting",
]);

/** Why, in a sentence made of the facts; null where the summary contains it. */
export const exceptionCause = ({ kind, details, endedAt = null }: Described): string | null =>
  endedAt !== null && presentCauses.has(kind) ? null : (causes[kind]?.(details) ?? null);
