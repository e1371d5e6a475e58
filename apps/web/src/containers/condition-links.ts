import type { Instant } from "@svc/domain";
import type { ContainerCondition } from "@svc/domain/saved-views";
import { formatNumber, type Html, html } from "@svc/views";
import { arrivalIn7Days, type ConditionCounts } from "./condition-counts.ts";
import { type ContainerQuery, views } from "./list-query.ts";

const noArrival = { arrival_from: "", arrival_to: "" };

/** The first ones share a label, so that all of them fit on one line. */
const shortLabels = {
  last_free_day_over: "Over",
  last_free_day_today: "Today",
  last_free_day_soon: "Within 3 days",
  last_free_day_within_7_days: "Within 7 days",
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
  const days = arrivalIn7Days(now);
  const isIn7Days = query.arrival_from === days.arrival_from && query.arrival_to === days.arrival_to;
  const link = (path: string, isCurrent: boolean, label: Html | string, count?: number) => html`
    <a href="${path}"${isCurrent && html` aria-current="true"`}>${label}${
      count !== undefined && html` <span class="count">${formatNumber(count)}</span>`
    }</a>`;
  const viewLink = (view: ContainerCondition, label: Html | string = views[view]) =>
    link(pathOf(query, { view }), view === query.view, label, counts?.get(view));
  const leavesDays = isIn7Days && query.view === "all";
  const allPath = pathOf(query, { view: "all", ...(leavesDays && noArrival) });
  return html`
    <nav class="chips" aria-label="Conditions">
      ${link(allPath, query.view === "all" && !isIn7Days, views.all)}
      <span class="group"><span class="muted" aria-hidden="true">Last free day</span>
        ${Object.entries(shortLabels).map(([view, label]) =>
          viewLink(view as keyof typeof shortLabels, html`<span class="hidden">Last free day </span>${label}`),
        )}
        ${query.view === "last_free_day" && viewLink("last_free_day", "Within 3 days or over")}
        ${query.view === "last_free_day_this_week" && viewLink("last_free_day_this_week", "This week")}</span>
      ${link(
        pathOf(query, isIn7Days ? noArrival : days),
        isIn7Days,
        "Arriving in 7 days",
        counts?.get("arriving_in_7_days"),
      )}
      ${others.map((view) => viewLink(view))}
    </nav>`;
}
