import { compareText } from "@svc/domain";
import type { ExceptionKind } from "@svc/domain/exceptions";
import type { ExceptionResource } from "@svc/sdk";
import { calendarDayMark, type Html, html } from "@svc/views";
import { type ExceptionRow, kindLabel } from "@svc/views/exceptions";
import { groupCheckbox, rowCheckbox } from "../rows/rows-form.ts";
import { groupActions } from "./exception-actions.ts";
import { exceptionCost } from "./exception-cost.ts";
import { exceptionPath } from "./return-path.ts";

/** Minimum number of exceptions in a group; fewer have a row each. */
export const groupSizeMin = 3;

type Items = readonly [ExceptionResource, ...ExceptionResource[]];

/** Exceptions of one kind in containers of one shipment, the most urgent first. */
export interface ExceptionGroup {
  readonly shipmentId: string;
  readonly shipmentNumber: string;
  readonly kind: ExceptionKind;
  readonly items: Items;
}

/** A row of the queue. `subject`: rows of the same follow each other. */
export interface QueueRow {
  readonly subject: string;
  readonly items: Items;
  /** Null: the row is of one exception. */
  readonly group: ExceptionGroup | null;
}

function groupOf(items: readonly ExceptionResource[]): ExceptionGroup | null {
  const [first, ...others] = items;
  const shipmentId = first?.relationships.shipment.data?.id;
  if (first === undefined || shipmentId === undefined || items.length < groupSizeMin) return null;
  if (items.some(({ relationships }) => relationships.container.data === null)) return null;
  const { kind, shipment_number: number } = first.attributes;
  return { shipmentId, shipmentNumber: number ?? shipmentId, kind, items: [first, ...others] };
}

/** The rows of exceptions that are in the order of their urgency; each row is where its most urgent one is. */
export function groupQueueRows(
  items: readonly ExceptionResource[],
  subjectOf: (one: ExceptionResource) => string,
): readonly QueueRow[] {
  const alike = Map.groupBy(
    items,
    ({ attributes: { kind }, relationships: { shipment } }) => `${shipment.data?.id} ${kind}`,
  );
  const rows = [...alike.values()].flatMap((found): QueueRow[] => {
    const group = groupOf(found);
    if (group) return [{ subject: `all of ${group.shipmentId}`, items: group.items, group }];
    return found.map((one) => ({ subject: subjectOf(one), items: [one], group: null }));
  });
  const places = new Map(items.map((one, at) => [one, at]));
  const inOrder = rows.toSorted((one, other) => (places.get(one.items[0]) ?? 0) - (places.get(other.items[0]) ?? 0));
  return [...Map.groupBy(inOrder, ({ subject }) => subject).values()].flat();
}

const daysMax = 3;

/** The last free days, "21 Dec (12), 22 Dec (41)": with their numbers of containers where there are several. */
export function lastFreeDaysText(items: Items): string | null {
  const days = items.flatMap(({ attributes }) => attributes.last_free_day ?? []);
  const counts = [...Map.groupBy(days, (day) => day)].toSorted(([one], [other]) => compareText(one, other));
  if (counts.length === 0) return null;
  const text = ([day, all]: (typeof counts)[number]): string =>
    counts.length === 1 ? calendarDayMark(day) : `${calendarDayMark(day)} (${all.length})`;
  const more =
    counts.length > daysMax
      ? ` and ${counts.length - daysMax} later ${counts.length === daysMax + 1 ? "day" : "days"}`
      : "";
  return `${counts.slice(0, daysMax).map(text).join(", ")}${more}`;
}

function ownerText(items: Items): string | null {
  const owners = new Set(items.map(({ attributes }) => attributes.owner));
  return owners.size > 1 ? "Several owners" : (items[0].attributes.owner ?? null);
}

const byNumber = (one: ExceptionResource, other: ExceptionResource) =>
  compareText(one.attributes.number, other.attributes.number);

export const groupSummary = ({ kind, items }: ExceptionGroup): string =>
  `${kindLabel(kind)}: ${items.length} containers`;

export const isUrgent = ({ attributes: { severity, status } }: ExceptionResource): boolean =>
  severity === "critical" && status === "open";

/** The exceptions of the group by their numbers, folded below its summary. */
export function members(
  { items, shipmentId, kind }: ExceptionGroup,
  summary: string,
  options: {
    readonly itemPath: (one: ExceptionResource) => string;
    readonly hasBoxes: boolean;
    /** Path of the list that the pages of the exceptions lead back to. */
    readonly queue: string;
  },
): Html {
  const { itemPath, hasBoxes, queue } = options;
  const item = (one: ExceptionResource) => {
    const { number, summary, owner, note } = one.attributes;
    return html`
      <li id="row-${one.id}-of">${hasBoxes && rowCheckbox(one.id, `${summary}, ${number}`)}
        <a class="number" href="${itemPath(one)}">${number}</a> <a href="${exceptionPath(one.id, queue)}">${summary}</a>
        ${owner && html`<span class="muted">${owner}</span>`} ${note && html`<span class="below">${note}</span>`}</li>`;
  };
  return html`
    <details class="group" id="group-${shipmentId}-${kind}">
      <summary class="${items.some(isUrgent) ? "late" : "warning"}">${summary}</summary>
      <ul class="plain">${items.toSorted(byNumber).map(item)}</ul></details>`;
}

/** The row of a group, without what it has in common with the rows of single exceptions. */
export function groupRow(
  group: ExceptionGroup,
  options: {
    /** Email address of the member, who may change them; null: may not. */
    readonly email: string | null;
    /** URL of the list. */
    readonly back: string;
    /** Actions in the menu "…". */
    readonly more: Html | null;
    /** Whether there are others to whom they can be assigned. */
    readonly hasColleagues: boolean;
    readonly itemPath: (one: ExceptionResource) => string;
  },
): Omit<ExceptionRow, "context" | "since" | "id"> {
  const { items, shipmentId, shipmentNumber } = group;
  const { email, back, more, hasColleagues, itemPath } = options;
  const summary = groupSummary(group);
  const days = lastFreeDaysText(items);
  return {
    number: shipmentNumber,
    numberPath: `/shipments/${shipmentId}`,
    shipmentNumber: null,
    summary,
    summaryPath: null,
    isUrgent: items.some(isUrgent),
    cost: exceptionCost(items),
    cause: days && `Last free day ${days}`,
    note: null,
    members: members(group, summary, { itemPath, hasBoxes: email !== null, queue: back }),
    owner: ownerText(items),
    ...groupActions(items, { email, back, more, hasColleagues, name: `${summary}, ${shipmentNumber}` }),
    box: email === null ? null : groupCheckbox(`${summary}, ${shipmentNumber}`),
  };
}
