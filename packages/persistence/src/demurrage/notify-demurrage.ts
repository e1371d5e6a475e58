import type { Instant } from "@svc/domain";
import type { Container, ContainerLinks } from "@svc/domain/containers";
import type { Shipment } from "@svc/domain/shipments";
import { createContainerLinkReader } from "../containers/container-links.ts";
import { createContainerRepository } from "../containers/container-repository.ts";
import { createShipmentRepository } from "../shipments/shipment-repository.ts";
import type { AccountSql } from "../sql.ts";
import { findSubscriptions, writeNotificationEvents } from "../tracking/notification-writer.ts";

const event = "container.demurrage.changed";

export interface DemurrageNotification {
  readonly containerIds: readonly string[];
  readonly now: Instant;
  /** The `included` array of the notification of a container, as JSON text. */
  readonly describe: (container: Container, links: ContainerLinks, shipment: Shipment) => string;
}

/**
 * Notifies the webhooks that name the event of containers whose charges changed, with a constant number of statements.
 * Call it in the transaction of the change.
 */
export async function notifyDemurrage(
  sql: AccountSql,
  accountId: string,
  { containerIds, now, describe }: DemurrageNotification,
): Promise<void> {
  if (containerIds.length === 0) return;
  const subscriptions = await findSubscriptions(sql, accountId);
  if (!subscriptions.hasSubscriber(event)) return;
  const containers = await createContainerRepository(sql).findMany(accountId, containerIds);
  const links = await createContainerLinkReader(sql).find(accountId, containerIds);
  const shipmentIds = [...new Set(containers.map(({ shipmentId }) => shipmentId))];
  const shipments = await createShipmentRepository(sql).findMany(accountId, shipmentIds);
  const shipmentsById = new Map(shipments.map((shipment) => [shipment.id, shipment]));
  const noLinks: ContainerLinks = { transportEventIds: [], rawEventIds: [] };
  const events = containers.flatMap((container) => {
    const shipment = shipmentsById.get(container.shipmentId);
    if (shipment === undefined) return [];
    const included = describe(container, links.get(container.id) ?? noLinks, shipment);
    return [{ event, referenceType: "container_demurrage", referenceId: container.id, included } as const];
  });
  await writeNotificationEvents(sql, accountId, events, subscriptions, now);
}
