import { isUuid } from "@svc/domain/identifiers";
import { readSearchQuery } from "@svc/domain/search";
import type { Client } from "@svc/sdk";
import { html } from "@svc/views";
import { findRecord, nullIfNotFound } from "../http/find-record.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { localPath } from "../http/local-path.ts";
import { orNull } from "../http/or-null.ts";
import { queryText } from "../http/read-request.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { readPageNumber } from "../pages/page-links.ts";
import type { Services } from "../services.ts";
import { findConnectionProblems, problemText } from "./connection-problems.ts";
import { dismissRequest, findResolved } from "./failed-requests.ts";
import { requestStateText } from "./request-labels.ts";
import {
  countedStatuses,
  type ListedStatus,
  listedStatuses,
  type RequestsPageOptions,
  requestsPage,
  toStatusFilter,
} from "./requests-page.ts";

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
  const problem = (await findConnectionProblems(api, [request])).get(request.id);
  if (problem === "not_connected") {
    const text = html`${number} waits: the carrier ${scac ?? ""} is not connected.
      It is queried once you <a href="/carriers/connect?scac=${scac}">connect it</a>.`;
    return { ...nothingCreated, note: { tone: "warning", text } };
  }
  if (problem !== undefined) {
    const text = html`${number} waits. ${problemText(problem)}. <a href="/carriers/${scac}">Show connection</a>`;
    return { ...nothingCreated, note: { tone: "warning", text } };
  }
  const text = `${number} is being tracked. The carrier is queried now.`;
  return { ...nothingCreated, note: { tone: "success", text }, isPending: true };
}

/** Number of requests by state, within a search. None where the API fails. */
async function readCounts(api: Client, search: string): Promise<RequestsPageOptions["counts"]> {
  const read = async (status: ListedStatus) => {
    const filter = { ...toStatusFilter(status), search: search || undefined };
    const { meta } = await api.trackingRequests.list({ pageSize: 1, filter }, { include: [] });
    return [status, `${meta?.page?.total ?? 0}${meta?.page?.total_is_exact === false ? "+" : ""}`] as const;
  };
  return new Map(await orNull(Promise.all(countedStatuses.map(read))));
}

/** The request that a form just dismissed. */
async function readDismissed(api: Client, dismissed: string): Promise<RequestsPageOptions["note"]> {
  const request = isUuid(dismissed) ? await nullIfNotFound(api.trackingRequests.get(dismissed, mapped)) : null;
  if (request?.status !== "failed" || !(await findResolved(api, [request])).has(request.id)) return null;
  const path = "/attention?status=resolved&kind=tracking_request_failed";
  const text = html`${request.requestNumber} is resolved. It can be reopened in <a href="${path}">Attention</a>.`;
  return { tone: "success", text };
}

/**
 * `GET /tracking-requests?status=&number=&page=&created=&dismissed=`. `created`: the id or count of the requests that a
 * form created. `dismissed`: the id of the request that a form dismissed. `POST /tracking-requests/{id}/dismiss`.
 */
export function requestHandlers({ apiBaseUrl, clock }: Pick<Services, "apiBaseUrl" | "clock">) {
  const list: PageHandler = async (request, response, caller) => {
    const { api } = caller;
    const status = listedStatuses.find((one) => one === request.query.status) ?? null;
    const number = readPageNumber(queryText(request, "page"));
    const input = queryText(request, "number").trim().slice(0, 100);
    const search = readSearchQuery(input) ? input : "";
    const listOptions = { page: number, pageSize, filter: { ...toStatusFilter(status), search: search || undefined } };
    const [{ items, links }, counts, created, dismissed] = await Promise.all([
      api.trackingRequests.list(listOptions, { ...mapped, include: ["tracked_object", "customer"] }),
      readCounts(api, search),
      readCreated(api, queryText(request, "created")),
      readDismissed(api, queryText(request, "dismissed")),
    ]);
    const [problems, resolved] = await Promise.all([findConnectionProblems(api, items), findResolved(api, items)]);
    const listed = { items, number, hasMore: Boolean(links.next), status, search, counts, problems, resolved };
    const noted = { ...created, note: created.note ?? dismissed };
    sendLivePage(request, response, requestsPage({ caller, apiBaseUrl, ...listed, ...noted, now: clock.now() }));
  };

  const dismiss: FormHandler = async (request, response, { api }, values) => {
    const { data } = await findRecord("tracking request", request.params.id, (id) =>
      nullIfNotFound(api.trackingRequests.get(id, { include: [] })),
    );
    await dismissRequest(api, data.id);
    const back = new URL(localPath(values.text("back"), "/tracking-requests"), "http://localhost");
    if (back.pathname === "/tracking-requests") back.searchParams.set("dismissed", data.id);
    response.redirect(303, `${back.pathname}${back.search}`);
  };

  return { list, dismiss };
}
