import type { Instant } from "@svc/domain";
import type { ContainerCondition } from "@svc/domain/saved-views";
import { formatNumber, type Html, html } from "@svc/views";
import { arrivalThisWeek, type ConditionCounts } from "./condition-counts.ts";
import { type ContainerQuery, views } from "./list-query.ts";

const noArrival = { arrival_from: "", arrival_to: "" };

/** The first ones share a label, so that all of them fit on one line. */
const shortLabels = {
  last_free_day_over: "Over",
  last_free_day_today: "Today",
  last_free_day_this_week: "This week",
  last_free_day_soon: "Within 3 days",
} as const satisfies Partial<Record<ContainerCondition, string>>;

const others = ["holds", "available", "fees", "late", "stale", "not_returned"] as const;

export interface ConditionLinkOptions {
  readonly query: ContainerQuery;
  readonly now: Instant;
  /** Null: the links have no counts. */
  readonly counts: ConditionCounts | null;
  /** URL of the page with other filters. */
  readonly pathOf: (query: ContainerQuery, changes: Partial<ContainerQuery>) => string;
}

/** The predefined views with the number of their containers, within the other filters. */
export function conditionLinks({ query, now, counts, pathOf }: ConditionLinkOptions): Html {
  const week = arrivalThisWeek(now);
  const isThisWeek = query.arrival_from === week.arrival_from && query.arrival_to === week.arrival_to;
  const link = (path: string, isCurrent: boolean, label: Html | string, count?: number) => html`
    <a href="${path}"${isCurrent && html` aria-current="true"`}>${label}${
      count !== undefined && html` <span class="count">${formatNumber(count)}</span>`
    }</a>`;
  const viewLink = (view: ContainerCondition, label: Html | string = views[view]) =>
    link(pathOf(query, { view }), view === query.view, label, counts?.get(view));
  const leavesWeek = isThisWeek && query.view === "all";
  const allPath = pathOf(query, { view: "all", ...(leavesWeek && noArrival) });
  return html`
    <nav class="chips" aria-label="Conditions">
      ${link(allPath, query.view === "all" && !isThisWeek, views.all)}
      <span class="group"><span class="muted" aria-hidden="true">Last free day</span>
        ${Object.entries(shortLabels).map(([view, label]) =>
          viewLink(view as keyof typeof shortLabels, html`<span class="hidden">Last free day </span>${label}`),
        )}
        ${query.view === "last_free_day" && viewLink("last_free_day", "Within 3 days or over")}</span>
      ${link(
        pathOf(query, isThisWeek ? noArrival : week),
        isThisWeek,
        "Arriving this week",
        counts?.get("arriving_this_week"),
      )}
      ${others.map((view) => viewLink(view))}
    </nav>`;
}
