import { countText, type Instant, msBetween, toEpochMs } from "@svc/domain";
import { isInland } from "@svc/domain/shipments";
import { dayMark, type Html, html, listTable, localTime, localTimeText } from "@svc/views";
import type { ChangeRecord, ShipmentRecord } from "./api-records.ts";
import { etaChart } from "./eta-chart.ts";
import { type Estimate, shiftSince, toEstimates } from "./eta-estimates.ts";

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

/** When an ETA was reported is a time that can be converted, also without a known zone: in the one of the time axis. */
const reportedZone = (zone: string | null): string => zone ?? "UTC";

function table(estimates: readonly Estimate[], zone: string | null): Html {
  const row = (estimate: Estimate, index: number) => html`
    <tr><th scope="row" data-label="Reported">${localTime(estimate.reportedAt, reportedZone(zone))}</th>
      <td data-label="Estimated">${localTime(estimate.etaAt, zone)}</td>
      <td data-label="Change">${shiftSince(estimates[index - 1], estimate, zone)}</td>
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
      return [{ reportedOn, shift: shiftSince(estimates[index - 1], estimate, zone), summary: cause.summary }];
    })
    .toReversed();
}

/** The largest changes of an ETA for which the carrier gave no reason, largest first. */
function largestChanges(estimates: readonly Estimate[], zone: string | null): Html {
  const moves = estimates.slice(1).flatMap((estimate, index) => {
    const before = estimates[index];
    return before === undefined ? [] : [{ before, estimate, ms: Math.abs(msBetween(before.etaAt, estimate.etaAt)) }];
  });
  const largest = moves.toSorted((one, other) => other.ms - one.ms).slice(0, causesMax);
  const item = ({ before, estimate }: (typeof moves)[number]) =>
    html`<li>Reported ${dayMark(toEpochMs(estimate.reportedAt), zone)}: ${shiftSince(before, estimate, zone)}</li>`;
  return html`
    ${moves.length > largest.length && html`<p class="muted">Largest changes</p>`}
    <ul class="causes">${largest.map(item)}</ul>`;
}

/** "13 changes since 24 Feb, 2 h later in all", and why: the latest changes with a cause, or the largest ones. */
function changeNotes(estimates: readonly Estimate[], zone: string | null): Html {
  const counted = changesText(estimates, zone);
  const [first, last] = [estimates[0], estimates.at(-1)];
  if (first === undefined || last === undefined || first === last) return html`<p class="muted">${counted}</p>`;
  const causes = explained(estimates, zone).slice(0, causesMax);
  if (causes.length === 0) {
    const shift = html`${shiftSince(first, last, zone)}${estimates.length > 2 && " in all"}`;
    return html`
      <h3>ETA changes</h3>
      <p>${counted}, ${shift}. The carrier gave no reason.</p>
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
interface SeparateContainer {
  readonly number: string;
  /** The ETA is that of the shipment, too. */
  readonly isLast: boolean;
}

interface EtaHistoryOptions {
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
      ${etaChart(estimates, shipment, { description, now })}
      ${changeNotes(estimates, zone)}
      ${table(estimates, zone)}
    </section>`;
}
