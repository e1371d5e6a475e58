import { normalizeContainerNumber } from "@svc/domain/identifiers";
import type { Client } from "@svc/sdk";
import { type Html, html } from "@svc/views";

export interface TrackedShipment {
  readonly id: string;
  readonly number: string;
}

/** Half of the rows that the API lists at once: few containers are in more than two shipments. */
const numberBatchMax = 50;

/**
 * Shipments that are tracked now, by the number of a container that they have. Tracking such a container by its own
 * number lists and prices it twice. Without shipments that are tracked by the container number: the API refuses it
 * itself.
 */
export async function findTrackedContainers(
  api: Client,
  containerNumbers: readonly string[],
): Promise<ReadonlyMap<string, TrackedShipment>> {
  const numbers = [...new Set(containerNumbers.map(normalizeContainerNumber))];
  const parts = Array.from({ length: Math.ceil(numbers.length / numberBatchMax) }, (_, index) =>
    numbers.slice(index * numberBatchMax, (index + 1) * numberBatchMax),
  );
  const options = { format: "mapped", include: ["shipment"] } as const;
  const pages = await Promise.all(
    parts.map((number) =>
      api.containers.list({ filter: { number, trackingStopped: false }, pageSize: 2 * numberBatchMax }, options),
    ),
  );
  const found = pages.flatMap(({ items }) =>
    items.map(
      ({ number, shipment: { id, billOfLading } }) => [number, { id, number: billOfLading ?? number }] as const,
    ),
  );
  return new Map(found.filter(([container, { number }]) => normalizeContainerNumber(number) !== container));
}

/** A few shipments that are tracked now, and have a container of the number, except the given one. */
export async function findOtherShipments(
  api: Client,
  containerNumber: string,
  shipmentId: string,
): Promise<readonly TrackedShipment[]> {
  const parameters = { filter: { number: containerNumber, trackingStopped: false }, pageSize: 5 };
  const { items } = await api.containers.list(parameters, { format: "mapped", include: ["shipment"] });
  return items
    .map(({ number, shipment: { id, billOfLading } }) => ({ id, number: billOfLading ?? number }))
    .filter(({ id }) => id !== shipmentId);
}

/** "Container SBXU7144810 is already tracked with shipment SBXARW600696." */
export const alreadyTrackedWith = (containerNumber: string, { id, number }: TrackedShipment): Html =>
  html`Container <span class="number">${normalizeContainerNumber(containerNumber)}</span> is already tracked with
    shipment <a class="number" href="/shipments/${id}">${number}</a>.`;
