import { instant } from "@svc/domain";
import { chargedExceptionKinds, type Exception } from "@svc/domain/exceptions";
import { invalidAttribute, TrackingError } from "@svc/jsonapi";
import { documentSchema, listOrPageSchema, pageSchema } from "@svc/jsonapi/documents";
import {
  ExceptionChargeResource,
  ExceptionResource,
  editExceptionDocument,
  exceptionChargeResource,
  exceptionResource,
} from "@svc/jsonapi/exceptions";
import { exceptionContent } from "@svc/jsonapi/notifications";
import { OverviewCountResource, overviewCountResource } from "@svc/jsonapi/overviews";
import { enumValue, type QueryDefinition } from "@svc/jsonapi/query";
import { chargeGroupings, exceptionGroupings, notifyExceptions } from "@svc/persistence/exceptions";
import { planAssignmentMail, planMentionMails } from "@svc/persistence/member-mails";
import type { Member } from "@svc/persistence/members";
import { defineRoute } from "../http/define-route.ts";
import { checkVersion } from "../http/preconditions.ts";
import { defineRecord, getRoute } from "../http/record-routes.ts";
import { completeListReply, listReply, recordReply } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";
import { findMemberByEmail, readMemberEmails, unknownMember } from "../members/find-members.ts";
import { mentionable } from "../notes/with-mentions.ts";
import type { Services } from "../services.ts";
import { chargeFilters, exceptionFilters, findExceptionFilters, searchMeta } from "./exception-filters.ts";
import { listExceptionAuditEventsRoute } from "./list-exception-audit-events.route.ts";

const tag = "Exceptions";

const groupBy = {
  ...enumValue("group_by", "Attribute to count by. Default: kind.", exceptionGroupings),
  required: false,
};

/** The wire form of exceptions. */
export async function exceptionResources(services: Services, accountId: string, exceptions: readonly Exception[]) {
  const ownerIds = exceptions.map(({ ownerUserId }) => ownerUserId);
  const emailOf = await readMemberEmails(services, accountId, ownerIds);
  const now = services.clock.now();
  return (exception: Exception, baseUrl: string): ExceptionResource =>
    exceptionResource(exception, { baseUrl, now, ownerEmail: emailOf(exception.ownerUserId) });
}

const record = defineRecord({
  type: "exception",
  tag,
  path: "/exceptions/{id}",
  params: { id: { of: "exception", kind: "uuid", description: "The exception's id." } },
  shown: { description: "The exception.", schema: documentSchema(ExceptionResource) },
  find: ({ exceptions }, { accountId }, { id }) => exceptions.find(accountId, id),
  resource: (services, { accountId }, exceptions) => exceptionResources(services, accountId, exceptions),
});

const listExceptions = defineRoute({
  method: "get",
  path: "/exceptions",
  operationId: "listExceptions",
  summary: "List exceptions",
  description:
    "Lists exceptions, the most urgent first: conditions of shipments, containers and tracking requests that require action, such as " +
    "a last free day that has passed or a customs hold. `filter[status]=open` lists those to work on. Resolved exceptions are kept " +
    "for 180 days after their condition ended.",
  tag,
  scope: "read",
  request: {
    query: {
      type: "exception",
      list: {
        sortKeys: { priority: "integer", opened_at: "instant", updated_at: "instant", resolved_at: "instant" },
      },
      parameters: exceptionFilters,
    } as const satisfies QueryDefinition,
  },
  responses: {
    200: { description: "A page of exceptions, the most urgent first.", schema: pageSchema(ExceptionResource) },
  },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const { accountId } = caller;
    const { filters, found } = await findExceptionFilters(query.parameters, services, accountId);
    const page = await services.exceptions.list(accountId, filters, query.page, services.clock.now());
    return listReply<Exception>(exchange, {
      path: "/exceptions",
      page,
      resource: await exceptionResources(services, accountId, page.items),
      sortValues: {
        priority: ({ priority }) => String(priority),
        opened_at: ({ openedAt }) => openedAt,
        updated_at: ({ updatedAt }) => updatedAt,
        resolved_at: ({ resolvedAt, openedAt }) => resolvedAt ?? openedAt,
      },
      ...(found && { meta: searchMeta(found) }),
    });
  },
});

const countExceptions = defineRoute({
  method: "get",
  path: "/exceptions/counts",
  operationId: "countExceptions",
  summary: "Count exceptions by attribute",
  description: "Counts the exceptions that match the filters of the list, the largest group first.",
  tag,
  scope: "read",
  request: {
    query: { type: "overview_count", wholeList: true, parameters: { ...exceptionFilters, groupBy } } as const,
  },
  responses: { 200: { description: "The groups.", schema: listOrPageSchema(OverviewCountResource) } },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const { groupBy: by = "kind", ...given } = query.parameters;
    const { filters, found } = await findExceptionFilters(given, services, caller.accountId);
    const counts = await services.exceptions.count(caller.accountId, filters, by, services.clock.now());
    return completeListReply(exchange, "/exceptions/counts", counts.map(overviewCountResource), searchMeta(found));
  },
});

const sumExceptionCharges = defineRoute({
  method: "get",
  path: "/exceptions/charges",
  operationId: "sumExceptionCharges",
  summary: "Sum charges of exceptions",
  description:
    "Sums what containers are charged so far, by currency and group: of the exceptions that match the filters and " +
    "whose condition lasts, also snoozed and resolved ones. A container that several tracked shipments have is " +
    "counted once for each kind.",
  tag,
  scope: "read",
  request: {
    query: {
      type: "exception_charge",
      wholeList: true,
      parameters: {
        ...chargeFilters,
        groupBy: { ...enumValue("group_by", "Default: kind.", chargeGroupings), required: false },
      },
    } as const,
  },
  responses: { 200: { description: "The groups.", schema: listOrPageSchema(ExceptionChargeResource) } },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const { groupBy: by = "kind", ...given } = query.parameters;
    const { kind = chargedExceptionKinds, ...others } = given;
    const { filters, found } = await findExceptionFilters(others, services, caller.accountId);
    const sums = await services.exceptions.sumCharges(caller.accountId, { ...filters, kind }, by, services.clock.now());
    return completeListReply(exchange, "/exceptions/charges", sums.map(exceptionChargeResource), searchMeta(found));
  },
});

const getException = getRoute(record, {
  operationId: "getException",
  summary: "Get an exception",
  description: "Returns the exception with this id, also one that is resolved.",
});

const editException = defineRoute({
  method: "patch",
  path: record.path,
  operationId: "editException",
  summary: "Update an exception",
  description:
    "Assigns an owner, sets the note, snoozes, resolves or reopens the exception. A resolved exception stays " +
    "resolved while its condition lasts; if the condition ends and returns, another exception is opened. A " +
    "superseded exception cannot be edited: the next step of its case has its owner and note. Subscribed webhooks " +
    "receive `exception.resolved` when it is resolved, and `exception.opened` when it is reopened. A note with " +
    "`@` before a member's e-mail address notifies that member by e-mail, once. A new owner who is not the editor " +
    "is notified as well.",
  tag,
  scope: "write",
  action: "handle_exceptions",
  request: {
    params: record.params,
    query: { type: record.type },
    body: { document: editExceptionDocument },
    conditional: true,
  },
  responses: { 200: record.shown },
  async handle(exchange) {
    const { services, caller, params, body, ifVersions, traceparent } = exchange;
    const { accountId } = caller;
    const { status, owner, note, snoozed_until: snoozed } = body.attributes;
    const newOwner = owner == null ? owner : await findMember(services, accountId, owner);
    const ownerUserId = newOwner == null ? newOwner : newOwner.userId;
    const snoozedUntil = snoozed == null ? snoozed : instant(snoozed);
    const members = status === undefined ? [] : await services.members.list(accountId);
    const mentioned = await mentionable(services, accountId, note);
    const exception = await services.transaction(accountId, async (sql, { exceptions, clock, settings }) => {
      const present = requireFound("exception", params.id, await exceptions.lock(accountId, params.id));
      checkVersion(ifVersions, present);
      const now = clock.now();
      if (present.resolution === "superseded") {
        throw TrackingError.of(
          "conflict",
          `Another exception of ${present.number} took its place and has its owner and note. Edit that one.`,
        );
      }
      if (status === "open" && present.endedAt !== null) {
        throw invalidAttribute("status", "The condition has ended, so that the exception cannot be reopened.");
      }
      if (snoozedUntil != null && snoozedUntil <= now) {
        throw invalidAttribute("snoozed_until", `snoozed_until must be later than now (${now}).`);
      }
      const edited = await exceptions.edit(accountId, present, { status, ownerUserId, snoozedUntil, note }, now);
      await planMentionMails(sql, accountId, {
        subject: { type: "exception", id: edited.id, name: edited.number },
        before: present.note,
        after: edited.note,
        authorUserId: caller.userId,
        members: mentioned,
      });
      if (settings.sendsMail && newOwner != null && newOwner.userId !== present.ownerUserId) {
        const { userId: authorUserId } = caller;
        await planAssignmentMail(sql, accountId, { exception: edited, owner: newOwner, authorUserId });
      }
      const wasResolved = present.resolvedAt !== null;
      const isResolved = edited.resolvedAt !== null;
      await notifyExceptions(sql, accountId, {
        openedIds: wasResolved && !isResolved ? [edited.id] : [],
        resolvedIds: !wasResolved && isResolved ? [edited.id] : [],
        now,
        traceparent,
        members: () => Promise.resolve(members),
        describe: (one, records) => exceptionContent(one, records, { baseUrl: settings.baseUrl, now }).included,
      });
      return edited;
    });
    return recordReply(exchange, exception, await exceptionResources(services, accountId, [exception]));
  },
});

async function findMember(services: Services, accountId: string, email: string): Promise<Member> {
  const member = findMemberByEmail(await services.members.list(accountId), email);
  if (member) return member;
  throw unknownMember("owner", email);
}

export const exceptionRoutes = [
  listExceptions,
  countExceptions,
  sumExceptionCharges,
  getException,
  listExceptionAuditEventsRoute,
  editException,
];
