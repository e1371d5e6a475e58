import type { Instant } from "@svc/domain";
import { type Html, html } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { layout } from "../pages/layout.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import { pageHead } from "../pages/page-head.ts";
import { addressNotice, credentialForms } from "./carrier-page.ts";
import type { CarrierRecord } from "./carrier-records.ts";

export interface ConnectPageOptions {
  readonly caller: Caller;
  readonly now: Instant;
  /** Carriers of the catalogue that are not connected. */
  readonly carriers: readonly CarrierRecord[];
  /** The one whose form is shown; undefined: every carrier is connected. */
  readonly chosen: CarrierRecord | undefined;
  /** SCACs of carriers that tracking requests wait for. */
  readonly awaited: ReadonlySet<string>;
}

/** `GET /carriers/connect?scac=`: the form of one carrier, and links to those of the others. */
export function connectPage({ caller, now, carriers, chosen, awaited }: ConnectPageOptions): Html {
  const link = ({ scac, name }: CarrierRecord) =>
    html`<a href="/carriers/connect?scac=${scac}"${scac === chosen?.scac && html` aria-current="true"`}>${name}</a>`;
  const form = (carrier: CarrierRecord) => html`
    <h2>${carrier.name} <span class="number muted">${carrier.scac}</span></h2>
    ${
      awaited.has(carrier.scac) &&
      noticeBanner("warning", `Tracking requests wait for a connection of ${carrier.name}.`)
    }
    ${addressNotice(carrier)}
    <div class="columns"><div class="stack">
      ${credentialForms({ caller, now, carrier, notice: undefined, problems: {} })}</div>
      <div class="stack"><section class="card" aria-label="Where the credentials come from">
        <p>Credentials come from
          <a href="${carrier.entry?.portal_url}" rel="noreferrer">${carrier.entry?.portal_url}</a>.</p>
        <p><a href="/carriers/${carrier.scac}">Terms and deviations of ${carrier.name}</a></p></section></div></div>`;
  return layout({
    title: "Connect a carrier",
    caller,
    section: "carriers",
    content: html`
      ${pageHead({
        heading: "Connect a carrier",
        path: html`<a href="/carriers">Carriers</a> / Connect`,
        tabs: carriers.length > 0 && html`<nav class="chips" aria-label="Carrier">${carriers.map(link)}</nav>`,
      })}
      ${
        chosen
          ? form(chosen)
          : html`<p>Every carrier of the catalogue is connected. <a href="/carriers">Carriers</a></p>`
      }`,
  });
}
