import type { Instant } from "@svc/domain";
import { restOfWeek } from "@svc/domain/saved-views";
import { type Html, html } from "@svc/views";
import { type ContainerQuery, views } from "./list-query.ts";

const lastFreeDay = "Last free day ";

const anyArrival = { arrival_from: "", arrival_to: "" };

export interface ConditionLinkOptions {
  readonly query: ContainerQuery;
  readonly now: Instant;
  /** URL of the page with other filters. */
  readonly pathOf: (query: ContainerQuery, changes: Partial<ContainerQuery>) => string;
}

/** Toggles the filter by days of arrival, within the others. */
function arrivingThisWeek({ query, now, pathOf }: ConditionLinkOptions, isOn: boolean): Html {
  const { from, to } = restOfWeek(now);
  const path = pathOf(query, isOn ? anyArrival : { arrival_from: from, arrival_to: to });
  return html`<a href="${path}"${isOn && html` aria-current="true"`}>Arriving this week</a>`;
}

/** The predefined views; those of the last free day share its name, so that all of them fit on one line. */
export function conditionLinks(options: ConditionLinkOptions): Html {
  const { query, now, pathOf } = options;
  const { from, to } = restOfWeek(now);
  const isThisWeek = query.arrival_from === from && query.arrival_to === to;
  const link = ([value, label]: [string, string]) => {
    const content = label.startsWith(lastFreeDay)
      ? html`<span class="hidden">${lastFreeDay}</span>${label.slice(lastFreeDay.length)}`
      : label;
    const leavesWeek = isThisWeek && value === "all";
    const mark = value === query.view && !leavesWeek && html` aria-current="true"`;
    const path = pathOf(query, { view: value as ContainerQuery["view"], ...(leavesWeek && anyArrival) });
    return html`<a href="${path}"${mark}>${content}</a>`;
  };
  const [all, ...others] = Object.entries(views);
  const isLastFreeDayView = ([, label]: [string, string]) => label.startsWith(lastFreeDay);
  return html`
    <nav class="chips" aria-label="Conditions">
      ${all && link(all)}
      <span class="group"><span class="muted" aria-hidden="true">Last free day</span>
        ${others.filter(isLastFreeDayView).map(link)}</span>
      ${arrivingThisWeek(options, isThisWeek)}
      ${others.filter((view) => !isLastFreeDayView(view)).map(link)}
    </nav>`;
}
