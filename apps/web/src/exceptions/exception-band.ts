import { runningChargeKinds } from "@svc/domain/exceptions";
import { moneyText } from "@svc/domain/money";
import type { Client, ExceptionResource } from "@svc/sdk";
import { calendarDayText, type Html, html } from "@svc/views";
import { sumExceptions } from "./exception-cost.ts";
import {
  type ExceptionGroup,
  groupQueueRows,
  groupSummary,
  isUrgent,
  lastFreeDaysText,
  members,
  type QueueRow,
} from "./exception-groups.ts";
import { subjectPath } from "./exception-rows.ts";

const subjectsMax = 5;

/**
 * Snoozed and resolved exceptions that cost on: containers over their last free day, and charges by the day. The most
 * urgent first.
 */
export async function readHandledCosts(
  api: Client,
  subject: { readonly shipment: string } | { readonly container: string },
): Promise<readonly ExceptionResource[]> {
  const [kind, status] = [[...runningChargeKinds], ["snoozed", "resolved"]];
  const { data } = await api.exceptions.list({ filter: { ...subject, kind, status, ended: false } });
  return data.filter(
    ({ attributes }) => attributes.kind === "last_free_day_over" || attributes.amount_per_day !== null,
  );
}

/** "Last free day over: 3 containers, 18 Dec, 1,800.00 USD so far". */
function summaryOf(group: ExceptionGroup): string {
  const days = group.kind.startsWith("last_free_day") ? lastFreeDaysText(group.items) : null;
  const { amounts_as_of: day } = group.items[0].attributes;
  const sums = sumExceptions(group.items).flatMap((sum) => (sum.amount > 0 ? moneyText(sum) : []));
  const until = day === null ? "so far" : `as of ${calendarDayText(day)}`;
  return [groupSummary(group), days, sums.length > 0 && `${sums.join(" + ")} ${until}`].filter(Boolean).join(", ");
}

/** The exceptions of one number, or of many containers as one. */
function item(rows: readonly QueueRow[], pageNumber: string): Html | null {
  const items = rows.flatMap((row) => row.items);
  const [first] = items;
  if (first === undefined) return null;
  const toneOf = (isSevere: boolean) => (isSevere ? "late" : "warning");
  const link = (one: ExceptionResource, index: number) => html`${index > 0 && html`<span class="between"> · </span>`}
    <span class="${toneOf(isUrgent(one))}"><a href="/attention/${one.id}">${one.attributes.summary}</a></span>
    ${one.attributes.status !== "open" && html`<span class="muted">${one.attributes.status}</span>`}`;
  const { number } = first.attributes;
  const subject = number !== pageNumber && html`<a class="number" href="${subjectPath(first)}">${number}</a>`;
  const group = rows[0]?.group;
  const content = group
    ? members(group, summaryOf(group), { itemPath: subjectPath, hasBoxes: false, queue: "/attention" })
    : html`${subject} ${items.map(link)}`;
  return html`<li class="${toneOf(items.some(isUrgent))}">${content}</li>`;
}

/** The rows of each number, the most urgent first. */
function subjectsOf(exceptions: readonly ExceptionResource[]): readonly (readonly QueueRow[])[] {
  const rows = groupQueueRows(exceptions, ({ attributes }) => attributes.number);
  return [...Map.groupBy(rows, ({ subject, group }) => group ?? subject).values()];
}

/** Whether the band says that the carrier is silent, so that the page does not say it again. */
export const bandSaysSilence = (exceptions: readonly ExceptionResource[]): boolean =>
  subjectsOf(exceptions)
    .slice(0, subjectsMax)
    .some((rows) => rows.some(({ items }) => items.some(({ attributes }) => attributes.kind === "carrier_silent")));

/**
 * Lists open exceptions, and those that still cost, for the top of the page of a shipment or container. Null without
 * any.
 */
export function exceptionBand(exceptions: readonly ExceptionResource[], pageNumber: string): Html | null {
  const subjects = subjectsOf(exceptions);
  if (subjects.length === 0) return null;
  const more = subjects.length - subjectsMax;
  return html`
    <section class="band" aria-label="Needs attention"><ul class="plain">${subjects
      .slice(0, subjectsMax)
      .map((one) => item(one, pageNumber))}
      ${more > 0 && html`<li>and ${more} more</li>`}</ul></section>`;
}
