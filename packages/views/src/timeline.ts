import { daysLater } from "@svc/domain/shipments";
import { eventCategories } from "@svc/domain/webhooks";
import { driftNote, timeDriftNote } from "./drift-note.ts";
import { comingEventLabel, estimateLabel, eventLabel, sourceLabels } from "./event-labels.ts";
import { type Html, html } from "./html.ts";
import { localTime } from "./local-time.ts";
import { differs, legStarts, type TimelineStep } from "./timeline-step.ts";

export { type TimelineStep, voyageText } from "./timeline-step.ts";

const prefix = "container.transport.";
const descriptions: ReadonlyMap<string, string> = new Map(
  eventCategories.flatMap(({ events }) =>
    events.map(([name, description]) => [name.replace(prefix, ""), description] as const),
  ),
);

/** How the planned time of a step is called. That of a step to come is the first estimate. */
function plannedLabel({ actualAt, planBasis }: TimelineStep): string {
  if (actualAt === null) return "originally";
  return planBasis === "plan" ? "scheduled" : "first estimated";
}

/** Plan and estimate of a step, each only when it differs from the time that holds. */
function earlierTimes(step: TimelineStep): Html | null {
  const { actualAt, estimatedAt, plannedAt, timeZone, precision } = step;
  const holds = actualAt ?? estimatedAt;
  const differingTimes = [
    actualAt !== null &&
      estimatedAt !== null &&
      differs(estimatedAt, actualAt) &&
      (["estimated", estimatedAt] as const),
    plannedAt !== null && differs(plannedAt, holds) && ([plannedLabel(step), plannedAt] as const),
  ].flatMap((part) => (part ? [part] : []));
  if (differingTimes.length === 0) return null;
  const time = ([label, at]: (typeof differingTimes)[number]) =>
    html`<span class="earlier">${label} ${localTime(at, timeZone)}</span> `;
  const drift =
    precision === "exact" && plannedAt && holds
      ? timeDriftNote(plannedAt, holds, timeZone)
      : driftNote(daysLater(plannedAt, holds, timeZone));
  return html`<span class="muted">${differingTimes.map(time)} ${drift}</span>`;
}

/** The terminal of a step, and its vessel and voyage where they begin. */
const stepDetail = (
  { terminal, voyage }: TimelineStep,
  { isLegStart }: { readonly isLegStart: boolean },
): Html | null => {
  const detail = [terminal, isLegStart ? voyage : null].filter(Boolean).join(", ");
  return detail === "" ? null : html`<span class="muted">${detail}</span>`;
};

/** Properties that steps of a timeline have in common. */
interface Marked {
  readonly latest: TimelineStep | undefined;
  readonly starts: ReadonlySet<TimelineStep>;
  readonly showsSources: boolean;
}

function stepItem(step: TimelineStep, { latest, starts, showsSources }: Marked): Html {
  const { event, actualAt, estimatedAt, timeZone, precision, dataSource, note } = step;
  const isLatest = step === latest;
  const isExpected = dataSource === null;
  const label = isExpected ? comingEventLabel(event) : eventLabel(event);
  const sourceTag =
    showsSources &&
    dataSource !== null &&
    dataSource !== "shipping_line" &&
    html` <span class="tag">${sourceLabels[dataSource]}</span>`;
  return html`
    <li${isExpected && html` class="expected"`}${isLatest && html` aria-current="step"`}>
      <span><strong title="${descriptions.get(event)}">${label}</strong>
        ${isExpected && html`<span class="muted">${estimateLabel(event)}</span>`}
        ${isLatest && html`<span class="latest">latest</span>`}${sourceTag}</span>
      ${localTime(actualAt ?? estimatedAt, timeZone, precision)}
      ${earlierTimes(step)}
      ${stepDetail(step, { isLegStart: starts.has(step) })}
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
  /** Distinguishes the timelines of a page; absent: there is one. */
  readonly name?: string;
  /** Path of the page in the other order; absent: there is none. */
  readonly otherPath?: string;
  /** Whether sources other than the shipping line are named. Default: true. */
  readonly showsSources?: boolean;
}

/** A transshipment port that was left is collapsed unless it has the latest event. */
const isPassedOnTheWay = (group: readonly TimelineStep[], latest: TimelineStep | undefined): boolean =>
  group.every((step) => step.event.startsWith("transshipment_") && step.dataSource !== null && step !== latest);

/** "Transshipment, 4 events: transshipment departed Tue, 24 Nov 2026, 04:45 GMT+8". */
function passage(group: readonly TimelineStep[]): Html {
  const last = group.at(-1);
  const count = group.length === 1 ? "1 event" : `${group.length} events`;
  const end =
    last &&
    html`: ${eventLabel(last.event).toLowerCase()} ${localTime(last.actualAt ?? last.estimatedAt, last.timeZone, last.precision)}`;
  return html`<span class="muted">Transshipment, ${count}${end}</span>`;
}

function placeGroup(group: readonly TimelineStep[], marked: Marked, order: TimelineOrder): Html {
  const name = group[0]?.place ?? "Place not known";
  const ordered = order.newestFirst ? group.toReversed() : group;
  const list = html`<ol class="timeline">${ordered.map((step) => stepItem(step, marked))}</ol>`;
  if (!isPassedOnTheWay(group, marked.latest)) return html`<li class="place"><h3>${name}</h3>${list}</li>`;
  // The id derives from the content, so that the group stays open when the page updates.
  const id = ["leg", order.name, group[0]?.actualAt ?? name].filter(Boolean).join("-");
  return html`
    <li class="place"><details id="${id}" class="passage">
      <summary><h3>${name}</h3> ${passage(group)}</summary>${list}
    </details></li>`;
}

export function timelineList(steps: readonly TimelineStep[], order: TimelineOrder): Html {
  if (steps.length === 0) return html`<p class="muted">Nothing has been reported yet.</p>`;
  const latest = steps.findLast(({ dataSource }) => dataSource !== null);
  const groups = byPlace(steps);
  const collapsed = new Set(groups.filter((group) => isPassedOnTheWay(group, latest)).flat());
  const { newestFirst, otherPath, showsSources = true } = order;
  const marked = { latest, starts: legStarts(steps, (step) => collapsed.has(step)), showsSources };
  const ordered = newestFirst ? groups.toReversed() : groups;
  const link = otherPath && html`<a href="${otherPath}">${newestFirst ? "Oldest first" : "Newest first"}</a>`;
  return html`
    ${link && html`<p class="order">${link}</p>`}
    <ol class="places">${ordered.map((group) => placeGroup(group, marked, order))}</ol>`;
}
