import { createMemberRepository } from "@svc/persistence/members";
import { createAccountTokenRepository } from "@svc/persistence/tokens";
import { sendRows } from "../exports/send-rows.ts";
import { get, type Route } from "../http/define-route.ts";
import type { PageHandler } from "../http/handler.ts";
import { queryText } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { readPageNumber } from "../pages/page-links.ts";
import type { Services } from "../services.ts";
import { readerZone } from "../times/reader-zone.ts";
import { apiFilterOf, readAuditFilter } from "./audit-filter.ts";
import { readAuditNames } from "./audit-names.ts";
import { auditPage } from "./audit-page.ts";

const pageSize = 50;

const fileColumns = [
  "created_at",
  "actor_type",
  "actor_id",
  "actor_name",
  "action",
  "subject_type",
  "subject_id",
  "subject_name",
  "changes",
];

/** The audit log, for owners of the account. */
export function auditRoutes(services: Pick<Services, "apiBaseUrl" | "members" | "database">): readonly Route[] {
  const { apiBaseUrl, members, database } = services;
  const memberRecords = createMemberRepository(database.sql);
  const tokens = createAccountTokenRepository(database.sql);

  const show: PageHandler = async (request, response, caller) => {
    const filter = readAuditFilter((name) => queryText(request, name));
    const number = readPageNumber(queryText(request, "page"));
    const apiFilter = apiFilterOf(filter, readerZone() ?? "UTC");
    const [{ data: events, links }, allMembers, allTokens] = await Promise.all([
      caller.api.auditEvents.list({ filter: apiFilter, page: number, pageSize }),
      memberRecords.list(caller.accountId),
      tokens.list(caller.accountId),
    ]);
    const names = await readAuditNames(events, caller, members);
    const actors = {
      Members: allMembers.map(({ userId, email }) => [userId, email] as const),
      "API tokens": allTokens.map(({ id, name }) => [id, name] as const),
    };
    const hasMore = Boolean(links?.next);
    sendPage(
      response,
      200,
      auditPage({ caller, apiBaseUrl, events, names, filter, apiFilter, actors, number, hasMore }),
    );
  };

  const send: PageHandler = async (request, response, { api }) => {
    const filter = apiFilterOf(
      readAuditFilter((name) => queryText(request, name)),
      readerZone() ?? "UTC",
    );
    async function* rows() {
      for await (const { attributes } of api.auditEvents.iterate({ filter })) {
        yield { ...attributes, changes: JSON.stringify(attributes.changes) };
      }
    }
    await sendRows(request, response, { name: "audit-log", columns: fileColumns, rows: rows() });
  };

  return [get("/account/audit", "read_audit_log", show), get("/account/audit.csv", "read_audit_log", send)];
}
