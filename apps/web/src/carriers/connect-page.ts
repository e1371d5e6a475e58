import type { Instant } from "@svc/domain";
import { type Html, html, listTable } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { layout } from "../pages/layout.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import { pageHead } from "../pages/page-head.ts";
import { addressNotice, credentialForms } from "./carrier-page.ts";
import { type CarrierRecord, isTerminalOperator } from "./carrier-records.ts";

export interface ConnectPageOptions {
  readonly caller: Caller;
  readonly now: Instant;
  /** Carriers of the catalogue that are not connected, in the order of the list. */
  readonly carriers: readonly CarrierRecord[];
  /** The one whose form is shown; null: none is chosen yet. */
  readonly chosen: CarrierRecord | null;
  /** SCACs of carriers that tracking requests wait for. */
  readonly awaited: ReadonlySet<string>;
}

const formPath = ({ scac }: CarrierRecord): string => `/carriers/connect?scac=${scac}`;

function form({ caller, now, awaited }: ConnectPageOptions, carrier: CarrierRecord): Html {
  const { scac, name, entry } = carrier;
  return html`
    <h2>${name} <span class="number muted">${scac}</span></h2>
    ${awaited.has(scac) && noticeBanner("warning", `Tracking requests wait for a connection of ${name}.`)}
    ${addressNotice(carrier)}
    <div class="columns"><div class="stack">
      ${credentialForms({ caller, now, carrier, notice: undefined, problems: {} })}</div>
      <div class="stack"><section class="card" aria-labelledby="portal">
        <h2 id="portal">Where to get credentials</h2>
        <p><a href="${entry?.portal_url}" rel="noreferrer">${entry?.portal_url}</a></p>
        <p><a href="/carriers/${scac}">Terms and deviations of ${name}</a></p></section></div></div>`;
}

/** The choice of a carrier. No form is shown by default: credentials of one carrier would end in that of another. */
function choice({ carriers, awaited }: ConnectPageOptions): Html {
  const hasAwaited = carriers.some(({ scac }) => awaited.has(scac));
  const row = (carrier: CarrierRecord) => html`
    <tr>
      <th scope="row" data-label="Carrier"><a class="row-link" href="${formPath(carrier)}">${carrier.name}</a>
        <span class="number muted">${carrier.scac}</span></th>
      <td data-label="Type">${isTerminalOperator(carrier) ? "Terminal operator" : "Shipping line"}</td>
      ${
        hasAwaited &&
        html`<td data-label="Requests">${
          awaited.has(carrier.scac) && html`<span class="warning">Tracking requests are waiting</span>`
        }</td>`
      }
    </tr>`;
  const columns = ["Carrier", "Type", ...(hasAwaited ? ["Requests"] : [])];
  return listTable({ className: "names", caption: "Carriers to connect", columns, rows: carriers.map(row) });
}

/** `GET /carriers/connect?scac=`: the carriers that can be connected, or the form of the chosen one. */
export function connectPage(options: ConnectPageOptions): Html {
  const { caller, carriers, chosen } = options;
  const link = (carrier: CarrierRecord) =>
    html`<a href="${formPath(carrier)}"${carrier.scac === chosen?.scac && html` aria-current="true"`}>${carrier.name}</a>`;
  const content = () => {
    if (chosen !== null) return form(options, chosen);
    if (carriers.length > 0) return choice(options);
    return html`<p>Every carrier of the catalogue is connected. <a href="/carriers">Carriers</a></p>`;
  };
  return layout({
    title: "Connect a carrier",
    caller,
    section: "carriers",
    content: html`
      ${pageHead({
        heading: "Connect a carrier",
        path: html`<a href="/carriers">Carriers</a> / Connect`,
        tabs: chosen !== null && html`<nav class="chips" aria-label="Carrier">${carriers.map(link)}</nav>`,
      })}
      ${content()}`,
  });
}
