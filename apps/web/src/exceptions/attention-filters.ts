import { type ExceptionStatus, exceptionKinds, exceptionStatuses } from "@svc/domain/exceptions";
import type { ShipmentResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { kindLabels } from "@svc/views/exceptions";
import { customerSuggestions } from "../customers/customer-names.ts";
import { option } from "../forms/choices.ts";
import { carrierLabel } from "../forms/code-choices.ts";
import type { FilterChip } from "../pages/filter-chips.ts";
import { portSuggestions } from "../saved-views/port-suggestions.ts";
import type { CarrierChoice } from "../tracking-requests/carrier-menu.ts";
import { type AttentionQuery, attentionPath, hasShipmentFilters, isTeamwide } from "./attention-query.ts";
import { statusLabels } from "./exception-labels.ts";

type Counts = ReadonlyMap<string | null, number>;

const owners: Readonly<Record<string, string>> = { me: "Mine", none: "No owner" };

/** Status, owner and kind as links, with counts within the other filters. */
export function chipRows(query: AttentionQuery, { kinds, statuses }: { readonly kinds: Counts; statuses: Counts }) {
  const link = (changes: Partial<AttentionQuery>, isCurrent: boolean, label: string, count?: number) =>
    html`<a href="${attentionPath(query, changes)}"${isCurrent && html` aria-current="true"`}>${label}${count !== undefined && html` <span class="count">${count}</span>`}</a>`;
  const countOf = (status: ExceptionStatus) =>
    statuses.get(status) ?? (status === "resolved" && hasShipmentFilters(query) ? undefined : 0);
  const statusLink = (status: ExceptionStatus) =>
    link({ status }, status === query.status, statusLabels[status], countOf(status));
  const total = [...kinds.values()].reduce((sum, count) => sum + count, 0);
  const visibleKinds = exceptionKinds.filter((kind) => (kinds.get(kind) ?? 0) > 0 || kind === query.kind);
  return html`
    <nav class="chips" aria-label="Status and owner">
      <span class="group segments">${exceptionStatuses.map(statusLink)}</span>
      <span class="group">
        ${link({ owner: "" }, query.owner === "", "All owners")}
        ${Object.entries(owners).map(([owner, label]) => link({ owner }, query.owner === owner, label))}</span>
      ${
        query.status === "resolved" &&
        html`<span class="group">
          ${link({ byMember: false }, !query.byMember, "All resolved")}
          ${link({ byMember: true }, query.byMember, "By a member")}</span>`
      }
    </nav>
    <nav class="chips" aria-label="Kind">
      ${link({ kind: null }, query.kind === null, "All kinds", total)}
      ${visibleKinds.map((kind) => link({ kind }, kind === query.kind, kindLabels[kind], kinds.get(kind) ?? 0))}
    </nav>`;
}

/**
 * What divides the queue among a team, as one GET form. Its field for a number is no search field: the key "/" and
 * phones keep the search of the header, which finds shipments without an exception.
 */
export function filterForm(
  query: AttentionQuery,
  options: {
    readonly lines: readonly CarrierChoice[];
    /** Email addresses of the members. */
    readonly members: readonly string[];
    readonly shipments: readonly ShipmentResource[];
  },
): Html {
  const { status, kind, byMember, saved, owner, carrier, customer, customerName, port, typed } = query;
  const { lines, members, shipments } = options;
  // Also a member of a saved view who has left.
  const named = new Set(isTeamwide(owner) ? members : [...members, owner]);
  return html`
    <form class="finder" role="search" aria-label="This list" action="/attention" data-in-place>
      ${status !== "open" && html`<input type="hidden" name="status" value="${status}">`}
      ${kind && html`<input type="hidden" name="kind" value="${kind}">`}
      ${byMember && html`<input type="hidden" name="resolution" value="by_member">`}
      ${saved && html`<input type="hidden" name="saved" value="${saved}">`}
      ${customerName && html`<input type="hidden" name="customer_name" value="${customerName}">`}
      <details class="filters">
        <summary>Filter</summary>
        <div class="fields">
          <p><label for="f-q">Number or reference</label>
            <input id="f-q" name="q" value="${typed}" maxlength="100"></p>
          <p><label for="f-owner">Owner</label><select id="f-owner" name="owner">
            ${option("", "Any", owner)}${Object.entries(owners).map(([value, label]) => option(value, label, owner))}
            ${[...named].map((email) => option(email, email, owner))}</select></p>
          <p><label for="f-customer">Customer</label>
            <input id="f-customer" name="customer" value="${customer}" maxlength="100" list="customers"></p>
          <p><label for="f-carrier">Carrier</label><select id="f-carrier" name="carrier">
            ${option("", "Any", carrier)}
            ${lines.map((line) => option(line.scac, carrierLabel(line), carrier))}</select></p>
          <p><label for="f-port">Port of discharge (name or UN/LOCODE)</label>
            <input id="f-port" name="port_of_discharge" value="${port}" maxlength="60" list="ports"></p>
          <p class="act"><button class="quiet">Apply</button></p>
        </div>
        ${portSuggestions(
          shipments.map(({ attributes }) => [attributes.port_of_discharge_locode, attributes.port_of_discharge_name]),
        )}
        ${customerSuggestions(shipments.map(({ attributes }) => attributes.customer_name))}
      </details>
    </form>`;
}

/** The filters of the form that are on; an owner that has a link of its own is none. */
export function chosenFilters(query: AttentionQuery): readonly FilterChip[] {
  const { typed, owner, carrier, customer, customerName, port } = query;
  const parts: readonly (readonly [string, string, Partial<AttentionQuery>])[] = [
    ["Search", typed, { typed: "" }],
    ["Owner", isTeamwide(owner) ? "" : owner, { owner: "" }],
    ["Customer", customer, { customer: "" }],
    ["Customer", customerName, { customerName: "" }],
    ["Carrier", carrier, { carrier: "" }],
    ["Port of discharge", port, { port: "" }],
  ];
  return parts
    .filter(([, value]) => value !== "")
    .map(([name, value, without]) => ({ name, value, without: attentionPath(query, without) }));
}

/** URL of the list without the filters of the form. */
export const withoutFilters = (query: AttentionQuery): string =>
  attentionPath(query, {
    typed: "",
    customer: "",
    customerName: "",
    carrier: "",
    port: "",
    ...(!isTeamwide(query.owner) && { owner: "" }),
  });

/** The filters as the printed list names them. */
export const printedFilters = (query: AttentionQuery): readonly Pick<FilterChip, "name" | "value">[] => [
  { name: "Status", value: statusLabels[query.status] },
  ...Object.entries(owners).flatMap(([owner, value]) => (owner === query.owner ? [{ name: "Owner", value }] : [])),
  ...(query.kind === null ? [] : [{ name: "Kind", value: kindLabels[query.kind] }]),
  ...chosenFilters(query),
];
