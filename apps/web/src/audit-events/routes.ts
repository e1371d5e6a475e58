import { auditSubjects } from "@svc/domain/audit-events";
import { get, type Route } from "../http/define-route.ts";
import type { PageHandler } from "../http/handler.ts";
import { queryText } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { readPageNumber } from "../pages/page-links.ts";
import type { Services } from "../services.ts";
import { readAuditNames } from "./audit-names.ts";
import { auditPage } from "./audit-page.ts";

const pageSize = 50;

/** The audit log, for owners of the account. */
export function auditRoutes({ apiBaseUrl, members }: Pick<Services, "apiBaseUrl" | "members">): readonly Route[] {
  const show: PageHandler = async (request, response, caller) => {
    const subjectType = auditSubjects.find((one) => one === queryText(request, "subject")) ?? null;
    const number = readPageNumber(queryText(request, "page"));
    const filter = { subjectType: subjectType ?? undefined };
    const { data: events, links } = await caller.api.auditEvents.list({ filter, page: number, pageSize });
    const names = await readAuditNames(events, caller, members);
    const [pageFilter, hasMore] = [{ subjectType, number }, Boolean(links?.next)];
    sendPage(response, 200, auditPage({ caller, apiBaseUrl, events, names, filter: pageFilter, hasMore }));
  };

  return [get("/account/audit", "read_audit_log", show)];
}
