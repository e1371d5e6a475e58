import type { AuditEvent } from "@svc/domain/audit-events";
import { AuditEventResource, auditEventResource } from "@svc/jsonapi/audit-events";
import { pageSchema } from "@svc/jsonapi/documents";
import { defineRoute } from "../http/define-route.ts";
import { listReply } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";

/** The only part of the audit log that every member reads: all of them see owner, snooze and note of an exception. */
export const listExceptionAuditEventsRoute = defineRoute({
  method: "get",
  path: "/exceptions/{id}/audit_events",
  operationId: "listExceptionAuditEvents",
  summary: "List audit events of an exception",
  description:
    "Lists who assigned, snoozed, annotated, resolved or reopened the exception, and when. What the service did is " +
    "in the exception: it was opened at `opened_at`, and its condition ended at `ended_at`.",
  tag: "Exceptions",
  scope: "read",
  request: {
    params: { id: { of: "exception", kind: "uuid", description: "The exception's id." } },
    query: { type: "audit_event", list: { sortKeys: { created_at: "instant" } } },
  },
  responses: { 200: { description: "A page of audit events, newest first.", schema: pageSchema(AuditEventResource) } },
  async handle(exchange) {
    const { services, caller, params, query } = exchange;
    const { id } = params;
    const filters = { subject: [id], subjectType: ["exception"] };
    const page = await services.auditLog.list(caller.accountId, filters, query.page);
    if (page.total === 0) requireFound("exception", id, await services.exceptions.find(caller.accountId, id));
    return listReply<AuditEvent>(exchange, {
      path: `/exceptions/${id}/audit_events`,
      page,
      resource: auditEventResource,
      sortValues: { created_at: ({ createdAt }) => createdAt },
    });
  },
});
