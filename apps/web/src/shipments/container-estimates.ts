import type { Instant } from "@svc/domain";
import { arrivesSeparately } from "@svc/domain/shipments";
import type { Client } from "@svc/sdk";
import { optionalPartMs } from "../access/api-clients.ts";
import { orNull } from "../http/or-null.ts";
import { type ChangeRecord, type ContainerRecord, type ShipmentRecord, toChangeRecord } from "./api-records.ts";

const changesMax = 100;

/** Whether the ETA of the shipment, which is that of its last container, is not that of this one. */
export const hasOwnEta = (container: ContainerRecord, shipment: Pick<ShipmentRecord, "podEtaAt">): boolean =>
  arrivesSeparately(container) && container.podEtaAt !== shipment.podEtaAt;

/** The ETA history of a container, newest first: until it had an ETA of its own, that of the shipment. */
export function withOwnEstimates(
  own: readonly ChangeRecord[],
  ofShipment: readonly ChangeRecord[],
): readonly ChangeRecord[] {
  const ownSince = own.at(-1)?.validFrom;
  return ownSince === undefined ? [] : [...own, ...ofShipment.filter(({ validFrom }) => validFrom < ownSince)];
}

/** The history of the ETA that a container has, newest first; empty: not available. */
export async function readEstimates(
  api: Client,
  container: ContainerRecord | undefined,
  shipment: ShipmentRecord,
  { ofShipment, asOf }: { readonly ofShipment: readonly ChangeRecord[]; readonly asOf: Instant | null },
): Promise<readonly ChangeRecord[]> {
  if (container === undefined || !hasOwnEta(container, shipment)) return ofShipment;
  const options = { filter: { field: ["pod_eta_at"] }, pageSize: changesMax };
  const history = await orNull(api.containers.history(container.id, options, { timeoutMs: optionalPartMs }));
  const own = (history?.data ?? []).map(toChangeRecord);
  return withOwnEstimates(
    own.filter(({ validFrom }) => asOf === null || validFrom <= asOf),
    ofShipment,
  );
}
