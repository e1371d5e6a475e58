import { countText, dayMs, type Instant, instant, minuteMs, msBetween, toEpochMs, zoneOffsetMs } from "@svc/domain";
import { daysLater, isInland } from "@svc/domain/shipments";
import {
  acrossPlot,
  calendarDayMark,
  chartFrame,
  dayMark,
  displayZone,
  type Html,
  html,
  listTable,
  localTime,
  localTimeText,
  plotWidth,
  shiftText,
  timeMarks,
} from "@svc/views";
import type { ChangeRecord, ShipmentRecord } from "./api-records.ts";

/** An ETA and when it was reported. */
interface Estimate {
  readonly reportedAt: Instant;
  readonly etaAt: Instant;
  /** Why it differs from the one before. */
  readonly cause: ChangeRecord["cause"];
}

/** CSS pixels. */
const size = { height: 200, top: 16, bottom: 34 } as const;

/** The estimates of the arrival at the port, oldest first. */
function toEstimates(changes: readonly ChangeRecord[]): readonly Estimate[] {
  return changes
    .filter(({ field, value }) => field === "podEtaAt" && typeof value === "string")
    .map(({ validFrom, value, cause }) => ({ reportedAt: validFrom, etaAt: value as Instant, cause }))
    .toReversed();
}

const between = (from: number, to: number, start: number, end: number) => (value: number) =>
  Math.round(start + ((value - from) / (to - from)) * (end - start));

/** The time axis: as long as the times are apart, and at least a day. */
function timeScale(times: readonly number[]) {
  const [low, high] = [Math.min(...times), Math.max(...times)];
  const spare = Math.max(0, dayMs - (high - low)) / 2;
  const [from, to] = [low - spare, high + spare];
  const parts = to - from > 4 * dayMs ? 4 : 2;
  const marks = Array.from({ length: parts + 1 }, (_, index) => from + ((to - from) * index) / parts);
  return { marks, at: between(from, to, 0, plotWidth) };
}

/** A time on the clock on which the chart shows it, in milliseconds as if that clock were UTC. */
const clockMs = (epochMs: number, zone: string | null): number =>
  epochMs + (zoneOffsetMs(displayZone(zone) ?? "UTC", epochMs) ?? 0);

/** The scale of the arrivals: from midnight to midnight on the clock of `zone`, at least two days. */
function dayScale(arrivals: readonly number[], zone: string | null) {
  const days = arrivals.map((at) => clockMs(at, zone) / dayMs);
  const [first, last] = [Math.floor(Math.min(...days)), Math.ceil(Math.max(...days))];
  const from = last - first < 2 ? first - 1 : first;
  const to = Math.max(last, from + 2);
  const place = between(from, to, size.height - size.bottom, size.top);
  return {
    levels: [from, Math.round((from + to) / 2), to].map((day) => ({
      y: place(day),
      text: calendarDayMark(new Date(day * dayMs).toISOString().slice(0, 10)),
    })),
    at: (arrival: number) => place(clockMs(arrival, zone) / dayMs),
  };
}

/** The delay is counted from it; it starts again with another port of discharge. */
function originalEtaText(
  estimates: readonly Estimate[],
  { podOriginalEtaAt, portOfDischarge }: ShipmentRecord,
): string {
  const hasChanged = estimates.some(({ cause }) => cause?.kind === "port_of_discharge_changed");
  if (!hasChanged || podOriginalEtaAt === null || portOfDischarge === null) return "";
  return `, original ETA in ${portOfDischarge.name} ${localTimeText(podOriginalEtaAt, portOfDischarge.timeZone)}`;
}

/** "11 changes since 2 Mar · original ETA 22 Mar". */
function changesText(
  [first, ...changes]: readonly Estimate[],
  { portOfDischarge, podOriginalEtaAt }: ShipmentRecord,
): string {
  const zone = portOfDischarge?.timeZone ?? null;
  const day = first === undefined ? "" : dayMark(toEpochMs(first.reportedAt), zone);
  if (changes.length === 0) return `Unchanged since ${day}`;
  const original = podOriginalEtaAt === null ? "" : ` · original ETA ${dayMark(toEpochMs(podOriginalEtaAt), zone)}`;
  return `${countText(changes.length, "change")} since ${day}${original}`;
}

/** @param lastContainer its number if the containers arrive separately, because the ETA is that of the last one. */
function summary(estimates: readonly Estimate[], shipment: ShipmentRecord, lastContainer: string | null): string {
  const zone = shipment.portOfDischarge?.timeZone ?? null;
  const [first, last] = [estimates[0], estimates.at(-1)];
  if (!first || !last) return "";
  const count = estimates.length - 1;
  const times = count === 1 ? "once" : `${count} times`;
  const changed = count === 0 ? "has not changed" : `changed ${times}`;
  const arrived = shipment.podAtaAt ? ` It arrived ${localTimeText(shipment.podAtaAt, zone)}.` : "";
  const now = count === 0 ? "" : `, ${shipment.podAtaAt ? "last" : "now"} ${localTimeText(last.etaAt, zone)}`;
  const place = isInland(shipment) && shipment.portOfDischarge ? ` at ${shipment.portOfDischarge.name}` : "";
  const subject = `The ETA${lastContainer === null ? "" : ` of the last container, ${lastContainer},`}${place}`;
  return `${subject} ${changed}: first ${localTimeText(first.etaAt, zone)}${originalEtaText(estimates, shipment)}${now}.${arrived}`;
}

/** Pixels between two labels on the right that do not touch. */
const labelSpace = 18;

interface Reference {
  readonly at: number;
  readonly label: Html;
  /** Height from which the line comes to this one: the label is on the other side. */
  readonly from?: number;
}

/** The label of a height on the right, above its line, or below it. */
const rightLabel = ({ at, label, from = at }: Reference): Html =>
  html`<text x="100%" y="${from < at ? at + 20 : Math.max(at - 6, 12)}" text-anchor="end">${label}</text>`;

/** Where a label at the right end begins on a phone. */
const labelStart = 0.6 * plotWidth;

/**
 * The label of the original ETA above its line, below it, or null where other lines are on both sides. `lines`: their
 * heights at the right end.
 */
function originalLabel(at: number, lines: readonly number[], label: Html): Html | null {
  const isFree = (top: number, bottom: number) => Math.min(...lines) > bottom || Math.max(...lines) < top;
  if (isFree(at - labelSpace, at - 4)) return rightLabel({ at, label });
  const isInPlot = at + labelSpace < size.height - size.bottom;
  return isInPlot && isFree(at + 4, at + labelSpace + 4) ? rightLabel({ at, label, from: at - 1 }) : null;
}

/** A step chart: an estimate is valid until the next one, the last until the arrival, the end of tracking or now. */
function chart(
  estimates: readonly Estimate[],
  { podAtaAt, podOriginalEtaAt, portOfDischarge, lineTrackingStoppedAt: stoppedAt }: ShipmentRecord,
  { description, now }: { readonly description: string; readonly now: Instant },
): Html {
  const zone = portOfDischarge?.timeZone ?? null;
  const reported = estimates.map(({ reportedAt }) => toEpochMs(reportedAt));
  const estimated = estimates.map(({ etaAt }) => toEpochMs(etaAt));
  const actual = podAtaAt === null ? null : toEpochMs(podAtaAt);
  const end = Math.max(...reported, actual ?? toEpochMs(stoppedAt ?? now));
  const x = timeScale([...reported, end]);
  const original = podOriginalEtaAt === null ? null : toEpochMs(podOriginalEtaAt);
  const y = dayScale([...estimated, ...[original, actual].flatMap((at) => at ?? [])], zone);
  const last = actual ?? estimated.at(-1) ?? end;
  const lastLabel = endLabel(last, { original, isArrived: actual !== null, zone });
  const isApart = original !== null && Math.abs(y.at(original) - y.at(last)) >= labelSpace;
  const lines = estimated.filter((_, index) => x.at(reported[index + 1] ?? end) >= labelStart);
  const steps = estimates.map((_estimate, index) => {
    const [atX, atY] = [x.at(reported[index] ?? 0), y.at(estimated[index] ?? 0)];
    return index === 0 ? `M${atX} ${atY}` : `H${atX}V${atY}`;
  });
  const dots = estimates.map(
    (estimate, index) => html`
      <circle cx="${acrossPlot(x.at(reported[index] ?? 0))}" cy="${y.at(estimated[index] ?? 0)}" r="4"><title>${[
        localTimeText(estimate.etaAt, zone),
        shift(estimates[index - 1], estimate, zone),
        ...(estimate.cause === null ? [] : [estimate.cause.summary]),
      ].join("\n")}</title></circle>`,
  );
  return chartFrame({
    description,
    height: size.height,
    levels: y.levels,
    labels: timeMarks(x.marks, zone),
    curves: html`${original !== null && html`<path class="original" d="M0 ${y.at(original)}H${plotWidth}"/>`}
      ${actual !== null && html`<path class="actual" d="M0 ${y.at(actual)}H${plotWidth}"/>`}
      <path class="steps" d="${steps.join("")}H${x.at(end)}"/>`,
    points: html`${dots}
      ${isApart && originalLabel(y.at(original), [...lines, last].map(y.at), html`Original ${dayMark(original, zone)}`)}
      ${rightLabel({ at: y.at(last), label: lastLabel, from: y.at(actual ?? estimated.at(-2) ?? last) })}`,
  });
}

interface EndOptions {
  readonly original: number | null;
  readonly isArrived: boolean;
  readonly zone: string | null;
}

/** "24 Mar 5 d late", or "Arrived 24 Mar 5 d late". */
function endLabel(at: number, { original, isArrived, zone }: EndOptions): Html {
  const toInstant = (epochMs: number) => instant(new Date(epochMs).toISOString());
  const days = original === null ? null : daysLater(toInstant(original), toInstant(at), zone);
  const drift = days !== null && days > 0 && html` <tspan class="delay">${days} d late</tspan>`;
  return html`<tspan class="last">${isArrived && "Arrived "}${dayMark(at, zone)}</tspan>${drift}`;
}

/** "6 h later", counted as the journey counts a delay; "20 min later" below half an hour. */
function shift(before: Estimate | undefined, { etaAt }: Estimate, zone: string | null): string {
  if (!before) return "first";
  const ms = msBetween(before.etaAt, etaAt);
  const amount = shiftText(before.etaAt, etaAt, zone) ?? `${Math.round(Math.abs(ms) / minuteMs)} min`;
  return `${amount} ${ms < 0 ? "earlier" : "later"}`;
}

/** When an ETA was reported is a time that can be converted, also without a known zone: in the one of the time axis. */
const reportedZone = (zone: string | null): string => zone ?? "UTC";

function table(estimates: readonly Estimate[], zone: string | null): Html {
  const row = (estimate: Estimate, index: number) => html`
    <tr><th scope="row" data-label="Reported">${localTime(estimate.reportedAt, reportedZone(zone))}</th>
      <td data-label="Estimated">${localTime(estimate.etaAt, zone)}</td>
      <td data-label="Change">${shift(estimates[index - 1], estimate, zone)}</td>
      <td data-label="Cause">${estimate.cause?.summary ?? "–"}</td></tr>`;
  return html`
    <details id="eta-table"><summary>As a table</summary>
      ${listTable({
        caption: "ETA history",
        columns: ["Reported", "Estimated arrival", "Change", "Cause"],
        rows: estimates.map(row),
      })}
    </details>`;
}

const causesMax = 3;

/** Changes that the reports explain, latest first: a source revises its ETA often, and a revision explains nothing. */
function explained(estimates: readonly Estimate[], zone: string | null) {
  return estimates
    .flatMap((estimate, index) => {
      const { cause, reportedAt } = estimate;
      if (cause === null || cause.kind === "source_revision") return [];
      const reportedOn = localTimeText(reportedAt, reportedZone(zone));
      return [{ reportedOn, shift: shift(estimates[index - 1], estimate, zone), summary: cause.summary }];
    })
    .toReversed();
}

/** How often and how far the carrier moved the ETA without a reason in its reports, and its largest moves. */
function unexplained(estimates: readonly Estimate[], shipment: ShipmentRecord): Html {
  const zone = shipment.portOfDischarge?.timeZone ?? null;
  const [first, last] = [estimates[0], estimates.at(-1)];
  const count = estimates.length - 1;
  const moves = estimates.slice(1).flatMap((estimate, index) => {
    const before = estimates[index];
    return before === undefined ? [] : [{ before, estimate, ms: Math.abs(msBetween(before.etaAt, estimate.etaAt)) }];
  });
  const largest = moves.toSorted((one, other) => other.ms - one.ms).slice(0, causesMax);
  const move = ({ before, estimate }: (typeof moves)[number]) =>
    html`<li>${dayMark(toEpochMs(estimate.reportedAt), zone)} · ${shift(before, estimate, zone)}</li>`;
  const carrier = shipment.shippingLineName ?? shipment.shippingLineScac;
  const total = first && last && `, ${shift(first, last, zone)} in all`;
  return html`
    <p>${carrier} moved the ETA ${count === 1 ? "once" : `${count} times`}${count > 1 && total}. No report shows a
      rollover, missed connection or port change.</p>
    <ul class="causes" aria-labelledby="eta-causes">${largest.map(move)}</ul>`;
}

/** The latest changes that the reports explain, latest first; the table has all. Null: the ETA never changed. */
function latestCauses(estimates: readonly Estimate[], shipment: ShipmentRecord): Html | null {
  if (estimates.length < 2) return null;
  const causes = explained(estimates, shipment.portOfDischarge?.timeZone ?? null).slice(0, causesMax);
  const heading = html`<h3 id="eta-causes">Why the ETA changed</h3>`;
  if (causes.length === 0) return html`${heading}${unexplained(estimates, shipment)}`;
  const item = ({ reportedOn, shift, summary }: (typeof causes)[number]) => html`
    <li><strong>${shift}</strong> <span class="muted">${reportedOn}</span> ${summary}</li>`;
  return html`
    ${heading}
    <ul class="causes" aria-labelledby="eta-causes">${causes.map(item)}</ul>`;
}

/** The last change of the ETA that the reports explain; null when none is. */
export function lastEtaCause(changes: readonly ChangeRecord[], shipment: ShipmentRecord): string | null {
  const [last] = explained(toEstimates(changes), shipment.portOfDischarge?.timeZone ?? null);
  return last === undefined ? null : `ETA changed on ${last.reportedOn}, ${last.shift}: ${last.summary}`;
}

/**
 * History of the ETA at the port of discharge, until `now`; null when none was ever reported. `lastContainer`: number
 * of the container whose ETA it is, if they arrive separately.
 */
export function etaHistory(
  changes: readonly ChangeRecord[],
  shipment: ShipmentRecord,
  { now, lastContainer = null }: { readonly now: Instant; readonly lastContainer?: string | null },
): Html | null {
  const estimates = toEstimates(changes);
  if (estimates.length === 0) return null;
  const description = summary(estimates, shipment, lastContainer);
  return html`
    <section class="card" aria-labelledby="eta-history">
      <h2 id="eta-history">ETA history${shipment.portOfDischarge && ` · ${shipment.portOfDischarge.name}`}${
        lastContainer !== null && html` · last container <span class="number">${lastContainer}</span>`
      }</h2>
      ${chart(estimates, shipment, { description, now })}
      <p class="muted">${changesText(estimates, shipment)}</p>
      ${latestCauses(estimates, shipment)}
      ${table(estimates, shipment.portOfDischarge?.timeZone ?? null)}
    </section>`;
}
