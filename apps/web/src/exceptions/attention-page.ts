import { type Html, html } from "@svc/views";
import { exceptionTable } from "@svc/views/exceptions";
import { may } from "../access/callers.ts";
import { arrivalIn7Days, type ConditionCounts } from "../containers/condition-counts.ts";
import { filterChips } from "../pages/filter-chips.ts";
import { accountEvents, type LivePage, livePage, part } from "../pages/live-page.ts";
import { pageHead } from "../pages/page-head.ts";
import { pageLinks } from "../pages/page-links.ts";
import { printedLine, rowsText } from "../pages/printed-line.ts";
import { listCall, sameFromApi } from "../pages/same-from-api.ts";
import { allRowsCheckbox, rowsButton, rowsForm } from "../rows/rows-form.ts";
import { unknownPortNote } from "../saved-views/unknown-port.ts";
import { type ListViews, viewBar, viewTools } from "../saved-views/view-bar.ts";
import { withoutView } from "../saved-views/view-parameters.ts";
import type { CarrierChoice } from "../tracking-requests/carrier-menu.ts";
import { chipRows, chosenFilters, filterForm, printedFilters, withoutFilters } from "./attention-filters.ts";
import { type AttentionQuery, apiFilterOf, attentionPath } from "./attention-query.ts";
import { type CostOfDelay, costLine } from "./cost-of-delay.ts";
import { actionLabels, assignControls, memberSuggestions } from "./exception-actions.ts";
import { groupSizeMin } from "./exception-groups.ts";
import { exceptionRows, type QueueOptions } from "./exception-rows.ts";

export interface AttentionPageOptions extends QueueOptions {
  readonly apiBaseUrl: string;
  readonly hasMore: boolean;
  /** Number of exceptions by kind and by status, with the other filters of the query applied. */
  readonly kinds: ReadonlyMap<string | null, number>;
  readonly statuses: ReadonlyMap<string | null, number>;
  readonly lines: readonly CarrierChoice[];
  /** No port has the name or UN/LOCODE of the filter. */
  readonly isUnknownPort: boolean;
  /** False: the search has more matches, which are older. */
  readonly isWhole: boolean;
  readonly views: ListViews | null;
  /** Note about the action that was just performed. */
  readonly note: Html | null;
  /** Cost of the containers over their last free day, within the other filters. */
  /** Null: not read. */
  readonly cost: CostOfDelay | null;
  /** Of all containers of the account. Null: not counted. */
  readonly containerCounts: ConditionCounts | null;
}

function table(options: AttentionPageOptions): Html {
  const { rows, hasGroups } = exceptionRows(options);
  return html`
    ${exceptionTable(rows, {
      allRows: may(options.caller, "handle_exceptions") ? allRowsCheckbox : null,
      sinceHeading: options.query.status === "open" ? "Open for" : null,
    })}
    ${
      hasGroups &&
      html`<p class="muted">Exceptions of one kind in ${groupSizeMin} or more containers of a shipment share a row.
        Counts are of exceptions.</p>`
    }`;
}

function selectedRows({ caller, query, members }: AttentionPageOptions): Html | null {
  if (!may(caller, "handle_exceptions")) return null;
  const actions = query.status === "open" ? (["take", "snooze", "resolve"] as const) : (["open"] as const);
  const buttons = actions.map((action) => rowsButton(action, actionLabels[action]));
  const colleagues = members.filter((member) => member !== caller.user.email);
  const assign =
    query.status === "open" &&
    colleagues.length > 0 &&
    html`${assignControls("rows-owner")}${memberSuggestions(colleagues)}`;
  return rowsForm("/attention/rows", attentionPath(query, query), html`${assign}${buttons}`);
}

function printed({ query, items, kinds, now }: AttentionPageOptions): Html {
  const { status, kind } = query;
  const found = kind === null ? [...kinds.values()] : [kinds.get(kind) ?? 0];
  const total = found.reduce((sum, count) => sum + count, 0);
  return printedLine({
    filters: printedFilters(query),
    order: status === "resolved" ? "time of the resolution, the latest first" : "urgency, the most urgent first",
    rows: rowsText(items.length, total, ["exception", "exceptions"]),
    now,
  });
}

function empty(query: AttentionQuery): Html {
  const isFiltered = attentionPath({ ...query, saved: "" }) !== "/attention";
  const kinds =
    "Last free days, holds, fees, delays, missed connections, silent carriers and failed requests appear here.";
  return html`<section class="card empty"><h2>${isFiltered ? "No exceptions match" : "Nothing needs attention"}</h2>
    <p>${isFiltered ? html`<a href="/attention?saved=${withoutView}">Show all open exceptions</a>` : kinds}</p>
    <p><a href="/shipments">All shipments</a></p></section>`;
}

/** Lists of containers beside the queue. A number of the first ones is urgent. */
const shortcuts = [
  ["last_free_day_over", "Over the last free day"],
  ["last_free_day_today", "Last free day today"],
  ["last_free_day_soon", "Last free day within 3 days"],
  ["holds", "On hold"],
  ["arriving_in_7_days", "Arriving in 7 days"],
  ["late", "2+ days late"],
] as const;
const urgentShortcuts = 3;

/** Beside the queue: how many containers need something, and the map of all voyages. */
function sidebar({ containerCounts, now }: AttentionPageOptions): Html {
  const arriving = new URLSearchParams(arrivalIn7Days(now));
  const shortcut = ([condition, label]: (typeof shortcuts)[number], index: number) => {
    const count = containerCounts?.get(condition);
    const path = condition === "arriving_in_7_days" ? `/containers?${arriving}` : `/containers?view=${condition}`;
    const tone = index < urgentShortcuts ? "late" : null;
    const number =
      count !== undefined && html`<span class="${count > 0 ? tone : "muted"}">${count.toLocaleString("en-GB")}</span>`;
    return html`
      <li><a href="${path}">${label} ${number}</a></li>`;
  };
  return html`
    <div class="stack">
      <nav class="card shortcuts" aria-labelledby="containers">
        <h2 id="containers"><a href="/containers">Containers</a>
          <a class="export" href="/containers.xlsx" download aria-label="Export all containers">Export all</a></h2>
        ${part("containers", html`<ul class="plain">${shortcuts.map(shortcut)}</ul>`)}
      </nav>
      ${voyages}
    </div>`;
}

/** The map of all voyages. Its script reads it after the queue is shown, which does not wait for the positions. */
const voyages = html`
  <section class="card voyages needs-script" aria-labelledby="voyages">
    <h2 id="voyages"><a href="/map">Map of all containers</a></h2>
    <div class="voyage-map" data-voyages="/map"></div>
  </section>`;

/** `GET /attention`: the queue of exceptions, most urgent first. */
export function attentionPage(options: AttentionPageOptions): LivePage {
  const { caller, apiBaseUrl, items, query, note } = options;
  const filter = apiFilterOf(query, caller.user.email);
  const tools = viewTools(options.views, null);
  const addressOf = (page: number) => attentionPath(query, { page });
  const { kind, carrier, customer, customerName, port, owner, typed } = query;
  const origin = new URLSearchParams({
    ...(kind && { kind }),
    ...(carrier && { carrier }),
    ...(customer && { customer }),
    // Alerts do not have these: the form says so.
    ...(customerName && { customer_name: customerName }),
    ...(port && { port_of_discharge: port }),
    ...(owner && { owner }),
    ...(typed && { q: typed }),
  });
  const alertPath = `/account/alerts/new${origin.size === 0 ? "" : `?${origin}`}`;
  return livePage({
    title: "Needs attention",
    caller,
    section: "attention",
    styles: "attention",
    events: accountEvents,
    content: html`
      ${pageHead({
        heading: "Needs attention",
        aside: may(caller, "manage_alerts") && html`<a class="button quiet" href="${alertPath}">New alert</a>`,
      })}
      ${part("cost", options.cost && costLine(options.cost, query))}
      ${part("note", note)}
      ${viewBar(options.views)}
      <div class="toolbar">
        ${part("filters", chipRows(query, options))}
        ${filterForm(query, { ...options, shipments: [...options.shipments.values()] })}
        ${tools && html`<div class="tools">${tools}</div>`}
      </div>
      ${filterChips(chosenFilters(query), withoutFilters(query))}
      ${options.isUnknownPort && unknownPortNote(query.port)}
      ${
        !options.isWhole && html`<p class="muted">Not all matches are shown: type more of the number to see others.</p>`
      }
      ${selectedRows(options)}
      ${printed(options)}
      <div class="beside-map">
        ${part(
          "items",
          items.length === 0
            ? empty(query)
            : html`
              ${table(options)}
              ${pageLinks({ number: query.page, hasMore: options.hasMore, addressOf }, ["Previous", "Next"])}`,
        )}
        ${sidebar(options)}
      </div>
      ${sameFromApi(apiBaseUrl, [{ path: listCall("/exceptions", filter, {}) }])}`,
  });
}
