import { type Html, html } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import type { PageHandler } from "../http/handler.ts";
import { pathId } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { layout } from "../pages/layout.ts";
import { pageHead } from "../pages/page-head.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import { snippet } from "../pages/snippet.ts";

/** The API response for the shipment. */
function jsonPage(options: {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  readonly id: string;
  readonly number: string;
  /** Relative to /v2. */
  readonly apiPath: string;
  readonly document: object;
}): Html {
  const { caller, apiBaseUrl, id, number, apiPath, document } = options;
  return layout({
    title: `JSON of ${number}`,
    caller,
    content: html`
      ${pageHead({
        heading: html`JSON of <span class="number">${number}</span>`,
        path: html`<a href="/shipments">Shipments</a> / <a href="/shipments/${id}">${number}</a> / JSON`,
      })}
      <section class="card">
        <p class="muted">The shipment and its containers as JSON from the API.</p>
        ${snippet({ id: "shipment-json", text: JSON.stringify(document, null, 2), of: "the JSON" })}
        ${sameFromApi(apiBaseUrl, [{ path: apiPath }])}
      </section>`,
  });
}

/** `GET /shipments/{id}/json`: for signed-in users, because the API does not accept their session. */
export function jsonHandler(apiBaseUrl: string): PageHandler {
  return async (request, response, caller) => {
    const document = await caller.api.shipments.get(pathId(request), { include: ["containers"] });
    const { id, attributes } = document.data;
    const number = attributes.bill_of_lading_number;
    const apiPath = `/shipments/${id}?include=containers`;
    sendPage(response, 200, jsonPage({ caller, apiBaseUrl, id, number, apiPath, document }));
  };
}
