import type { Clock } from "@svc/domain";
import { readSearchQuery } from "@svc/domain/search";
import { trackingRequestStatuses } from "@svc/domain/tracking-requests";
import type { Client } from "@svc/sdk";
import { html } from "@svc/views";
import type { DashboardRoutes } from "../dashboard/dashboard-routes.ts";
import { nullIfNotFound } from "../http/found.ts";
import { isUuid, queryText } from "../http/read-request.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { readPageNumber } from "../pages/page-links.ts";
import { findUnconnected } from "./find-unconnected.ts";
import { requestStateText } from "./request-labels.ts";
import { type RequestsPageOptions, requestsPage } from "./requests-page.ts";

const pageSize = 25;
const mapped = { format: "mapped" } as const;

type Created = Pick<RequestsPageOptions, "note" | "isPending" | "opens">;
const nothingCreated: Created = { note: null, isPending: false, opens: null };

/** The request, or the count of requests, that a form just created. */
async function readCreated(api: Client, created: string): Promise<Created> {
  if (/^\d{1,3}$/.test(created)) {
    const text = `${created} numbers are requested. The carriers are queried now; the states below follow.`;
    return { ...nothingCreated, note: { tone: "success", text }, isPending: true };
  }
  const request = isUuid(created) ? await nullIfNotFound(api.trackingRequests.get(created, mapped)) : null;
  if (!request) return nothingCreated;
  const { requestNumber: number, shipment, status, scac } = request;
  if (shipment) {
    const opens = `/shipments/${shipment.id}`;
    const text = html`${number} is tracked. <a href="${opens}">Open the shipment</a>`;
    return { ...nothingCreated, note: { tone: "success", text }, opens };
  }
  if (status === "failed") {
    return { ...nothingCreated, note: { tone: "error", text: `${number}: ${requestStateText(request)}.` } };
  }
  if ((await findUnconnected(api, [request])).has(request.id)) {
    const text = html`${number} waits: the carrier ${scac ?? ""} is not connected.
      It is queried once you <a href="/carriers/connect?scac=${scac}">connect it</a>.`;
    return { ...nothingCreated, note: { tone: "warning", text } };
  }
  const text = `${number} is being tracked. The carrier is queried now.`;
  return { ...nothingCreated, note: { tone: "success", text }, isPending: true };
}

/**
 * `GET /tracking-requests?status=&number=&page=&created=`. `created`: the id or count of the requests that a form
 * created.
 */
export function addRequestsRoute(
  { page: addPage }: DashboardRoutes,
  { apiBaseUrl, clock }: { readonly apiBaseUrl: string; readonly clock: Clock },
): void {
  addPage("/tracking-requests", "read", async (request, response, caller) => {
    const { api } = caller;
    const status = trackingRequestStatuses.find((one) => one === request.query.status) ?? null;
    const number = readPageNumber(queryText(request, "page"));
    const typed = queryText(request, "number").trim().slice(0, 100);
    const search = readSearchQuery(typed) ? typed : "";
    const asked = { page: number, pageSize, filter: { status: status ?? undefined, search: search || undefined } };
    const [{ items, links }, created] = await Promise.all([
      api.trackingRequests.list(asked, mapped),
      readCreated(api, queryText(request, "created")),
    ]);
    const unconnected = await findUnconnected(api, items);
    const shown = { caller, apiBaseUrl, items, number, hasMore: Boolean(links.next), status, search, unconnected };
    sendLivePage(request, response, requestsPage({ ...shown, ...created, now: clock.now() }));
  });
}
