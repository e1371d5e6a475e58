import { type AuditEvent, actorTypes, auditSubjects } from "@svc/domain/audit-events";
import { AuditEventResource, auditEventResource } from "@svc/jsonapi/audit-events";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { enumList, ids, texts, timestamp } from "@svc/jsonapi/query";
import { defineRecord, getRoute, listRoute } from "../http/record-routes.ts";

const type = "audit_event";
const lowerCase = (text: string): string => text.toLowerCase();
const action = "read_audit_log";

const auditEvent = defineRecord({
  type,
  tag: "Audit log",
  path: "/audit_events/{id}",
  params: { id: { of: "audit event", kind: "uuid", description: "The audit event's id." } },
  shown: { description: "The audit event.", schema: documentSchema(AuditEventResource) },
  find: ({ auditLog }, { accountId }, { id }) => auditLog.find(accountId, id),
  resource: () => (event: AuditEvent, baseUrl: string) => auditEventResource(event, baseUrl),
});

const listAuditEvents = listRoute(auditEvent, {
  path: "/audit_events",
  operationId: "listAuditEvents",
  summary: "List audit events",
  description:
    "Lists changes with their actors: API tokens, webhooks, members and roles, invitations, carrier connections, share links, alert " +
    "subscriptions, edits of shipments, containers, tracking requests and exceptions, sign-ins and failed sign-ins. Secrets are never recorded. " +
    "Page with the cursor links to read all of them.",
  action,
  query: {
    type,
    list: { sortKeys: { created_at: "instant" } },
    parameters: {
      actor: ids("filter[actor]", "Id of the user or API token."),
      actorType: enumList("filter[actor_type]", "Kind of the actor.", actorTypes),
      action: texts("filter[action]", "Action, for example `webhook.updated`.", lowerCase),
      subject: ids("filter[subject]", "Id of the record that was changed."),
      subjectType: enumList("filter[subject_type]", "Kind of the record that was changed.", auditSubjects),
      createdAfter: timestamp("filter[created_after]", "Made after this time."),
      createdBefore: timestamp("filter[created_before]", "Made before this time."),
    },
  },
  page: { description: "A page of audit events, newest first.", schema: pageSchema(AuditEventResource) },
  list: ({ auditLog }, { accountId }, { parameters, page }) => auditLog.list(accountId, parameters, page),
});

const getAuditEvent = getRoute(auditEvent, { operationId: "getAuditEvent", summary: "Get an audit event", action });

export const auditEventRoutes = [listAuditEvents, getAuditEvent];
