import { type ExceptionStatus, exceptionKinds, exceptionStatuses } from "@svc/domain/exceptions";
import { type Html, html } from "@svc/views";
import { exceptionTable, kindLabels } from "@svc/views/exceptions";
import { may } from "../access/callers.ts";
import { accountEvents, type LivePage, livePage, part } from "../pages/live-page.ts";
import { pageLinks } from "../pages/page-links.ts";
import { printedLine, rowsText } from "../pages/printed-line.ts";
import { apiQuery, sameFromApi } from "../pages/same-from-api.ts";
import { allRowsBox, rowsButton, rowsForm } from "../rows/rows-form.ts";
import { type ListViews, viewBar } from "../saved-views/view-bar.ts";
import { withoutView } from "../saved-views/view-parameters.ts";
import { type AttentionQuery, apiFilterOf, attentionPath } from "./attention-query.ts";
import { type CostOfDelay, costLine } from "./cost-of-delay.ts";
import { actionLabels, assignControls, memberSuggestions } from "./exception-actions.ts";
import { groupSizeMin } from "./exception-groups.ts";
import { statusLabels } from "./exception-labels.ts";
import { exceptionRows, type QueueOptions } from "./exception-rows.ts";

export interface AttentionPageOptions extends QueueOptions {
  readonly apiBaseUrl: string;
  readonly hasMore: boolean;
  /** Number of exceptions by kind and by status, with the other filters of the query applied. */
  readonly kinds: ReadonlyMap<string | null, number>;
  readonly statuses: ReadonlyMap<string | null, number>;
  readonly views: ListViews | null;
  /** Note about the action that was just performed. */
  readonly note: Html | null;
  /** Cost of the containers over their last free day, within the other filters. */
  readonly cost: CostOfDelay;
}

const owners = { me: "Mine", none: "No owner" } as const;

function table(options: AttentionPageOptions): Html {
  const { rows, hasGroups } = exceptionRows(options);
  return html`
    ${exceptionTable(rows, may(options.caller, "handle_exceptions") ? allRowsBox : null)}
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

function filters({ query, kinds, statuses }: AttentionPageOptions): Html {
  const link = (changes: Partial<AttentionQuery>, isCurrent: boolean, words: string, count?: number) =>
    html`<a href="${attentionPath(query, changes)}"${isCurrent && html` aria-current="true"`}>${words}${count !== undefined && html` <span class="count">${count}</span>`}</a>`;
  const ofStatus = (status: ExceptionStatus) =>
    link({ status, kind: null }, status === query.status, statusLabels[status], statuses.get(status) ?? 0);
  const total = [...kinds.values()].reduce((sum, count) => sum + count, 0);
  const shown = exceptionKinds.filter((kind) => (kinds.get(kind) ?? 0) > 0 || kind === query.kind);
  return html`
    <nav class="chips" aria-label="Status and owner">
      <span class="group"><span class="muted">Status</span> ${exceptionStatuses.map(ofStatus)}</span>
      <span class="group"><span class="muted">Owner</span>
        ${link({ owner: null }, query.owner === null, "All owners")}
        ${link({ owner: "me" }, query.owner === "me", owners.me)}
        ${link({ owner: "none" }, query.owner === "none", owners.none)}</span>
      ${
        query.status === "resolved" &&
        html`<span class="group"><span class="muted">Resolved</span>
          ${link({ byMember: false }, !query.byMember, "All")}
          ${link({ byMember: true }, query.byMember, "By a member")}</span>`
      }
    </nav>
    <nav class="chips" aria-label="Kind">
      <span class="muted">Kind</span>
      ${link({ kind: null }, query.kind === null, "All kinds", total)}
      ${shown.map((kind) => link({ kind }, kind === query.kind, kindLabels[kind], kinds.get(kind) ?? 0))}
    </nav>`;
}

function printed({ query, items, kinds, now }: AttentionPageOptions): Html {
  const { status, kind, owner } = query;
  const found = kind === null ? [...kinds.values()] : [kinds.get(kind) ?? 0];
  const total = found.reduce((sum, count) => sum + count, 0);
  return printedLine({
    filters: [
      { name: "Status", value: statusLabels[status] },
      ...(owner === null ? [] : [{ name: "Owner", value: owners[owner] }]),
      ...(kind === null ? [] : [{ name: "Kind", value: kindLabels[kind] }]),
    ],
    order: status === "resolved" ? "time of the resolution, the latest first" : "urgency, the most urgent first",
    rows: rowsText(items.length, total, ["exception", "exceptions"]),
    now,
  });
}

function empty({ status, kind, owner }: AttentionQuery): Html {
  const isFiltered = kind !== null || owner !== null || status !== "open";
  const kinds =
    "Last free days, holds, fees, delays, missed connections, silent carriers and failed requests appear here.";
  return html`<section class="card empty"><h2>${isFiltered ? "No exceptions match" : "Nothing needs attention"}</h2>
    <p>${isFiltered ? html`<a href="/attention?saved=${withoutView}">Show all open exceptions</a>` : kinds}</p>
    <p><a href="/shipments">All shipments</a></p></section>`;
}

/** Renders links to what a member wants every day. */
function shortcuts({ caller, query }: AttentionPageOptions): Html {
  const alert = `/account/alerts/new${query.kind ? `?kind=${query.kind}` : ""}`;
  return html`
    <nav class="shortcuts" aria-label="Shortcuts">
      <a href="/containers?view=late">Late containers</a>
      <a class="everywhere" href="/containers?view=last_free_day_today">Last free day today</a>
      <a class="everywhere" href="/containers?view=last_free_day_this_week">Last free day this week</a>
      <a href="/containers.xlsx" download>Export containers</a>
      ${may(caller, "connect_carriers") && html`<a href="/carriers/connect">Connect a carrier</a>`}
      ${may(caller, "manage_alerts") && html`<a href="${alert}">New alert</a>`}
    </nav>`;
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
  const addressOf = (page: number) => attentionPath(query, { page });
  return livePage({
    title: "Needs attention",
    caller,
    section: "attention",
    hasMap: true,
    events: accountEvents,
    content: html`
      <div class="list-head"><h1>Needs attention</h1>${shortcuts(options)}</div>
      ${part("note", note)}
      ${viewBar(options.views, null)}
      ${part("filters", filters(options))}
      ${part("cost", costLine(options.cost, query))}
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
        ${voyages}
      </div>
      ${sameFromApi(apiBaseUrl, [
        {
          path: `/exceptions${apiQuery({
            "filter[status]": filter.status,
            "filter[kind]": filter.kind,
            "filter[owner]": filter.owner,
            "filter[resolution]": filter.resolution,
            "filter[superseded]": filter.superseded === undefined ? null : String(filter.superseded),
          })}`,
        },
      ])}`,
  });
}
