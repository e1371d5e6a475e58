import { auditSubjects } from "@svc/domain/audit-log";
import type { DashboardRoutes } from "../dashboard/dashboard-routes.ts";
import { queryText } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { readPageNumber } from "../pages/page-links.ts";
import { auditPage } from "./audit-page.ts";

const pageSize = 50;

/** `GET /account/audit`, for owners of the account. */
export function addAuditRoute({ page }: DashboardRoutes, apiBaseUrl: string): void {
  page("/account/audit", "read_audit_log", async (request, response, caller) => {
    const subjectType = auditSubjects.find((one) => one === queryText(request, "subject")) ?? null;
    const number = readPageNumber(queryText(request, "page"));
    const filter = { subjectType: subjectType ?? undefined };
    const { data: events, links } = await caller.api.auditEvents.list({ filter, page: number, pageSize });
    const shown = { subjectType, number };
    sendPage(response, 200, auditPage({ caller, apiBaseUrl, events, filter: shown, hasMore: Boolean(links?.next) }));
  });
}
