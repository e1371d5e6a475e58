import type { Instant } from "@svc/domain";
import { cargoContext, type ExceptionStatus, summaryWithoutPrice } from "@svc/domain/exceptions";
import type { ContainerResource, ExceptionResource, ShipmentResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import type { ExceptionRow } from "@svc/views/exceptions";
import type { SignedInCaller } from "../access/api-clients.ts";
import { type Caller, may } from "../access/callers.ts";
import { menuEntries } from "../pages/menu.ts";
import { briefTimestamp, relativeTimestamp } from "../pages/timestamps.ts";
import { rowCheckbox } from "../rows/rows-form.ts";
import { shareLink } from "../share-links/share-page.ts";
import { toContainerRecord, toShipmentRecord } from "../shipments/api-records.ts";
import { type ConnectionProblems, problemLink } from "../tracking-requests/connection-problems.ts";
import { correctionLink, otherTypeLink, type Retried, retryPath } from "../tracking-requests/request-state.ts";
import { type AttentionQuery, attentionPath } from "./attention-query.ts";
import { rowActions } from "./exception-actions.ts";
import { isPickupKind } from "./exception-answers.ts";
import { exceptionCost } from "./exception-cost.ts";
import { type ExceptionGroup, groupQueueRows, groupRow, isUrgent } from "./exception-groups.ts";
import { resolutionText } from "./exception-labels.ts";
import { pickupStepLine } from "./pickup-step.ts";
import { type QueueRequest, requestContext } from "./queue-requests.ts";
import { exceptionPath } from "./return-path.ts";

/** Options of the rows of the queue. */
export interface QueueOptions {
  readonly caller: SignedInCaller;
  readonly now: Instant;
  readonly query: AttentionQuery;
  readonly items: readonly ExceptionResource[];
  /** Shipments of the exceptions, by id. */
  readonly shipments: ReadonlyMap<string, ShipmentResource>;
  /** Containers of the exceptions, by id. */
  readonly containers: ReadonlyMap<string, ContainerResource>;
  /** Tracking requests of the exceptions, by id. */
  readonly requests: ReadonlyMap<string, QueueRequest>;
  /** Why no data comes for those of them that wait. */
  readonly problems: ConnectionProblems;
  /** Email addresses of the members. */
  readonly members: readonly string[];
}

/** Path of the page of the shipment, container or tracking request that the exception is about. */
export function subjectPath(one: ExceptionResource): string {
  const { shipment, container } = one.relationships;
  if (!shipment.data) {
    const { data: request } = one.relationships.tracking_request;
    const listed = one.attributes.status === "resolved" ? "resolved" : "failed";
    const status = one.attributes.kind === "tracking_request_failed" ? `status=${listed}&` : "";
    return `/tracking-requests${request ? `?${status}created=${request.id}` : ""}`;
  }
  return `/shipments/${shipment.data.id}${container.data ? `?container=${container.data.id}` : ""}`;
}

function context(shipment: ShipmentResource | undefined, request?: Retried): string | null {
  if (request) return requestContext(request);
  if (!shipment) return null;
  const { attributes } = shipment;
  return cargoContext({
    customerName: attributes.customer_name,
    refNumbers: attributes.ref_numbers ?? [],
    portOfLadingName: attributes.port_of_lading_name,
    portOfDischargeName: attributes.port_of_discharge_name,
    destinationName: attributes.destination_name,
  });
}

function since({ attributes }: ExceptionResource, now: Instant): Html {
  const { status, opened_at: opened, snoozed_until: until, resolved_at: resolved } = attributes;
  const at = Date.parse(now);
  const when = {
    open: () => html`<span class="muted"><span class="verb">open for</span> ${briefTimestamp(opened, at)}</span>`,
    snoozed: () => html`<span class="muted">until ${relativeTimestamp(until, at)}</span>`,
    resolved: () => html`<span class="muted">${resolutionText(attributes)} ${relativeTimestamp(resolved, at)}</span>`,
  } satisfies Record<ExceptionStatus, () => Html>;
  return when[status]();
}

const rowId = ({ id }: ExceptionResource): string => `row-${id}`;

const subjectOf = ({ attributes: { number }, relationships: { shipment, container } }: ExceptionResource): string =>
  `${container.data?.id ?? shipment.data?.id ?? ""} ${number}`;

/** Whether the exception is a failed request that a member may repeat. */
export const mayRepeatRequest = (
  { attributes: { kind, ended_at: ended, status } }: ExceptionResource,
  caller: Caller,
) => kind === "tracking_request_failed" && ended === null && status !== "resolved" && may(caller, "track");

/** Leads to what ends the exception: the form that repeats a failed request, or the connection that one waits for. */
function stepOf(one: ExceptionResource, { caller, requests, problems }: QueueOptions): Html | null {
  const request = requests.get(one.relationships.tracking_request.data?.id ?? "");
  if (!request || one.attributes.status === "resolved") return null;
  if (mayRepeatRequest(one, caller)) {
    const other = otherTypeLink(request);
    return html`<span class="below"><a href="${retryPath(request)}">Retry</a> ·
      ${other && html`${other} · `}${correctionLink(request)}</span>`;
  }
  const problem = problems.get(request.id);
  return (problem && problemLink(problem, request.scac, caller)) || null;
}

/** The last free day and what is to be done about the pickup. Null: not known, or it is about something else. */
function pickupLine(one: ExceptionResource, { shipments, containers, now }: QueueOptions): string | null {
  const shipment = shipments.get(one.relationships.shipment.data?.id ?? "");
  const container = containers.get(one.relationships.container.data?.id ?? "");
  if (!shipment || !container || !isPickupKind(one.attributes.kind)) return null;
  const records = { container: toContainerRecord(container), shipment: toShipmentRecord(shipment) };
  return pickupStepLine({ exception: one, ...records, now });
}

function shareEntry(one: ExceptionResource, caller: SignedInCaller): Html | null {
  const { data: shipment } = one.relationships.shipment;
  if (shipment === null || !may(caller, "share")) return null;
  return menuEntries(shareLink(shipment.id, one.attributes.number, "quiet"));
}

function singleRow(one: ExceptionResource, next: ExceptionResource | undefined, options: QueueOptions): ExceptionRow {
  const { caller, query, now, shipments, requests } = options;
  const { shipment, tracking_request: request } = one.relationships;
  const { number, shipment_number: bill, summary, cause, note, owner } = one.attributes;
  const mayHandle = may(caller, "handle_exceptions");
  const queue = attentionPath(query, query);
  const back = `${queue}${next ? `#${rowId(next)}` : ""}`;
  return {
    number,
    numberPath: subjectPath(one),
    shipmentNumber: bill === number ? null : bill,
    context: context(shipments.get(shipment.data?.id ?? ""), requests.get(request.data?.id ?? "")),
    summary: summaryWithoutPrice(summary),
    summaryPath: exceptionPath(one.id, queue),
    isUrgent: isUrgent(one),
    cost: exceptionCost([one]),
    cause: pickupLine(one, options) ?? cause,
    step: stepOf(one, options),
    note,
    owner,
    since: since(one, now),
    ...rowActions(one, {
      email: mayHandle ? caller.user.email : null,
      back,
      more: shareEntry(one, caller),
      hasColleagues: options.members.length > 1,
    }),
    id: rowId(one),
    box: mayHandle ? rowCheckbox(one.id, `${summary}, ${number}`) : null,
  };
}

function multipleRow(group: ExceptionGroup, options: QueueOptions): ExceptionRow {
  const { caller, query, now, shipments } = options;
  const [first] = group.items;
  const row = groupRow(group, {
    email: may(caller, "handle_exceptions") ? caller.user.email : null,
    back: attentionPath(query, query),
    more: shareEntry(first, caller),
    hasColleagues: options.members.length > 1,
    itemPath: subjectPath,
  });
  return { ...row, context: context(shipments.get(group.shipmentId)), since: since(first, now), id: rowId(first) };
}

/**
 * The rows of a page of the queue: exceptions of one kind in several containers of a shipment as one, the others after
 * the most urgent one of the same container, shipment or request.
 */
export function exceptionRows(options: QueueOptions): { readonly rows: ExceptionRow[]; readonly hasGroups: boolean } {
  const found = groupQueueRows(options.items, subjectOf);
  const rows = found.map(({ subject, items, group }, at): ExceptionRow => {
    const row = group ? multipleRow(group, options) : singleRow(items[0], found[at + 1]?.items[0], options);
    const above = found[at - 1];
    const isSameSubject = above?.subject === subject;
    // The row above has what to do about the pickup of the same container.
    const hasPickupLine = isSameSubject && !group && isPickupKind(above.items[0].attributes.kind);
    return { ...row, ...(hasPickupLine && { cause: items[0].attributes.cause }), isSameSubject };
  });
  return { rows, hasGroups: found.some(({ group }) => group !== null) };
}
