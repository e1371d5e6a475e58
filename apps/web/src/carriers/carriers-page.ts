import type { Instant } from "@svc/domain";
import { actionsColumn, type Html, html, listTable, noValue } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import { layout } from "../pages/layout.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import { pageHead } from "../pages/page-head.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import { relativeTimestamp } from "../pages/timestamps.ts";
import { type CarrierRecord, isConnectable, isTerminalOperator, isUnverified } from "./carrier-records.ts";
import { budgetUsed, connectionBadge, connectionHealth, needsAction } from "./connection-labels.ts";

type CredentialChoice = NonNullable<CarrierRecord["entry"]>["credential_choices"][number];

export interface CarriersPageOptions {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  readonly now: Instant;
  readonly carriers: readonly CarrierRecord[];
  /** SCACs of carriers that tracking requests wait for. */
  readonly awaited: ReadonlySet<string>;
  readonly notice: string | undefined;
}

function lastTest({ connection }: CarrierRecord, now: number): Html {
  const attributes = connection?.attributes;
  if (!attributes) return noValue;
  if (attributes.is_test_running) return html`Running`;
  const test = attributes.last_test;
  if (test === null) return noValue;
  const outcome = test.succeeded ? html`<span class="early">Accepted</span>` : html`<span class="late">Failed</span>`;
  return html`${outcome} <span class="muted">${relativeTimestamp(test.tested_at, now)}</span>`;
}

function nameCell({ scac, name, entry, connection }: CarrierRecord): Html {
  const link = entry || connection ? html`<a class="row-link" href="/carriers/${scac}">${name}</a>` : name;
  return html`
    <th scope="row" data-label="Carrier">${link} <span class="number muted">${scac}</span></th>`;
}

function connectedRow(carrier: CarrierRecord, now: number, mayConnect: boolean): Html {
  const { scac, name, connection } = carrier;
  const byOperator = html`<td colspan="3" class="muted">Managed by the operator of this service</td>`;
  return html`
    <tr>${nameCell(carrier)}
      <td data-label="Status">${
        connection ? connectionBadge(carrier) : html`<span class="state good">Connected</span>`
      }</td>
      ${
        connection === null
          ? byOperator
          : html`<td data-label="Last request">${connectionHealth(connection.attributes, now)}</td>
            <td data-label="Requests today">${budgetUsed(carrier)}</td>
            <td data-label="Last test">${lastTest(carrier, now)}</td>`
      }
      ${
        mayConnect &&
        html`<td>${
          connection &&
          html`<form class="row-actions" method="post" action="/carriers/${scac}/test">
            <button class="quiet" aria-label="Test ${name}">Test</button></form>`
        }</td>`
      }
    </tr>`;
}

const listFormat = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** "Client ID and client secret", "API key": abbreviations keep their capitals. */
function credentialText({ fields }: CredentialChoice, at: number): string {
  const labels = fields.filter(({ same_as: sameAs }) => sameAs === null).map(({ label }) => label.replace(/ \(.*/, ""));
  const isAbbreviated = (label: string): boolean => /^[A-Z]{2}/.test(label);
  const lowered = labels.map((label, index) =>
    at + index === 0 || isAbbreviated(label) ? label : label.charAt(0).toLowerCase() + label.slice(1),
  );
  return listFormat.format(lowered);
}

interface AvailableRows {
  readonly mayConnect: boolean;
  /** Whether the rows say that they are unverified. */
  readonly areTagged: boolean;
}

function availableRow(carrier: CarrierRecord, { mayConnect, areTagged }: AvailableRows): Html {
  const { scac, name, entry } = carrier;
  const needs = entry?.credential_choices.map(credentialText).join(", or ");
  return html`
    <tr>${nameCell(carrier)}
      <td data-label="Credentials">${needs} ${areTagged && html`<span class="tag">Unverified</span>`}</td>
      ${
        mayConnect &&
        html`<td><span class="row-actions"><a href="/carriers/${scac}" aria-label="Connect ${name}">Connect</a></span></td>`
      }
    </tr>`;
}

function availableGroup(
  [label, column]: readonly [group: string, one: string],
  carriers: readonly CarrierRecord[],
  options: AvailableRows,
): Html | null {
  if (carriers.length === 0) return null;
  return html`
    <h3>${label} (${carriers.length})</h3>
    ${listTable({
      className: "names aligned",
      caption: `${label} to connect`,
      columns: [column, "Credentials", ...(options.mayConnect ? [actionsColumn] : [])],
      rows: carriers.map((carrier) => availableRow(carrier, options)),
    })}`;
}

/** Tracking requests wait until their carrier is connected. */
export const awaitedNotice = ({ name }: CarrierRecord, connect: Html | null = null): Html =>
  noticeBanner("warning", html`Tracking requests wait for a connection of ${name}. ${connect}`);

/** `GET /carriers`: what is connected, and the catalogue of what can be. */
export function carriersPage({ caller, apiBaseUrl, now, carriers, awaited, notice }: CarriersPageOptions): Html {
  const nowMs = Date.parse(now);
  const mayConnect = may(caller, "connect_carriers");
  const available = carriers.filter(isConnectable);
  // What needs something of the reader comes first.
  const connected = carriers
    .filter((carrier) => !isConnectable(carrier))
    .sort((a, b) => Number(needsAction(b)) - Number(needsAction(a)));
  const isNoneVerified = carriers.every((carrier) => carrier.entry === null || isUnverified(carrier));
  const rows: AvailableRows = { mayConnect, areTagged: !isNoneVerified };
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
          ${mayConnect && html`<a class="button" href="#available">Connect a carrier</a>`}</span>`,
      })}
      ${notice && noticeBanner("success", notice)}
      ${
        mayConnect &&
        available
          .filter(({ scac }) => awaited.has(scac))
          .map((carrier) => awaitedNotice(carrier, html`<a href="/carriers/${carrier.scac}">Connect</a>`))
      }
      <h2>Your connections</h2>
      ${
        connected.length === 0
          ? html`<p class="muted">None yet. Connect a carrier to track its numbers.</p>`
          : listTable({
              className: "names",
              caption: "Your connections",
              columns: [
                "Carrier",
                "Status",
                "Last request",
                "Requests today",
                "Last test",
                ...(mayConnect ? [actionsColumn] : []),
              ],
              rows: connected.map((carrier) => connectedRow(carrier, nowMs, mayConnect)),
            })
      }
      <h2 id="available">Available</h2>
      ${
        isNoneVerified &&
        html`<p class="muted">None of these has been run against a live account yet; “Connect and test” checks yours at
          once.</p>`
      }
      ${availableGroup(
        ["Shipping lines", "Shipping line"],
        available.filter((carrier) => !isTerminalOperator(carrier)),
        rows,
      )}
      ${availableGroup(["Terminal operators", "Terminal operator"], available.filter(isTerminalOperator), rows)}
      <p class="muted">A carrier that is not listed and publishes DCSA Track &amp; Trace can be added by the operator.
        Events of any other carrier can be ${importText}, or come as <a href="/track/edi">EDI files</a>.</p>
      ${sameFromApi(apiBaseUrl, [{ path: "/carriers" }, { path: "/carrier_connections" }])}`,
  });
}
