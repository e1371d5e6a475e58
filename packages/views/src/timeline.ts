import { countText, hourMs, type Instant, msBetween } from "@svc/domain";
import { daysLater } from "@svc/domain/shipments";
import { driftNote, timeDriftNote } from "./drift-note.ts";
import { comingEventLabel, estimateLabel, eventLabel, sourceLabels } from "./event-labels.ts";
import { type Html, html } from "./html.ts";
import { localTime, timeInYear } from "./local-time.ts";
import type { TimelineStep } from "./timeline-step.ts";

export { type TimelineStep, voyageText } from "./timeline-step.ts";

/** How the planned time of a step is called. That of a step to come is the first estimate. */
function plannedLabel({ actualAt, planBasis }: TimelineStep): string {
  if (actualAt === null) return "originally";
  return planBasis === "plan" ? "scheduled" : "first estimated";
}

/** How late a step is against its plan, and below it the plan: "2 days late". Null: within half an hour, or no plan. */
function drift(step: TimelineStep, { write }: Shared): Html | null {
  const { actualAt, estimatedAt, plannedAt, timeZone, precision } = step;
  const holds = actualAt ?? estimatedAt;
  if (plannedAt === null || holds === null) return null;
  const note =
    precision === "exact"
      ? timeDriftNote(plannedAt, holds, timeZone)
      : driftNote(daysLater(plannedAt, holds, timeZone));
  const writePlan = plannedAt.slice(0, 4) === holds.slice(0, 4) ? write : localTime;
  const planned = html`${plannedLabel(step)} ${writePlan(plannedAt, timeZone, precision)}`;
  return note && html`<span>${note}</span><span class="note muted">${planned}</span>`;
}

/** What the steps of a timeline have in common. */
interface Shared {
  readonly latest: TimelineStep | undefined;
  /** Renders a time: with the year only if those of the steps have several. */
  readonly write: typeof localTime;
  readonly timeOf: (step: TimelineStep) => Html;
  readonly showsSources: boolean;
  readonly describe: TimelineOrder["describe"];
}

/** "terminal", "AIS". */
function sourceText(source: NonNullable<TimelineStep["dataSource"]>): string {
  const label = sourceLabels[source];
  return label === label.toUpperCase() ? label : label.toLowerCase();
}

function stepItem(step: TimelineStep, terminal: string | null, shared: Shared): Html {
  const { latest, timeOf, showsSources, describe } = shared;
  const { event, dataSource, note } = step;
  const isLatest = step === latest;
  const isExpected = dataSource === null;
  const label = isExpected ? comingEventLabel(event) : eventLabel(event);
  const sourceTag =
    showsSources &&
    dataSource !== null &&
    dataSource !== "shipping_line" &&
    html` <span class="tag">reported by ${sourceText(dataSource)}</span>`;
  return html`
    <li${isExpected && html` class="expected"`}${isLatest && html` aria-current="step"`}>
      <span><strong title="${describe?.(event)}">${label}</strong>
        ${isExpected && html`<span class="muted">${estimateLabel(event)}</span>`}
        ${isLatest && html`<span class="latest">latest</span>`}${sourceTag}
        ${step.terminal !== terminal && html`<span class="muted">${step.terminal}</span>`}</span>
      ${timeOf(step)}
      ${drift(step, shared)}
      ${note && html`<span class="note">${note}</span>`}
    </li>`;
}

/** Groups consecutive steps at the same place. */
function byPlace(steps: readonly TimelineStep[]): readonly (readonly TimelineStep[])[] {
  const groups: TimelineStep[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last && last[0]?.place === step.place) last.push(step);
    else groups.push([step]);
  }
  return groups;
}

export interface TimelineOrder {
  readonly newestFirst: boolean;
  /** Distinguishes the timelines of a page; not set: there is one. */
  readonly name?: string;
  /** Path of the page in the other order; not set: there is none. */
  readonly otherPath?: string;
  /** Whether sources other than the shipping line are named. Default: true. */
  readonly showsSources?: boolean;
  /** Explains an event in the title of its name; not set: in a document that must stay small. */
  readonly describe?: (event: string) => string | undefined;
}

/** A transshipment port that was left is collapsed unless it has the latest event. */
const isPassedOnTheWay = (group: readonly TimelineStep[], latest: TimelineStep | undefined): boolean =>
  group.every((step) => step.event.startsWith("transshipment_") && step.dataSource !== null && step !== latest);

/** "Transshipment, 4 events: transshipment departed Tue 24 Nov, 04:45 GMT+8". */
function passage(group: readonly TimelineStep[], { timeOf }: Shared): Html {
  const last = group.at(-1);
  const end = last && html`: ${eventLabel(last.event).toLowerCase()} ${timeOf(last)}`;
  return html`<span class="muted">Transshipment, ${countText(group.length, "event")}${end}</span>`;
}

function placeGroup(group: readonly TimelineStep[], shared: Shared, order: TimelineOrder): Html {
  const name = group[0]?.place ?? "Place not known";
  const terminals = new Set(group.flatMap(({ terminal }) => terminal ?? []));
  const terminal = terminals.size === 1 ? ([...terminals][0] ?? null) : null;
  const heading = html`<h3>${name}${terminal && html` <span class="muted">· ${terminal}</span>`}</h3>`;
  const ordered = order.newestFirst ? group.toReversed() : group;
  const list = html`<ol class="timeline">${ordered.map((step) => stepItem(step, step.terminal && terminal, shared))}</ol>`;
  if (!isPassedOnTheWay(group, shared.latest)) return html`<li class="place">${heading}${list}</li>`;
  // The id derives from the content, so that the group stays open when the page updates.
  const id = ["leg", order.name, group[0]?.actualAt ?? name].filter(Boolean).join("-");
  return html`
    <li class="place"><details id="${id}" class="passage">
      <summary>${heading} ${passage(group, shared)}</summary>${list}
    </details></li>`;
}

/** "14 d 10 h". */
function durationText(ms: number): string {
  const hours = Math.round(ms / hourMs);
  return [hours >= 24 && `${Math.floor(hours / 24)} d`, hours % 24 > 0 && `${hours % 24} h`].filter(Boolean).join(" ");
}

/** What carries the container from one place to the next, and for how long; null: it is not known. */
function legRow(from: readonly TimelineStep[], [arrival]: readonly TimelineStep[] = []): Html | null {
  const departure = from.findLast(({ event }) => event.endsWith("_departed"));
  const loading = from.findLast(({ event, voyage }) => voyage !== null && /_(loaded|departed)$/.test(event));
  // The port of discharge may name another vessel than the port of loading.
  const arrived = arrival?.event.endsWith("_arrived") ? arrival.voyage : null;
  const voyages = [...new Set([loading?.voyage, arrived])].filter(Boolean).join(" → ");
  const carrier = departure?.event === "rail_departed" ? "Rail" : voyages;
  if (carrier === "") return null;
  const [left, reached] = [departure, arrival].map((step) => step?.actualAt ?? step?.estimatedAt ?? null);
  const ms = left && reached ? msBetween(left, reached) : 0;
  const about = arrival?.actualAt && departure?.actualAt ? "" : "about ";
  return html`<li class="leg muted">${carrier}${ms >= hourMs && ` · ${about}${durationText(ms)}`}</li>`;
}

export function timelineList(steps: readonly TimelineStep[], order: TimelineOrder): Html {
  if (steps.length === 0) return html`<p class="muted">Nothing has been reported yet.</p>`;
  const atOf = ({ actualAt, estimatedAt }: TimelineStep): Instant | null => actualAt ?? estimatedAt;
  const years = new Set(steps.flatMap((step) => atOf(step)?.slice(0, 4) ?? []));
  const write = years.size > 1 ? localTime : timeInYear;
  const shared: Shared = {
    latest: steps.findLast(({ dataSource }) => dataSource !== null),
    write,
    timeOf: (step) => write(atOf(step), step.timeZone, step.precision),
    showsSources: order.showsSources ?? true,
    describe: order.describe,
  };
  const groups = byPlace(steps);
  const items = groups.flatMap((group, index) => [
    placeGroup(group, shared, order),
    legRow(group, groups[index + 1]) ?? html``,
  ]);
  const { newestFirst, otherPath } = order;
  const link = otherPath && html`<a href="${otherPath}">${newestFirst ? "Oldest first" : "Newest first"}</a>`;
  return html`
    ${link && html`<p class="order">${link}</p>`}
    <ol class="places">${newestFirst ? items.toReversed() : items}</ol>`;
}
