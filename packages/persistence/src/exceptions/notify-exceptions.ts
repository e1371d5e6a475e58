import type { Instant } from "@svc/domain";
import type { Container, ContainerLinks } from "@svc/domain/containers";
import type { Exception } from "@svc/domain/exceptions";
import type { Shipment } from "@svc/domain/shipments";
import type { TrackingRequest } from "@svc/domain/tracking-requests";
import { planAlerts } from "../alerts/plan-alerts.ts";
import { createContainerLinkReader } from "../containers/container-links.ts";
import { createContainerRepository } from "../containers/container-repository.ts";
import type { Member } from "../members/member-repository.ts";
import { createShipmentRepository } from "../shipments/shipment-repository.ts";
import type { AccountSql } from "../sql.ts";
import { findSubscriptions, writeNotificationEvents } from "../tracking/notification-writer.ts";
import { createTrackingRequestRepository } from "../tracking-requests/tracking-request-repository.ts";
import { createExceptionRepository } from "./exception-repository.ts";

/** The records of an exception as they are when it changes. */
export interface ExceptionRecords {
  readonly shipment: Shipment | null;
  readonly container: { readonly record: Container; readonly links: ContainerLinks } | null;
  readonly request: TrackingRequest | null;
  /** E-mail address. */
  readonly owner: string | null;
}

export interface ExceptionNotification {
  readonly openedIds: readonly string[];
  readonly resolvedIds: readonly string[];
  /**
   * Exceptions whose place one of `openedIds` took. Webhooks are notified that they are resolved; so are
   * subscriptions of alerts that do not get the next step.
   */
  readonly supersededIds?: readonly string[];
  readonly now: Instant;
  /** W3C trace context of the cause. */
  readonly traceparent?: string | null;
  /** Read only if one of the exceptions has an owner. */
  readonly members: () => Promise<readonly Member[]>;
  /** The `included` array of the notification, as JSON text. */
  readonly describe: (exception: Exception, records: ExceptionRecords) => string;
}

const present = (ids: readonly (string | null)[]): string[] => [...new Set(ids)].filter((id) => id !== null);
const byId = <Row extends { readonly id: string }>(rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]));

/**
 * Plans the alerts of each change, and notifies the webhooks that subscribe to exceptions of it, once and with a
 * constant number of statements. Call it in the transaction of the changes.
 */
export async function notifyExceptions(
  sql: AccountSql,
  accountId: string,
  { openedIds, resolvedIds, supersededIds = [], now, traceparent, members, describe }: ExceptionNotification,
): Promise<void> {
  if (openedIds.length + resolvedIds.length + supersededIds.length === 0) return;
  await planAlerts(sql, accountId, { openedIds, resolvedIds, supersededIds });
  const subscriptions = await findSubscriptions(sql, accountId);
  const opened = subscriptions.hasSubscriber("exception.opened") ? openedIds : [];
  const resolved = subscriptions.hasSubscriber("exception.resolved") ? [...resolvedIds, ...supersededIds] : [];
  if (opened.length + resolved.length === 0) return;
  const exceptions = byId(await createExceptionRepository(sql).findMany(accountId, [...opened, ...resolved]));
  const recordsOf = await readRecords(sql, accountId, [...exceptions.values()], members);
  const compose = (event: "exception.opened" | "exception.resolved", ids: readonly string[]) =>
    ids.flatMap((id) => {
      const exception = exceptions.get(id);
      if (exception === undefined) return [];
      const included = describe(exception, recordsOf(exception));
      return { event, referenceType: "exception" as const, referenceId: id, included };
    });
  const events = [...compose("exception.opened", opened), ...compose("exception.resolved", resolved)];
  await writeNotificationEvents(sql, accountId, events, subscriptions, now, traceparent ?? null);
}

async function readRecords(
  sql: AccountSql,
  accountId: string,
  exceptions: readonly Exception[],
  members: () => Promise<readonly Member[]>,
): Promise<(exception: Exception) => ExceptionRecords> {
  const containerIds = present(exceptions.map(({ containerId }) => containerId));
  const shipmentIds = present(exceptions.map(({ shipmentId }) => shipmentId));
  const requestIds = present(exceptions.map(({ trackingRequestId }) => trackingRequestId));
  const hasOwner = exceptions.some(({ ownerUserId }) => ownerUserId !== null);
  const shipments = byId(await createShipmentRepository(sql).findMany(accountId, shipmentIds));
  const containers = byId(await createContainerRepository(sql).findMany(accountId, containerIds));
  const links = await createContainerLinkReader(sql).find(accountId, containerIds);
  const requests = byId(await createTrackingRequestRepository(sql).findMany(accountId, requestIds));
  const emails = new Map((hasOwner ? await members() : []).map(({ userId, email }) => [userId, email]));
  return ({ shipmentId, containerId, trackingRequestId, ownerUserId }) => {
    const record = containers.get(containerId ?? "");
    const noLinks = { transportEventIds: [], rawEventIds: [] };
    return {
      shipment: shipments.get(shipmentId ?? "") ?? null,
      container: record ? { record, links: links.get(record.id) ?? noLinks } : null,
      request: requests.get(trackingRequestId ?? "") ?? null,
      owner: emails.get(ownerUserId ?? "") ?? null,
    };
  };
}
