import { trackingRequestStatuses } from "@svc/domain";
import { createTrackingRequestRepository, type Database } from "@svc/persistence";
import type { DashboardRoutes } from "../dashboard/dashboard-routes.ts";
import { isUuid } from "../http/is-uuid.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { requestsPage, requestsPath } from "./requests-page.ts";

const pageSize = 25;

/** `GET /tracking-requests?status=&after=&created=`. `created`: what a form led here with, an id or how many. */
export function addRequestsRoute({ page: addPage }: DashboardRoutes, database: Database, apiBaseUrl: string): void {
  const requests = createTrackingRequestRepository(database.tenantSql);

  const noteOf = async (accountId: string, created: unknown): Promise<string | null> => {
    if (typeof created !== "string") return null;
    if (/^\d{1,3}$/.test(created)) return `${created} numbers are being tracked. The carriers are asked now.`;
    const request = isUuid(created) ? await requests.find(accountId, created) : null;
    return request && `${request.requestNumber} is being tracked. The carrier is asked now.`;
  };

  addPage("/tracking-requests", async (request, response, person) => {
    const { query } = request;
    const { accountId } = person;
    const status = trackingRequestStatuses.find((one) => one === query.status) ?? null;
    const after =
      typeof query.after === "string" && isUuid(query.after) ? await requests.find(accountId, query.after) : null;
    const [page, note] = await Promise.all([
      requests.list(accountId, status ? { status: [status] } : {}, {
        size: pageSize,
        sortBy: "created_at",
        descending: true,
        position: after
          ? { kind: "after", row: { value: after.createdAt, id: after.id } }
          : { kind: "number", number: 1 },
      }),
      noteOf(accountId, query.created),
    ]);
    const last = page.items.at(-1);
    const older = page.hasMore && last ? requestsPath(status, last.id) : null;
    sendLivePage(request, response, requestsPage({ caller: person, apiBaseUrl, page, status, note, older }));
  });
}
