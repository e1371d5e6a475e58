import type { MappedShipment, ShareLinkResource } from "@svc/sdk";
import { type Html, html, listTable } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import { checkbox } from "../forms/choices.ts";
import { fact } from "../pages/fact.ts";
import { layout } from "../pages/layout.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import { pageHead } from "../pages/page-head.ts";
import { questionCard } from "../pages/question-card.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import { contentText, creationText, expiryText, statusLabels, viewsText } from "./link-cells.ts";

/** Lifetimes of a new link in days; null: until it is revoked. */
export const lifetimes = [
  ["7", "In 7 days", 7],
  ["30", "In 30 days", 30],
  ["90", "In 90 days", 90],
  ["never", "Never, only when revoked", null],
] as const;

const defaultLifetimeDays = 30;

export interface SharePageOptions {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  readonly shipment: Pick<MappedShipment, "id" | "billOfLadingNumber">;
  /** Newest first. */
  readonly links: readonly ShareLinkResource[];
  /** Idempotency key, so that submitting the form twice creates one link. */
  readonly key: string;
  readonly notice: string | undefined;
}

/** The link to what can be shared of a shipment, also by the key `s`. `className`: its classes. */
export const shareLink = (shipmentId: string, number: string, className: string): Html =>
  html`<a class="${className}" href="/shipments/${shipmentId}/share" data-share aria-label="Share: ${number}">Share</a>`;

function createForm({ shipment, key }: SharePageOptions): Html {
  const choice = (name: string, label: string, hint: string) =>
    checkbox(name, html`${label} <span class="muted">${hint}</span>`);
  return html`
    <form class="card form" method="post" action="/shipments/${shipment.id}/share">
      <h2>New link</h2>
      <input type="hidden" name="key" value="${key}">
      <fieldset>
        <legend>Also show</legend>
        ${choice("references", "References", "of the shipment and its containers")}
        ${choice("fees", "Charges", "and the last free days, of the terminal and the carrier")}
      </fieldset>
      <div class="field"><label for="expires">Expires</label>
        <select id="expires" name="expires">${lifetimes.map(
          ([value, label, days]) =>
            html`<option value="${value}"${days === defaultLifetimeDays && html` selected`}>${label}</option>`,
        )}</select></div>
      <button>Create link</button>
    </form>`;
}

function activeLink({ id, attributes }: ShareLinkResource, shipmentId: string, mayShare: boolean): Html {
  const { url } = attributes;
  return html`
    <li class="card">
      ${
        mayShare &&
        html`<label for="link-${id}">Address</label>
      <div class="copy">
        <input id="link-${id}" class="number" readonly value="${url}" autocomplete="off" spellcheck="false">
        <button type="button" data-copies="link-${id}">Copy</button>
      </div>`
      }
      <dl>
        ${fact("Shows", contentText(attributes))}
        ${fact("Expires", expiryText(attributes))}
        ${fact("Opened", viewsText(attributes))}
        ${fact("Created", creationText(attributes))}
      </dl>
      ${
        mayShare &&
        html`<p class="actions">
        <a class="button quiet" href="${url}" rel="noreferrer">Open the page</a>
        <a class="danger" href="/shipments/${shipmentId}/share/${id}/revoke">Revoke</a>
      </p>`
      }
    </li>`;
}

function pastRow({ attributes }: ShareLinkResource): Html {
  return html`
    <tr>
      <th scope="row" data-label="Created">${creationText(attributes)}</th>
      <td data-label="Status">${statusLabels[attributes.status]}</td>
      <td data-label="Showed">${contentText(attributes)}</td>
      <td data-label="Opened">${viewsText(attributes)}</td>
    </tr>`;
}

/** `GET /shipments/{id}/share`: the public links of a shipment. */
export function sharePage(options: SharePageOptions): Html {
  const { caller, apiBaseUrl, shipment, links, notice } = options;
  const { id, billOfLadingNumber } = shipment;
  const mayShare = may(caller, "share");
  const active = links.filter(({ attributes }) => attributes.status === "active");
  const past = links.filter(({ attributes }) => attributes.status !== "active");
  return layout({
    title: `Share ${billOfLadingNumber}`,
    caller,
    content: html`
      ${pageHead({
        heading: html`Share <span class="number">${billOfLadingNumber}</span>`,
        path: html`<a href="/shipments">Shipments</a> / <a href="/shipments/${id}">${billOfLadingNumber}</a> / Share`,
      })}
      ${notice !== undefined && noticeBanner("success", notice)}
      <p>A link opens a page that can only be read: route, progress, ETA, containers with their journeys, and whether
        free time has ended. Anyone with the link can open it without signing in. Holds, customer, tags, notes and
        custom fields are never shown.</p>
      ${
        active.length > 0 &&
        html`<section aria-label="Active links"><h2>Active links</h2>
          <ul class="plain shared only">${active.map((link) => activeLink(link, id, mayShare))}</ul></section>`
      }
      ${
        mayShare
          ? createForm(options)
          : html`<p class="muted">Creating, copying and revoking links requires the role operator.</p>`
      }
      ${
        past.length > 0 &&
        html`<details><summary>Expired and revoked links (${past.length})</summary>
          ${listTable({
            caption: "Expired and revoked links",
            columns: ["Created", "Status", "Showed", "Opened"],
            rows: past.map(pastRow),
          })}</details>`
      }
      ${sameFromApi(apiBaseUrl, [{ path: `/share_links?filter[shipment]=${id}` }])}`,
  });
}

/** `GET` of the path that revokes a link: asks whether to. `listPath`: the page with the link. */
export function revokeLinkPage(caller: Caller, link: ShareLinkResource, listPath: string): Html {
  const { shipment_number: number } = link.attributes;
  return layout({
    title: `Revoke the link to ${number}`,
    caller,
    section: null,
    content: questionCard({
      heading: html`Revoke the link to <span class="number">${number}</span>?`,
      content: html`<p>Its page is gone for everyone who has the link. You can create another link.</p>`,
      action: `${listPath}/${link.id}/revoke`,
      button: "Revoke link",
      cancelPath: listPath,
    }),
  });
}
