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

const levelsMax = 4;

/** The scale of the arrivals on the clock of `zone`: a tenth more than they need, at least a day, and its midnights. */
function dayScale(arrivals: readonly number[], zone: string | null) {
  const days = arrivals.map((at) => clockMs(at, zone) / dayMs);
  const [first, last] = [Math.min(...days), Math.max(...days)];
  const spare = Math.max((last - first) / 10, (1 - (last - first)) / 2);
  const place = between(first - spare, last + spare, size.height - size.bottom, size.top);
  const midnights = countFrom(Math.ceil(first - spare), Math.floor(last + spare));
  const step = Math.ceil(midnights.length / levelsMax);
  return {
    levels: midnights
      .filter((_, index) => index % step === 0)
      .map((day) => ({ y: place(day), text: calendarDayMark(new Date(day * dayMs).toISOString().slice(0, 10)) })),
    at: (arrival: number) => place(clockMs(arrival, zone) / dayMs),
  };
}

const countFrom = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** The delay is counted from it; it starts again with another port of discharge. */
function originalEtaText(
  estimates: readonly Estimate[],
  { podOriginalEtaAt, portOfDischarge }: ShipmentRecord,
): string {
  const hasChanged = estimates.some(({ cause }) => cause?.kind === "port_of_discharge_changed");
  if (!hasChanged || podOriginalEtaAt === null || portOfDischarge === null) return "";
  return `, original ETA in ${portOfDischarge.name} ${localTimeText(podOriginalEtaAt, portOfDischarge.timeZone)}`;
}

/** "11 changes since 2 Mar". */
function changesText([first, ...changes]: readonly Estimate[], zone: string | null): string {
  const day = first === undefined ? "" : dayMark(toEpochMs(first.reportedAt), zone);
  return changes.length === 0 ? `Unchanged since ${day}` : `${countText(changes.length, "change")} since ${day}`;
}

function summary(
  estimates: readonly Estimate[],
  shipment: ShipmentRecord,
  container: SeparateContainer | null,
): string {
  const zone = shipment.portOfDischarge?.timeZone ?? null;
  const [first, last] = [estimates[0], estimates.at(-1)];
  if (!first || !last) return "";
  const count = estimates.length - 1;
  const times = count === 1 ? "once" : `${count} times`;
  const changed = count === 0 ? "has not changed" : `changed ${times}`;
  const arrived = shipment.podAtaAt ? ` It arrived ${localTimeText(shipment.podAtaAt, zone)}.` : "";
  const now = count === 0 ? "" : `, ${shipment.podAtaAt ? "last" : "now"} ${localTimeText(last.etaAt, zone)}`;
  const place = isInland(shipment) && shipment.portOfDischarge ? ` at ${shipment.portOfDischarge.name}` : "";
  const whose = container?.isLast ? ` of the last container, ${container.number},` : ` of ${container?.number}`;
  const subject = `The ETA${container === null ? "" : whose}${place}`;
  return `${subject} ${changed}: first ${localTimeText(first.etaAt, zone)}${originalEtaText(estimates, shipment)}${now}.${arrived}`;
}

/** Pixels between the lines of text in the right margin. */
const lineSpace = 16;

/** In the margin on the right of the plot, from a height on down. */
const marginText = (y: number, lines: readonly (Html | false)[]): Html =>
  html`<text y="${y + 4}">${lines.flatMap((line, index) =>
    line === false ? [] : [html`<tspan x="100%" dx="8" dy="${index * lineSpace}">${line}</tspan>`],
  )}</text>`;

/** The days of the last and of the original ETA beside their lines; the latter only where the former leaves room. */
function marginTexts(
  last: number,
  { original, zone, y }: { readonly original: number | null; readonly zone: string | null; readonly y: YScale },
): Html {
  const days = original === null ? null : daysLater(toInstant(original), toInstant(last), zone);
  const isLate = days !== null && days > 0;
  const below = original === null ? 0 : y.at(original) - y.at(last);
  const hasRoom = below <= -lineSpace || below >= (isLate ? 2 : 1) * lineSpace;
  return html`
    ${original !== null && hasRoom && marginText(y.at(original), [html`${dayMark(original, zone)}`])}
    ${marginText(y.at(last), [
      html`<tspan class="last">${dayMark(last, zone)}</tspan>`,
      isLate && html`<tspan class="delay">${days} d late</tspan>`,
    ])}`;
}

type YScale = Pick<ReturnType<typeof dayScale>, "at">;

const toInstant = (epochMs: number): Instant => instant(new Date(epochMs).toISOString());

/** What each line is, with its day. */
function legend(original: number | null, actual: number | null, zone: string | null): Html {
  const key = (className: string, label: string, at: number) =>
    html`<span class="key ${className}-key">${label} ${dayMark(at, zone)}</span> `;
  return html`
    <p class="legend muted"><span class="key">ETA</span>
      ${original !== null && key("original", "Original ETA", original)}
      ${actual !== null && key("actual", "Arrived", actual)}</p>`;
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
  return html`
    ${chartFrame({
      description,
      className: "with-margin",
      height: size.height,
      levels: y.levels,
      labels: timeMarks(x.marks, zone),
      curves: html`${original !== null && html`<path class="original" d="M0 ${y.at(original)}H${plotWidth}"/>`}
        ${actual !== null && html`<path class="actual" d="M0 ${y.at(actual)}H${plotWidth}"/>`}
        <path class="steps" d="${steps.join("")}H${x.at(end)}"/>`,
      points: html`${dots}${marginTexts(last, { original, zone, y })}`,
    })}
    ${legend(original, actual, zone)}`;
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

/** The largest changes of an ETA for which the carrier gave no reason, latest first. */
function largestChanges(estimates: readonly Estimate[], zone: string | null): Html {
  const moves = estimates.slice(1).flatMap((estimate, index) => {
    const before = estimates[index];
    return before === undefined ? [] : [{ before, estimate, ms: Math.abs(msBetween(before.etaAt, estimate.etaAt)) }];
  });
  const largest = new Set(moves.toSorted((one, other) => other.ms - one.ms).slice(0, causesMax));
  const item = ({ before, estimate }: (typeof moves)[number]) =>
    html`<li>Reported ${dayMark(toEpochMs(estimate.reportedAt), zone)}: ${shift(before, estimate, zone)}</li>`;
  const items = moves.filter((move) => largest.has(move)).toReversed();
  return html`
    ${moves.length > largest.size && html`<p class="muted">Largest changes</p>`}
    <ul class="causes">${items.map(item)}</ul>`;
}

/** "13 changes since 24 Feb, 2 h later in all", and why: the latest changes with a cause, or the largest ones. */
function changeNotes(estimates: readonly Estimate[], zone: string | null): Html {
  const counted = changesText(estimates, zone);
  const [first, last] = [estimates[0], estimates.at(-1)];
  if (first === undefined || last === undefined || first === last) return html`<p class="muted">${counted}</p>`;
  const causes = explained(estimates, zone).slice(0, causesMax);
  if (causes.length === 0) {
    return html`
      <h3>ETA changes</h3>
      <p>${counted}, ${shift(first, last, zone)}${estimates.length > 2 && " in all"}. The carrier gave no reason.</p>
      ${largestChanges(estimates, zone)}`;
  }
  const item = ({ reportedOn, shift, summary }: (typeof causes)[number]) => html`
    <li><strong>${shift}</strong> <span class="muted">${reportedOn}</span> ${summary}</li>`;
  return html`
    <p class="muted">${counted}</p>
    <h3 id="eta-causes">Why the ETA changed</h3>
    <ul class="causes" aria-labelledby="eta-causes">${causes.map(item)}</ul>`;
}

/** The last change of the ETA that the reports explain; null when none is. */
export function lastEtaCause(changes: readonly ChangeRecord[], shipment: ShipmentRecord): string | null {
  const [last] = explained(toEstimates(changes), shipment.portOfDischarge?.timeZone ?? null);
  return last === undefined ? null : `ETA changed on ${last.reportedOn}, ${last.shift}: ${last.summary}`;
}

/** A container that arrives separately, whose ETA it is. */
export interface SeparateContainer {
  readonly number: string;
  /** The ETA is that of the shipment, too. */
  readonly isLast: boolean;
}

export interface EtaHistoryOptions {
  readonly now: Instant;
  /** Null or missing: the containers arrive together. */
  readonly container?: SeparateContainer | null;
  /** Where the history of the last container is; missing: this is it. */
  readonly lastContainer?: Html | null;
}

/**
 * History of the ETA at the port of discharge, until `now`; when none was reported, where that of the last container
 * is, or null.
 * @param shipment with the arrival of the container.
 */
export function etaHistory(
  changes: readonly ChangeRecord[],
  shipment: ShipmentRecord,
  { now, container = null, lastContainer = null }: EtaHistoryOptions,
): Html | null {
  const estimates = toEstimates(changes);
  if (estimates.length === 0) {
    return lastContainer && html`<section class="card"><h2>ETA history</h2><p>${lastContainer}</p></section>`;
  }
  const description = summary(estimates, shipment, container);
  const zone = shipment.portOfDischarge?.timeZone ?? null;
  return html`
    <section class="card" aria-labelledby="eta-history">
      <h2 id="eta-history">ETA history${shipment.portOfDischarge && ` · ${shipment.portOfDischarge.name}`}${
        container && html` · ${container.isLast && "last container "}<span class="number">${container.number}</span>`
      }</h2>
      ${lastContainer && html`<p class="muted">${lastContainer}</p>`}
      ${chart(estimates, shipment, { description, now })}
      ${changeNotes(estimates, zone)}
      ${table(estimates, zone)}
    </section>`;
}
