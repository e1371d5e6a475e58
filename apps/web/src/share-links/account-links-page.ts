import type { ShareLinkResource } from "@svc/sdk";
import { actionsColumn, type Html, html, listTable } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import { accountLayout } from "../account/account-layout.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import { contentText, creationText, expiryText, viewsText } from "./link-cells.ts";

function row({ id, attributes, relationships }: ShareLinkResource, mayRevoke: boolean): Html {
  const { shipment_number: number, url } = attributes;
  return html`
    <tr>
      <th scope="row" data-label="Shipment">
        <a class="number" href="/shipments/${relationships.shipment.data.id}/share">${number}</a></th>
      <td data-label="Shows">${contentText(attributes)}</td>
      <td data-label="Expires">${expiryText(attributes)}</td>
      <td data-label="Opened">${viewsText(attributes)}</td>
      <td data-label="Created">${creationText(attributes)}</td>
      <td>${
        mayRevoke &&
        html`<div class="row-actions">
        <a href="${url}" rel="noreferrer" aria-label="Open the page of ${number}">Open</a>
        <a class="danger" href="/account/share-links/${id}/revoke"
          aria-label="Revoke the link to ${number}">Revoke</a></div>`
      }</td>
    </tr>`;
}

/** `GET /account/share-links`: everything of the account that can be seen without a login. */
export function accountLinksPage(options: {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  /** Active links, newest first. */
  readonly links: readonly ShareLinkResource[];
  readonly total: number;
  readonly notice: string | undefined;
}): Html {
  const { caller, apiBaseUrl, links, total, notice } = options;
  return accountLayout({
    title: "Share links",
    caller,
    part: "share-links",
    notice,
    content: html`
      <p>The public pages of this account. Create one with Share on the page of a shipment.</p>
      ${
        links.length === 0
          ? html`<p class="card empty">No active share links</p>`
          : listTable({
              caption: "Active share links",
              columns: ["Shipment", "Shows", "Expires", "Opened", "Created", actionsColumn],
              rows: links.map((link) => row(link, may(caller, "share"))),
            })
      }
      ${total > links.length && html`<p class="muted">The newest ${links.length} of ${total} are shown.</p>`}
      ${sameFromApi(apiBaseUrl, [{ path: "/share_links?filter[status]=active" }])}`,
  });
}
