import type { Instant } from "@svc/domain";
import { actionsColumn, type Html, html, listTable, noValue } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import { layout } from "../pages/layout.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import { pageHead } from "../pages/page-head.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import { relativeTimestamp } from "../pages/timestamps.ts";
import { type CarrierRecord, isTerminalOperator, isUnverified, unverifiedText } from "./carrier-records.ts";
import { budgetUsed, connectionBadge, connectionHealth } from "./connection-labels.ts";

export interface CarriersPageOptions {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  readonly now: Instant;
  readonly carriers: readonly CarrierRecord[];
  readonly notice: string | undefined;
}

function action({ scac, name, entry, connection }: CarrierRecord): Html | null {
  if (connection !== null) {
    return html`
      <form class="row-actions" method="post" action="/carriers/${scac}/test">
        <button class="quiet" aria-label="Test ${name}">Test</button>
      </form>`;
  }
  return (
    entry && html`<span class="row-actions"><a href="/carriers/${scac}" aria-label="Connect ${name}">Connect</a></span>`
  );
}

function lastTest({ connection }: CarrierRecord, now: number): Html {
  const attributes = connection?.attributes;
  if (!attributes) return noValue;
  if (attributes.is_test_running) return html`Running`;
  const test = attributes.last_test;
  if (test === null) return html`<span class="muted">Not tested</span>`;
  const outcome = test.succeeded ? html`<span class="early">Accepted</span>` : html`<span class="late">Failed</span>`;
  return html`${outcome} <span class="muted">${relativeTimestamp(test.tested_at, now)}</span>`;
}

function row(carrier: CarrierRecord, now: number, shows: { readonly health: boolean; readonly action: boolean }): Html {
  const { scac, name, entry, connection } = carrier;
  const unverified = html` <span class="tag muted" title="${unverifiedText}">not verified</span>`;
  const mark = html`${isUnverified(carrier) && unverified}
    ${isTerminalOperator(carrier) && html`<span class="below muted">terminal operator</span>`}`;
  // Nothing is known of a carrier that is not connected. A card on a phone leaves the cells out.
  const known = (value: () => Html | string) => (connection === null ? noValue : value());
  const link = entry || connection ? html`<a class="row-link" href="/carriers/${scac}">${name}</a>` : name;
  return html`
    <tr>
      <th scope="row" data-label="Carrier">${link} <span class="number muted">${scac}</span>${mark}</th>
      <td data-label="Connection">${connectionBadge(carrier)}</td>
      ${
        shows.health &&
        html`<td data-label="Health">${connection ? connectionHealth(connection.attributes, now) : noValue}</td>
        <td data-label="Usage today">${known(() => budgetUsed(carrier))}</td>
        <td data-label="Last test">${known(() => lastTest(carrier, now))}</td>`
      }
      ${shows.action && html`<td>${action(carrier)}</td>`}
    </tr>`;
}

/** `GET /carriers`: what is connected, and the catalogue of what can be. */
export function carriersPage({ caller, apiBaseUrl, now, carriers, notice }: CarriersPageOptions): Html {
  const nowMs = Date.parse(now);
  const shows = {
    health: carriers.some(({ connection }) => connection !== null),
    action: may(caller, "connect_carriers"),
  };
  const importText = may(caller, "track")
    ? html`<a href="/track/import">imported from a file</a>`
    : "imported from a file";
  return layout({
    title: "Carriers",
    caller,
    section: "carriers",
    content: html`
      ${pageHead({
        heading: "Carriers",
        aside: html`<span class="actions"><a href="/carriers/performance">Carrier performance</a>
          ${shows.action && html`<a class="button" href="/carriers/connect">Connect a carrier</a>`}</span>`,
      })}
      ${notice && noticeBanner("success", notice)}
      <p class="muted">Connect a carrier to track its numbers. “Not verified”: ${unverifiedText}.</p>
      ${listTable({
        className: "names",
        caption: "Carriers, connected ones first",
        columns: [
          "Carrier",
          "Connection",
          ...(shows.health ? ["Health", "Usage today", "Last test"] : []),
          ...(shows.action ? [actionsColumn] : []),
        ],
        rows: carriers.map((carrier) => row(carrier, nowMs, shows)),
      })}
      <p class="muted">A carrier that is not listed and publishes DCSA Track &amp; Trace can be added by the operator.
        Events of any other carrier can be ${importText}, or come as <a href="/track/edi">EDI files</a>.</p>
      ${sameFromApi(apiBaseUrl, [{ path: "/carriers" }, { path: "/carrier_connections" }])}`,
  });
}
