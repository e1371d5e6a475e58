import type { Instant } from "@svc/domain";
import { type ExceptionStatus, exceptionKinds, exceptionStatuses } from "@svc/domain/exceptions";
import type { ExceptionResource, ShipmentResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { type ExceptionRow, exceptionTable, kindLabels } from "@svc/views/exceptions";
import { may } from "../access/callers.ts";
import type { SignedInCaller } from "../dashboard/dashboard-routes.ts";
import { accountEvents, type LivePage, livePage, part } from "../pages/live-page.ts";
import { moment } from "../pages/moment.ts";
import { pageLinks } from "../pages/page-links.ts";
import { apiQuery, sameFromApi } from "../pages/same-from-api.ts";
import { allRowsBox, rowBox, rowsButton, rowsForm } from "../rows/rows-form.ts";
import { type ListViews, viewBar } from "../saved-views/view-bar.ts";
import { withoutView } from "../saved-views/view-parameters.ts";
import { shareAtOnce } from "../share/share-page.ts";
import { type AttentionQuery, apiFilterOf, attentionPath } from "./attention-query.ts";
import { type CostOfDelay, costLine } from "./cost-of-delay.ts";
import { actionLabels, rowActions } from "./exception-actions.ts";
import { resolutionLabels, statusLabels } from "./exception-labels.ts";

export interface AttentionPageOptions {
  readonly caller: SignedInCaller;
  readonly apiBaseUrl: string;
  readonly now: Instant;
  readonly query: AttentionQuery;
  readonly items: readonly ExceptionResource[];
  /** Shipments of the exceptions, by id. */
  readonly shipments: ReadonlyMap<string, ShipmentResource>;
  readonly hasMore: boolean;
  /** Number of exceptions by kind and by status, with the other filters of the query applied. */
  readonly kinds: ReadonlyMap<string | null, number>;
  readonly statuses: ReadonlyMap<string | null, number>;
  readonly views: ListViews | null;
  /** What was just done. */
  readonly note: Html | null;
  /** What is over its last free day, within the other filters. */
  readonly cost: CostOfDelay;
}

/** Path of the page of the shipment, container or tracking request that the exception is about. */
export function subjectPath(one: ExceptionResource): string {
  const { shipment, container } = one.relationships;
  if (!shipment.data) {
    const { data: request } = one.relationships.tracking_request;
    const status = one.attributes.kind === "tracking_request_failed" ? "status=failed&" : "";
    return `/tracking-requests${request ? `?${status}created=${request.id}` : ""}`;
  }
  return `/shipments/${shipment.data.id}${container.data ? `?container=${container.data.id}` : ""}`;
}

function context(shipment: ShipmentResource | undefined): string | null {
  if (!shipment) return null;
  const { customer_name: customer, port_of_lading_name: from, port_of_discharge_name: to } = shipment.attributes;
  return [customer, `${from ?? "–"} → ${to ?? "–"}`].filter(Boolean).join(" · ");
}

function since({ attributes }: ExceptionResource, now: Instant): Html {
  const { status, opened_at: opened, snoozed_until: until, resolved_at: resolved, resolution } = attributes;
  const at = Date.parse(now);
  const when = {
    open: () => html`<span class="muted">opened ${moment(opened, at)}</span>`,
    snoozed: () => html`<span class="muted">until ${moment(until, at)}</span>`,
    resolved: () =>
      html`<span class="muted">${resolution && resolutionLabels[resolution]} ${moment(resolved, at)}</span>`,
  } satisfies Record<ExceptionStatus, () => Html>;
  return when[status]();
}

function rowOf(
  one: ExceptionResource,
  { before, next }: { readonly before: ExceptionResource | undefined; readonly next: ExceptionResource | undefined },
  options: AttentionPageOptions,
): ExceptionRow {
  const { number, shipment_number: bill, summary, cause, severity, status, note, owner } = one.attributes;
  return {
    number,
    numberPath: subjectPath(one),
    shipmentNumber: bill === number ? null : bill,
    context: context(options.shipments.get(one.relationships.shipment.data?.id ?? "")),
    summary,
    summaryPath: `/attention/${one.id}`,
    isUrgent: severity === "critical" && status === "open",
    cause,
    note,
    owner,
    since: since(one, options.now),
    actions: actionsOf(one, next, options),
    id: rowId(one),
    box: may(options.caller, "handle_exceptions") ? rowBox(one.id, `${summary}, ${number}`) : null,
    isSameSubject: before !== undefined && subjectOf(before) === subjectOf(one),
  };
}

const rowId = ({ id }: ExceptionResource): string => `row-${id}`;

const subjectOf = ({ attributes: { number }, relationships: { shipment, container } }: ExceptionResource): string =>
  `${container.data?.id ?? shipment.data?.id ?? ""} ${number}`;

/** The exceptions of one container, shipment or request follow its most urgent one. */
const bySubject = (items: readonly ExceptionResource[]): readonly ExceptionResource[] =>
  [...Map.groupBy(items, subjectOf).values()].flat();

function actionsOf(one: ExceptionResource, next: ExceptionResource | undefined, options: AttentionPageOptions) {
  const { caller, query } = options;
  const { data: shipment } = one.relationships.shipment;
  const back = `${attentionPath(query, query)}${next ? `#${rowId(next)}` : ""}`;
  const share = may(caller, "share") && shipment && shareAtOnce(shipment.id, one.attributes.number);
  return rowActions(one, may(caller, "handle_exceptions") ? caller.user.email : null, back, share || null);
}

function table(options: AttentionPageOptions): Html {
  const items = bySubject(options.items);
  const rows = items.map((one, at) => rowOf(one, { before: items[at - 1], next: items[at + 1] }, options));
  return exceptionTable(rows, may(options.caller, "handle_exceptions") ? allRowsBox : null);
}

function selectedRows({ caller, query }: AttentionPageOptions): Html | null {
  if (!may(caller, "handle_exceptions")) return null;
  const actions = query.status === "open" ? (["take", "snooze", "resolve"] as const) : (["open"] as const);
  const buttons = actions.map((action) => rowsButton(action, actionLabels[action]));
  return rowsForm("/attention/rows", attentionPath(query, query), buttons);
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
      ${exceptionStatuses.map(ofStatus)}
      ${link({ owner: null }, query.owner === null, "All owners")}
      ${link({ owner: "me" }, query.owner === "me", "Mine")}
      ${link({ owner: "none" }, query.owner === "none", "No owner")}
    </nav>
    <nav class="chips" aria-label="Kind">
      ${link({ kind: null }, query.kind === null, "All kinds", total)}
      ${shown.map((kind) => link({ kind }, kind === query.kind, kindLabels[kind], kinds.get(kind) ?? 0))}
    </nav>`;
}

function empty({ status, kind, owner }: AttentionQuery): Html {
  const isFiltered = kind !== null || owner !== null || status !== "open";
  const kinds =
    "Last free days, holds, fees, delays, missed connections, silent carriers and failed requests appear here.";
  return html`<section class="card empty"><h2>${isFiltered ? "No exceptions match" : "Nothing needs attention"}</h2>
    <p>${isFiltered ? html`<a href="/attention?saved=${withoutView}">Show all open exceptions</a>` : kinds}</p>
    <p><a href="/shipments">All shipments</a></p></section>`;
}

/** What a member wants every day, one click from home. */
function shortcuts({ caller, query }: AttentionPageOptions): Html {
  const alert = `/account/alerts/new${query.kind ? `?kind=${query.kind}` : ""}`;
  return html`
    <nav class="shortcuts" aria-label="Shortcuts">
      <a href="/containers?view=late">Late containers</a>
      <a href="/containers?view=last_free_day">Last free day soon</a>
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
    events: accountEvents,
    jumpBox: true,
    content: html`
      <div class="list-head"><h1>Needs attention</h1>${shortcuts(options)}</div>
      ${part("note", note)}
      ${viewBar(options.views, null)}
      ${part("filters", filters(options))}
      ${part("cost", costLine(options.cost, attentionPath(query, { kind: "last_free_day_over" })))}
      ${selectedRows(options)}
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
          })}`,
        },
      ])}`,
  });
}
