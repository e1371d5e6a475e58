import { dayMs, type Instant, instant, toEpochMs, zoneOffsetMs } from "@svc/domain";
import { daysLater } from "@svc/domain/shipments";
import {
  acrossPlot,
  chartFrame,
  clockMark,
  dayMark,
  displayZone,
  type Html,
  html,
  localTimeText,
  plotWidth,
  timeMarks,
} from "@svc/views";
import type { ShipmentRecord } from "./api-records.ts";
import { type Estimate, shiftSince } from "./eta-estimates.ts";

/** CSS pixels. */
const size = { height: 200, top: 16, bottom: 34 } as const;

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

/** Days between the levels of estimates that lie close together. */
const partsOfDay = [1 / 4, 1 / 2];

/** The levels of a scale in days: at midnights, or at parts of a day where few of them lie between. */
function levelsBetween(from: number, to: number): readonly number[] {
  const levelsAt = (unit: number) =>
    countFrom(Math.ceil(from / unit), Math.floor(to / unit)).map((count) => count * unit);
  const short = partsOfDay.map(levelsAt).find(({ length }) => length <= levelsMax);
  const levels = short ?? levelsAt(1);
  const step = Math.ceil(levels.length / levelsMax);
  return levels.filter((_, index) => index % step === 0);
}

/** The scale of the arrivals on the clock of `zone`: a tenth more than they need, at least a day, and its levels. */
function dayScale(arrivals: readonly number[], zone: string | null) {
  const days = arrivals.map((at) => clockMs(at, zone) / dayMs);
  const [first, last] = [Math.min(...days), Math.max(...days)];
  const spare = Math.max((last - first) / 10, (1 - (last - first)) / 2);
  const [from, to] = [first - spare, last + spare];
  const place = between(from, to, size.height - size.bottom, size.top);
  return {
    levels: levelsBetween(from, to).map((day) => ({ y: place(day), text: clockMark(day * dayMs) })),
    at: (arrival: number) => place(clockMs(arrival, zone) / dayMs),
  };
}

const countFrom = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

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
export function etaChart(
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
        shiftSince(estimates[index - 1], estimate, zone),
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
