import { instant } from "@svc/domain";
import {
  chargedExceptionKinds,
  type Exception,
  exceptionKinds,
  exceptionResolutions,
  exceptionSeverities,
  exceptionStatuses,
} from "@svc/domain/exceptions";
import { TrackingError } from "@svc/jsonapi";
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
import {
  codes,
  freeTexts,
  ids,
  oneChoice,
  oneOf,
  oneText,
  type QueryDefinition,
  timestamp,
  yesOrNo,
} from "@svc/jsonapi/query";
import {
  chargeGroupings,
  type ExceptionFilters,
  exceptionGroupings,
  notifyExceptions,
} from "@svc/persistence/exceptions";
import type { Member } from "@svc/persistence/members";
import { planAssignmentMail, planMentionMails } from "@svc/persistence/mentions";
import { defineRoute } from "../http/define-route.ts";
import { checkVersion, completeListReply, listReply, oneReply } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";
import { mentionable } from "../notes/with-mentions.ts";
import { type Found, foundMax, searchShipments } from "../overviews/overview-parameters.ts";
import type { Services } from "../services.ts";
import { withCanonicalScacs } from "../tracking-requests/number-forms.ts";
import { listExceptionAuditEventsRoute } from "./exception-audit-events.route.ts";

const tag = "Exceptions";
const params = { id: { of: "exception", kind: "uuid", description: "The exception's id." } } as const;
const withoutOwner = "none";
/** An id that no member has, so the filter matches nothing. */
const unknownOwner = "00000000-0000-0000-0000-000000000000";

const filters = {
  kind: oneOf("filter[kind]", "Kind of exception.", exceptionKinds),
  severity: oneOf("filter[severity]", "Severity.", exceptionSeverities),
  status: oneOf("filter[status]", "Status of the exception.", exceptionStatuses),
  resolution: oneOf("filter[resolution]", "Resolution of the exception.", exceptionResolutions),
  superseded: yesOrNo("filter[superseded]", "Whether the next step of its case took its place."),
  owner: freeTexts("filter[owner]", `E-mail address of the owner, or \`${withoutOwner}\`.`, 320),
  shipment: ids("filter[shipment]", "Id of the shipment."),
  container: ids("filter[container]", "Id of the container."),
  trackingRequest: ids("filter[tracking_request]", "Id of the tracking request."),
  carrier: codes("filter[carrier]", "SCAC of the shipment or the tracking request.", 4),
  customer: freeTexts("filter[customer]", "Part of the name of the customer."),
  customerName: freeTexts("filter[customer_name]", "Name of the customer, exact, in any case.", 200),
  tag: freeTexts("filter[tag]", "Tag of the shipment, exact.", 50),
  portOfDischarge: codes("filter[port_of_discharge]", "UN/LOCODE of the shipment's port of discharge.", 5),
  search: oneText(
    "filter[search]",
    `Part of a number or reference of the container, its shipment or the tracking request, as for GET /search; of up to ${foundMax} shipments and the newest 1,000 tracking requests.`,
    { maxLength: 1_000 },
  ),
  openedAfter: timestamp("filter[opened_after]", "Opened after this time."),
  ended: yesOrNo("filter[ended]", "Whether the condition has ended. A member can resolve one that lasts."),
} as const;
const { ended: _, ...chargeFilters } = {
  ...filters,
  kind: oneOf("filter[kind]", "Kind of exception. Default: all of these.", chargedExceptionKinds),
};
const groupBy = {
  ...oneChoice("group_by", "Attribute to count by. Default: kind.", exceptionGroupings),
  required: false,
};

type ExceptionFilterInput = Omit<ExceptionFilters, "owner" | "foundSubject" | "containerText"> & {
  readonly owner?: readonly string[];
  readonly search?: string;
};

const isMemberNamed = (email: string) => (member: Member) => member.email.toLowerCase() === email.toLowerCase();

async function ownerIds(owners: readonly string[], services: Services, accountId: string) {
  const members = await services.members.list(accountId);
  const findOwnerId = (email: string) =>
    email === withoutOwner ? null : (members.find(isMemberNamed(email))?.userId ?? unknownOwner);
  return owners.map(findOwnerId);
}

/** The shipments and tracking requests that have the text. */
async function findSubjects(searchText: string, services: Services, accountId: string) {
  const { shipment, found } = await searchShipments(searchText, services, accountId, undefined);

  const { wanted } = found;
  const requests =
    wanted &&
    (await services.trackingRequests.findMatching(accountId, wanted, {
      shipmentIds: [],
      numbers: [wanted.number],
      limit: foundMax,
    }));
  const filters: ExceptionFilters = {
    foundSubject: [...shipment, ...(requests ?? [])],
    ...(wanted && { containerText: wanted }),
  };
  return { filters, found };
}

/** Owners by their ids, carriers by their own SCACs, and what the search finds. */
async function findFilters(
  { owner, search, ...others }: ExceptionFilterInput,
  services: Services,
  accountId: string,
): Promise<{ readonly filters: ExceptionFilters; readonly found: Found | null }> {
  const [canonicalFilters, owners, searched] = await Promise.all([
    withCanonicalScacs(others, services),
    owner && ownerIds(owner, services, accountId),
    search === undefined ? null : findSubjects(search, services, accountId),
  ]);
  return {
    filters: { ...canonicalFilters, ...(owners && { owner: owners }), ...searched?.filters },
    found: searched?.found ?? null,
  };
}

/** Whether the search considered everything that matches. */
const searchMeta = (found: Found | null) =>
  found === null ? {} : { search: { is_complete: found.isComplete, containers: [] } };

/** The wire form of exceptions, whose owners are read only where there are any. */
export async function exceptionResources(services: Services, accountId: string, exceptions: readonly Exception[]) {
  const hasOwners = exceptions.some(({ ownerUserId }) => ownerUserId !== null);
  const members = hasOwners ? await services.members.list(accountId) : [];
  const emails = new Map(members.map(({ userId, email }) => [userId, email]));
  const now = services.clock.now();
  return (exception: Exception, baseUrl: string): ExceptionResource =>
    exceptionResource(exception, { baseUrl, now, ownerEmail: emails.get(exception.ownerUserId ?? "") ?? null });
}

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
      parameters: filters,
    } as const satisfies QueryDefinition,
  },
  responses: {
    200: { description: "A page of exceptions, the most urgent first.", schema: pageSchema(ExceptionResource) },
  },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const { accountId } = caller;
    const { filters, found } = await findFilters(query.parameters, services, accountId);
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
  request: { query: { type: "overview_count", wholeList: true, parameters: { ...filters, groupBy } } as const },
  responses: { 200: { description: "The groups.", schema: listOrPageSchema(OverviewCountResource) } },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const { groupBy: by = "kind", ...given } = query.parameters;
    const { filters, found } = await findFilters(given, services, caller.accountId);
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
        groupBy: { ...oneChoice("group_by", "Default: kind.", chargeGroupings), required: false },
      },
    } as const,
  },
  responses: { 200: { description: "The groups.", schema: listOrPageSchema(ExceptionChargeResource) } },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const { groupBy: by = "kind", ...given } = query.parameters;
    const { kind = chargedExceptionKinds, ...others } = given;
    const { filters, found } = await findFilters(others, services, caller.accountId);
    const sums = await services.exceptions.sumCharges(caller.accountId, { ...filters, kind }, by, services.clock.now());
    return completeListReply(exchange, "/exceptions/charges", sums.map(exceptionChargeResource), searchMeta(found));
  },
});

const getException = defineRoute({
  method: "get",
  path: "/exceptions/{id}",
  operationId: "getException",
  summary: "Get an exception",
  description: "Returns the exception with this id, also one that is resolved.",
  tag,
  scope: "read",
  request: { params, query: { type: "exception" } },
  responses: { 200: { description: "The exception.", schema: documentSchema(ExceptionResource) } },
  async handle(exchange) {
    const { services, caller, params } = exchange;
    const exception = requireFound("exception", params.id, await services.exceptions.find(caller.accountId, params.id));
    return oneReply(exchange, exception, await exceptionResources(services, caller.accountId, [exception]));
  },
});

const at = (name: string) => ({ source: { pointer: `/data/attributes/${name}` } });

const editException = defineRoute({
  method: "patch",
  path: "/exceptions/{id}",
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
  request: { params, query: { type: "exception" }, body: { document: editExceptionDocument }, conditional: true },
  responses: { 200: { description: "The exception.", schema: documentSchema(ExceptionResource) } },
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
        throw TrackingError.of(
          "invalid",
          "The condition has ended, so that the exception cannot be reopened.",
          at("status"),
        );
      }
      if (snoozedUntil != null && snoozedUntil <= now) {
        throw TrackingError.of("invalid", `snoozed_until must be later than now (${now}).`, at("snoozed_until"));
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
    return oneReply(exchange, exception, await exceptionResources(services, accountId, [exception]));
  },
});

async function findMember(services: Services, accountId: string, email: string): Promise<Member> {
  const member = (await services.members.list(accountId)).find(isMemberNamed(email));
  if (member) return member;
  throw TrackingError.of(
    "invalid",
    `No member of this account has the e-mail address ${JSON.stringify(email)}.`,
    at("owner"),
  );
}

export const exceptionRoutes = [
  listExceptions,
  countExceptions,
  sumExceptionCharges,
  getException,
  listExceptionAuditEventsRoute,
  editException,
];
