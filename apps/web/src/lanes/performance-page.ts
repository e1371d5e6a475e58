import { countText, instant } from "@svc/domain";
import { isLocode } from "@svc/domain/identifiers";
import type { EtaAccuracyResource, TransitTimeResource } from "@svc/sdk";
import { barChart, type Html, html, lineChart, metricsTable, shortTimeText } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { option } from "../forms/choices.ts";
import { carrierChoices } from "../forms/code-choices.ts";
import { layout } from "../pages/layout.ts";
import { longTable } from "../pages/long-table.ts";
import { menu, menuEntries } from "../pages/menu.ts";
import { pageHead } from "../pages/page-head.ts";
import { apiQuery, sameFromApi } from "../pages/same-from-api.ts";
import { portSuggestions } from "../saved-views/port-suggestions.ts";
import { unknownPortNote } from "../saved-views/unknown-port.ts";
import type { CarrierChoice } from "../tracking-requests/carrier-menu.ts";
import { type LaneFilter, laneQuery, lanesOf } from "./lane-query.ts";

const performancePath = "/carriers/performance";

export interface PerformancePageOptions {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  readonly filter: LaneFilter;
  readonly lines: readonly CarrierChoice[];
  /** Latest arrival first. */
  readonly etaAccuracy: readonly EtaAccuracyResource[];
  readonly transitTimes: readonly TransitTimeResource[];
  readonly hasMore: boolean;
}

/** Lines or bars of a chart, of the first lanes of its table; the table has all lanes. */
const linesMax = 3;
const barsMax = 8;

/** Fewer arrivals say more about single voyages than about a lane. */
const arrivalsMin = 5;

interface Lane {
  readonly attributes: { readonly shipments: number };
}

const isJudged = ({ attributes }: Lane): boolean => attributes.shipments >= arrivalsMin;

/** The lanes with the most arrivals first. */
const byArrivals = <One extends Lane>(lanes: readonly One[]): readonly One[] =>
  lanes.toSorted((a, b) => b.attributes.shipments - a.attributes.shipments);

/** A cell in place of all metrics of a lane. */
const tooFew = ({ attributes: { shipments } }: Lane, columns: number): Html =>
  html`<td data-label="Metrics" class="muted" colspan="${columns}">${countText(
    shipments,
    "arrival",
  )}, too few to judge</td>`;

const noChart = html`<p class="muted">The chart appears when a lane has ${arrivalsMin} arrivals.</p>`;

/** One decimal in every row, so that figures of a column compare at a glance. */
const hours = (value: number | null): string => (value === null ? "–" : `${value.toFixed(1)} h`);
const days = (value: number | null): string => (value === null ? "–" : `${value.toFixed(1)} d`);

/** Names of the ports by UN/LOCODE, from the transit times of the lanes. */
const portNames = (lanes: readonly TransitTimeResource[]): ReadonlyMap<string, string> =>
  new Map(
    lanes.flatMap(({ attributes: metrics }) => [
      [metrics.port_of_lading_locode, metrics.port_of_lading_name] as const,
      [metrics.port_of_discharge_locode, metrics.port_of_discharge_name] as const,
    ]),
  );

/** "Shanghai → Hamburg"; a port without a name by its UN/LOCODE. */
function laneLabel({ attributes: metrics }: EtaAccuracyResource, names: ReadonlyMap<string, string>): string {
  const portLabel = (locode: string | null) => (locode === null ? "Unknown" : (names.get(locode) ?? locode));
  return `${portLabel(metrics.port_of_lading_locode)} → ${portLabel(metrics.port_of_discharge_locode)}`;
}
const transitLaneLabel = ({ attributes }: TransitTimeResource): string =>
  `${attributes.port_of_lading_name} → ${attributes.port_of_discharge_name}`;

const leadTime = ({ from_days: from, until_days: until }: EtaAccuracyResource["attributes"]["by_lead_time"][number]) =>
  until === null ? `${from}+ d` : `${from}–${until} d`;

function filterForm({ filter: { carrier, from, to }, lines, transitTimes }: PerformancePageOptions): Html {
  const port = (name: string, label: string, value: string) => html`
    <div class="field"><label for="lane-${name}">${label}</label>
      <input id="lane-${name}" name="${name}" value="${value}" maxlength="60" list="ports" autocomplete="off"
        placeholder="Name or UN/LOCODE"></div>`;
  return html`
    <form class="lane-filter" action="${performancePath}" aria-label="Lanes">
      <div class="field"><label for="lane-carrier">Carrier</label>
        <select id="lane-carrier" name="carrier">
          ${carrierChoices(lines, carrier, "Any").map(([scac, label]) => option(scac, label, carrier))}</select></div>
      ${port("from", "Port of loading", from)}
      ${port("to", "Port of discharge", to)}
      ${portSuggestions([...portNames(transitTimes)])}
      <button class="quiet">Filter</button>
      ${carrier + from + to !== "" && html`<a href="${performancePath}">Show all</a>`}
    </form>
    ${[from, to].filter((text) => text !== "" && !isLocode(text)).map(unknownPortNote)}`;
}

/** The files of both tables. */
function exportMenu(filter: LaneFilter): Html {
  const files = (table: "eta_accuracy" | "transit_times", title: string) => {
    const query = laneQuery(filter, { table });
    const link = (ending: string, kind: string) =>
      html`<a href="${performancePath}${ending}${query}" download>${kind}<span class="hidden">, ${title}</span></a>`;
    return menuEntries([link(".xlsx", "Excel"), link(".csv", "CSV")], title);
  };
  return menu({
    id: "export-menu",
    label: "Export",
    content: html`<div class="menu">
      ${files("eta_accuracy", "ETA accuracy")}
      ${files("transit_times", "Transit and dwell times")}
    </div>`,
  });
}

/** Errors by lead time, the longest first, so that the lines run towards the arrival. */
function accuracyChart(
  lanes: readonly EtaAccuracyResource[],
  { names, hasMore }: { readonly names: ReadonlyMap<string, string>; readonly hasMore: boolean },
): Html {
  const drawn = lanes.filter(isJudged).slice(0, linesMax);
  const [first] = drawn;
  if (first === undefined) return noChart;
  const lanesText = drawn.length === 1 ? "lane" : `${drawn.length} lanes`;
  const errors = drawn.map((lane) => `${laneLabel(lane, names)} ${hours(lane.attributes.mean_absolute_error_hours)}`);
  return html`
    <p class="muted">Average error of the ETA at the port of discharge by lead time, on the ${lanesText} with the most
      arrivals${hasMore && " among the 100 with the latest ones"}.</p>
    ${lineChart({
      description: `Average error by lead time: ${errors.join(", ")}`,
      series: drawn.map((lane) => ({
        name: `${lane.attributes.shipping_line_scac} ${laneLabel(lane, names)}`,
        values: lane.attributes.by_lead_time.toReversed().map((each) => each.mean_absolute_error_hours),
      })),
      labels: first.attributes.by_lead_time
        .toReversed()
        .map((bucket, index) => (index === 0 ? `${leadTime(bucket)} ahead` : leadTime(bucket))),
      format: (value) => `${value} h`,
    })}`;
}

function accuracyCard({ etaAccuracy, transitTimes, hasMore }: PerformancePageOptions): Html {
  const lanes = byArrivals(etaAccuracy);
  const [first] = lanes;
  if (!first)
    return html`<section class="card"><h2>ETA accuracy</h2><p class="muted">No shipment with an ETA has arrived on these lanes yet.</p></section>`;
  const names = portNames(transitTimes);
  const cells = ({ attributes: metrics }: EtaAccuracyResource) => html`
    <td data-label="Average error">${hours(metrics.mean_absolute_error_hours)}</td>
    <td data-label="Usual delay">${hours(metrics.mean_error_hours)}</td>
    <td data-label="90 % within">${hours(metrics.p90_absolute_error_hours)}</td>
    ${metrics.by_lead_time.map(
      (each) => html`<td data-label="${leadTime(each)} ahead">${hours(each.mean_absolute_error_hours)}</td>`,
    )}`;
  const row = (lane: EtaAccuracyResource) => {
    const { attributes: metrics } = lane;
    return html`
      <tr><th scope="row" data-label="Lane">${laneLabel(lane, names)}</th>
        <td data-label="Carrier" class="number">${metrics.shipping_line_scac}</td>
        <td data-label="Shipments">${metrics.shipments}</td>
        ${isJudged(lane) ? cells(lane) : tooFew(lane, 3 + metrics.by_lead_time.length)}</tr>`;
  };
  return html`
    <section class="card wide-chart">
      <h2>ETA accuracy</h2>
      ${accuracyChart(lanes, { names, hasMore })}
      <p class="muted">Average error: mean absolute difference between the ETA and the arrival. Usual delay: mean
        difference, positive where vessels arrived later than estimated. 90 % within: 90th percentile of the absolute
        difference.</p>
      ${longTable(
        metricsTable({
          caption: "ETA accuracy by carrier and lane",
          columns: [
            "Lane",
            "Carrier",
            "Shipments",
            "Average error",
            "Usual delay",
            "90 % within",
            ...first.attributes.by_lead_time.map((each) => `${leadTime(each)} ahead`),
          ],
          rows: lanes.map(row),
        }),
        { id: "all-accuracy", count: lanes.length },
      )}
    </section>`;
}

const transitChart = {
  title: "Transit time",
  empty: `Days from departure to arrival. The chart appears when a lane has ${arrivalsMin} arrivals.`,
};
const dwellChart = {
  title: "Dwell time at discharge",
  empty: `Days from discharge to pickup. The chart appears when containers of a lane with ${arrivalsMin} arrivals have been picked up.`,
};

/** Bars of the medians; the mark is the 90th percentile. */
function timeChart(
  lanes: readonly TransitTimeResource[],
  { title, empty }: { readonly title: string; readonly empty: string },
  read: (lane: TransitTimeResource["attributes"]) => readonly [median: number | null, p90: number | null],
): Html {
  const rows = lanes.filter(isJudged).flatMap((lane) => {
    const [value, mark] = read(lane.attributes);
    return value === null
      ? []
      : [{ label: `${lane.attributes.shipping_line_scac} ${transitLaneLabel(lane)}`, value, mark }];
  });
  const visibleRows = rows.slice(0, barsMax);
  return html`
    <div><h3>${title}</h3>${
      visibleRows.length === 0
        ? html`<p class="muted">${empty}</p>`
        : barChart({
            description: `${title}: ${visibleRows.map(({ label, value }) => `${label} ${days(value)}`).join(", ")}`,
            rows: visibleRows,
            format: days,
          })
    }</div>`;
}

function transitCard({ transitTimes }: PerformancePageOptions): Html {
  const lanes = byArrivals(transitTimes);
  if (lanes.length === 0)
    return html`<section class="card"><h2>Transit and dwell times</h2><p class="muted">No shipment has departed and arrived on these lanes yet.</p></section>`;
  const cells = ({ attributes: metrics }: TransitTimeResource) => html`
    <td data-label="Transit, median">${days(metrics.median_transit_days)}</td>
    <td data-label="Transit, 90 % within">${days(metrics.p90_transit_days)}</td>
    <td data-label="Containers">${metrics.containers}</td>
    <td data-label="Dwell, median">${days(metrics.median_dwell_days)}</td>
    <td data-label="Dwell, 90 % within">${days(metrics.p90_dwell_days)}</td>`;
  const row = (lane: TransitTimeResource) => {
    const { attributes: metrics } = lane;
    return html`
      <tr><th scope="row" data-label="Lane">${transitLaneLabel(lane)}</th>
        <td data-label="Carrier" class="number">${metrics.shipping_line_scac}</td>
        <td data-label="Shipments">${metrics.shipments}</td>
        ${isJudged(lane) ? cells(lane) : tooFew(lane, 5)}
        <td data-label="Last arrival">${shortTimeText(instant(metrics.last_arrived_at))}</td></tr>`;
  };
  return html`
    <section class="card">
      <h2>Transit and dwell times</h2>
      <p class="muted">Transit: departure from the port of loading to arrival at the port of discharge. Dwell:
        discharge to full gate-out there. Bars are medians; the line marks what 90 % stay within.</p>
      <div class="pair">
        ${timeChart(lanes, transitChart, (metrics) => [metrics.median_transit_days, metrics.p90_transit_days])}
        ${timeChart(lanes, dwellChart, (metrics) => [metrics.median_dwell_days, metrics.p90_dwell_days])}
      </div>
      ${longTable(
        metricsTable({
          caption: "Transit and dwell times by carrier and lane",
          columns: [
            "Lane",
            "Carrier",
            "Shipments",
            "Transit, median",
            "Transit, 90 % within",
            "Containers",
            "Dwell, median",
            "Dwell, 90 % within",
            "Last arrival",
          ],
          rows: lanes.map(row),
        }),
        { id: "all-transit", count: lanes.length },
      )}
    </section>`;
}

/** In place of tables without figures: how far the lanes are from the first ones. */
function waitingCard({ transitTimes }: PerformancePageOptions): Html {
  const row = (lane: TransitTimeResource) => html`
    <tr><th scope="row" data-label="Lane">${transitLaneLabel(lane)}</th>
      <td data-label="Carrier" class="number">${lane.attributes.shipping_line_scac}</td>
      <td data-label="Arrivals">${lane.attributes.shipments} of ${arrivalsMin}</td>
      <td data-label="Last arrival">${shortTimeText(instant(lane.attributes.last_arrived_at))}</td></tr>`;
  return html`
    <section class="card">
      <h2>Not enough arrivals yet</h2>
      <p class="muted">ETA accuracy, transit and dwell times appear when a lane has ${arrivalsMin} arrivals.</p>
      ${longTable(
        metricsTable({
          caption: "Arrivals by carrier and lane",
          columns: ["Lane", "Carrier", "Arrivals", "Last arrival"],
          rows: byArrivals(transitTimes).map(row),
        }),
        { id: "all-arrivals", count: transitTimes.length },
      )}
    </section>`;
}

/** `GET /carriers/performance`: ETA accuracy, transit and dwell times of the account's own shipments. */
export function performancePage(options: PerformancePageOptions): Html {
  const { caller, apiBaseUrl, filter, hasMore, etaAccuracy, transitTimes } = options;
  const isWaiting = transitTimes.length > 0 && ![...etaAccuracy, ...transitTimes].some(isJudged);
  const { carrier, from, to } = lanesOf(filter);
  const query = apiQuery({
    "filter[carrier]": carrier,
    "filter[port_of_lading]": from,
    "filter[port_of_discharge]": to,
  });
  return layout({
    title: "Carrier performance",
    caller,
    section: "carriers",
    styles: "record",
    content: html`
      ${pageHead({
        heading: "Carrier performance",
        path: html`<a href="/carriers">Carriers</a> / Performance`,
        aside: transitTimes.length > 0 && exportMenu(filter),
      })}
      <p class="muted">From the shipments of this account; the newest 200 arrivals or estimates of each lane count.</p>
      ${filterForm(options)}
      ${isWaiting ? waitingCard(options) : html`${accuracyCard(options)} ${transitCard(options)}`}
      ${hasMore && html`<p class="muted">The 100 lanes with the latest arrivals are shown; the files have all.</p>`}
      ${sameFromApi(apiBaseUrl, [{ path: `/eta_accuracy${query}` }, { path: `/transit_times${query}` }])}`,
  });
}
