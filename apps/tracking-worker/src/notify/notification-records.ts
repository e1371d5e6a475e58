import type { Instant } from "@svc/domain";
import type { Container, ContainerLinks } from "@svc/domain/containers";
import type { Shipment } from "@svc/domain/shipments";
import type { ListedTransportEvent } from "@svc/domain/transport-events";
import type { AnyResource } from "@svc/jsonapi";
import { containerResource, withContainerLinks } from "@svc/jsonapi/containers";
import type { RelatedResources } from "@svc/jsonapi/notifications";
import { metroAreaResource, portResource, terminalResource, vesselResource } from "@svc/jsonapi/reference-data";
import { shipmentResource } from "@svc/jsonapi/shipments";
import type { Sql } from "@svc/persistence";
import { type ContainerRow, linkedMax, toContainer } from "@svc/persistence/containers";
import { createReferenceDataRepository } from "@svc/persistence/reference-data";
import { toShipments } from "@svc/persistence/shipments";
import type { SubjectState } from "@svc/persistence/tracking";
import type { PollEffects, PollTransaction } from "../apply/poll-transaction.ts";
import type { SubjectObservation } from "./shipment-update.ts";

/** The shipment of a poll and its containers as its changes leave them. Composed of the changes, not read again. */
export interface NotifiedState {
  readonly shipment: Shipment;
  readonly containersByNumber: ReadonlyMap<string, Container>;
}

/** Null: the poll has no shipment. `subject`: after the poll. */
export async function notifiedState(
  { sql, claim, shipment: tracked }: PollTransaction,
  { shipmentUpdate, stopped }: PollEffects,
  subject: SubjectState,
): Promise<NotifiedState | null> {
  const row = shipmentUpdate?.written.shipment ?? tracked;
  if (row === null) return null;
  const isContainerPoll = claim.kind === "terminal_container";
  // A poll of the carrier for the arrival notice is not one of the terminal.
  const isTerminalPoll = isContainerPoll && claim.scac !== row.shippingLineScac;
  const terminalPoll = isTerminalPoll ? { number: claim.number, at: subject.lastSucceededAt } : null;
  const polled = isContainerPoll
    ? {}
    : {
        lineTrackingLastAttemptedAt: subject.lastAttemptedAt,
        lineTrackingLastSucceededAt: subject.lastSucceededAt,
      };
  const end = stopped ? { lineTrackingStoppedAt: stopped.at, lineTrackingStoppedReason: stopped.reason } : {};
  const [shipment] = await toShipments(sql, claim.accountId, [{ ...row, ...polled, ...end }]);
  if (shipment === undefined) return null;
  const shipmentLastTrackingRequestAt = shipment.lineTrackingLastAttemptedAt;
  const containers = [...(shipmentUpdate?.written.containers ?? [])].map(([number, { row: container }]) => {
    const terminalCheckedAt = checkedAt(container, terminalPoll);
    return [number, toContainer({ ...container, shipmentLastTrackingRequestAt, terminalCheckedAt })] as const;
  });
  return { shipment, containersByNumber: new Map(containers) };
}

/** When a terminal last reported the container, this poll included. */
function checkedAt(
  { number, terminalCheckedAt }: ContainerRow,
  polled: { readonly number: string; readonly at: Instant | null } | null,
): Instant | null {
  if (polled?.number !== number || polled.at === null) return terminalCheckedAt;
  return terminalCheckedAt === null || terminalCheckedAt < polled.at ? polled.at : terminalCheckedAt;
}

/** The subject that polls the shipment's carrier. */
export const subjectIdOf = ({ claim, shipment }: PollTransaction): string | null =>
  claim.kind === "terminal_container" ? (shipment?.subjectId ?? null) : claim.id;

/** The links of a container's record, newest first. `changeEvents`: of this poll, for all containers. */
export function linksOf(
  { id, number }: Container,
  eventIds: readonly string[],
  changeEvents: readonly ListedTransportEvent[],
  { known, subjectId }: { readonly known: readonly SubjectObservation[]; readonly subjectId: string | null },
): ContainerLinks {
  const changed = changeEvents.filter(({ containerId }) => containerId === id).map((event) => event.id);
  const observed = known.flatMap((one) => {
    const { containerNumber } = one.observation;
    const isLinked = one.subjectId === subjectId && (containerNumber === null || containerNumber === number);
    return isLinked ? [one.observation.id] : [];
  });
  return {
    transportEventIds: [...changed.toSorted().toReversed(), ...eventIds].slice(0, linkedMax),
    rawEventIds: observed.toSorted().toReversed().slice(0, linkedMax),
  };
}

/** The resources that notifications include, by id. Reads the reference data with these ids. */
export async function relatedResources(
  sql: Sql,
  { shipment, containersByNumber }: NotifiedState,
  findLinks: (container: Container) => ContainerLinks,
  referenceIds: readonly (string | null | undefined)[],
  baseUrl: string,
): Promise<RelatedResources> {
  const ids = [...new Set(referenceIds.filter((id) => id != null))];
  const { ports, metroAreas, terminals, vessels } = await createReferenceDataRepository(sql).findRecords(ids);
  const resources: readonly AnyResource[] = [
    shipmentResource(shipment, baseUrl),
    ...ports.map((port) => portResource(port, baseUrl)),
    ...metroAreas.map((metroArea) => metroAreaResource(metroArea, baseUrl)),
    ...terminals.map((terminal) => terminalResource(terminal, baseUrl)),
    ...vessels.map((vessel) => vesselResource(vessel, baseUrl)),
  ];
  const byId = new Map(resources.map((resource) => [resource.id, resource]));
  const containersById = new Map([...containersByNumber.values()].map((container) => [container.id, container]));
  const find = (id: string): AnyResource | undefined => {
    const container = byId.has(id) ? undefined : containersById.get(id);
    if (container) byId.set(id, withContainerLinks(containerResource(container, baseUrl), findLinks(container)));
    return byId.get(id);
  };
  return (...requestedIds) => [...new Set(requestedIds.filter((id) => id != null))].flatMap((id) => find(id) ?? []);
}
