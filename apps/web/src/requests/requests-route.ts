import { trackingRequestStatuses } from "@svc/domain/tracking-requests";
import type { Database } from "@svc/persistence";
import { findUnconnectedRequests } from "@svc/persistence/carrier-connections";
import { createTrackingRequestRepository } from "@svc/persistence/tracking-requests";
import type { DashboardRoutes } from "../dashboard/dashboard-routes.ts";
import { html } from "../http/html.ts";
import { isUuid } from "../http/is-uuid.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { requestStateWords } from "./request-words.ts";
import { type RequestsPageOptions, requestsPage, requestsPath } from "./requests-page.ts";

const pageSize = 25;

type Created = Pick<RequestsPageOptions, "note" | "isPending" | "opens">;
const nothingCreated: Created = { note: null, isPending: false, opens: null };

/** `GET /tracking-requests?status=&after=&created=`. `created`: the id or count of the requests that a form created. */
export function addRequestsRoute({ page: addPage }: DashboardRoutes, database: Database, apiBaseUrl: string): void {
  const requests = createTrackingRequestRepository(database.tenantSql);

  /** The request, or the count of requests, that a form just created. */
  const readCreated = async (accountId: string, created: unknown): Promise<Created> => {
    if (typeof created !== "string") return nothingCreated;
    if (/^\d{1,3}$/.test(created)) {
      return {
        ...nothingCreated,
        note: `${created} numbers are being tracked. The carriers are queried now.`,
        isPending: true,
      };
    }
    const request = isUuid(created) ? await requests.find(accountId, created) : null;
    if (!request) return nothingCreated;
    const { requestNumber: number, shipmentId, status, scac } = request;
    const opens = shipmentId === null ? null : `/shipments/${shipmentId}`;
    if (opens)
      return { ...nothingCreated, note: html`${number} is tracked. <a href="${opens}">Open the shipment</a>`, opens };
    if (status === "failed") return { ...nothingCreated, note: `${number}: ${requestStateWords(request)}.` };
    const [isUnconnected] = await findUnconnectedRequests(database.tenantSql, accountId, [request.id]);
    if (isUnconnected) {
      const words = `${number} waits: the carrier ${scac ?? ""} is not connected. It is queried once you connect it.`;
      return { ...nothingCreated, note: words };
    }
    return { ...nothingCreated, note: `${number} is being tracked. The carrier is queried now.`, isPending: true };
  };

  addPage("/tracking-requests", async (request, response, caller) => {
    const { query } = request;
    const { accountId } = caller;
    const status = trackingRequestStatuses.find((one) => one === query.status) ?? null;
    const after =
      typeof query.after === "string" && isUuid(query.after) ? await requests.find(accountId, query.after) : null;
    const [page, created] = await Promise.all([
      requests.list(accountId, status ? { status: [status] } : {}, {
        size: pageSize,
        sortBy: "created_at",
        descending: true,
        position: after
          ? { kind: "after", row: { value: after.createdAt, id: after.id } }
          : { kind: "number", number: 1 },
      }),
      readCreated(accountId, query.created),
    ]);
    const last = page.items.at(-1);
    const older = page.hasMore && last ? requestsPath(status, last.id) : null;
    const waiting = page.items.filter(({ status: state }) => state === "pending").map(({ id }) => id);
    const unconnected = new Set(await findUnconnectedRequests(database.tenantSql, accountId, waiting));
    const options = { caller, apiBaseUrl, page, status, older, unconnected, ...created };
    sendLivePage(request, response, requestsPage(options));
  });
}
