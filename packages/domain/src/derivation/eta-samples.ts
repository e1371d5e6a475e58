import type { Instant } from "../instant.ts";
import type { DerivedShipment } from "./derived-shipment.ts";

/** Changes to the ETA samples of a shipment that follow from its new state. Places are UN/LOCODEs. */
export interface EtaSampleChanges {
  /** A new ETA, or the ETA at another port, while the vessel is under way. */
  readonly estimate: { readonly from: string | null; readonly to: string; readonly etaAt: Instant } | null;
  /** A new, corrected or withdrawn (null) arrival: closes the samples of its port and reopens those of other ports. */
  readonly arrival: {
    readonly from: string | null;
    readonly to: string | null;
    readonly arrivedAt: Instant | null;
  } | null;
}

/**
 * The arrival that the ETA of a shipment is compared with. The ETA of a split shipment is that of its last container,
 * so it has arrived when all of its containers have.
 */
function comparedArrival({ attributes, containers }: DerivedShipment): Instant | null {
  const separate = containers.filter((container) => container.attributes.podEtaAt !== undefined);
  if (separate.length === 0) return attributes.podAtaAt?.value ?? null;
  const arrivals = separate.map(
    ({ attributes: { podArrivedAt, podDischargedAt } }) => (podArrivedAt ?? podDischargedAt)?.value ?? null,
  );
  return arrivals.includes(null) ? null : (arrivals.toSorted().at(-1) ?? null);
}

/** Names of the attributes that changed, of the shipment and of any of its containers. */
export interface ChangedFields {
  readonly shipment: ReadonlySet<string>;
  readonly containers: ReadonlySet<string>;
}

/** Whether the arrivals of containers, or whether they arrive separately, may change that of the shipment. */
const changesWithContainers = ({ containers }: DerivedShipment, changed: ReadonlySet<string>): boolean =>
  changed.has("podEtaAt") ||
  ((changed.has("podArrivedAt") || changed.has("podDischargedAt")) &&
    containers.some(({ attributes }) => attributes.podEtaAt !== undefined));

export function etaSampleChanges(derived: DerivedShipment, changed: ChangedFields): EtaSampleChanges {
  const { podEtaAt, portOfLading, portOfDischarge } = derived.attributes;
  const arrivedAt = comparedArrival(derived);
  const [from, to] = [portOfLading?.value.locode ?? null, portOfDischarge?.value.locode ?? null];
  const isNewPort = changed.shipment.has("portOfDischarge");
  const isEstimate = podEtaAt !== undefined && arrivedAt === null && (changed.shipment.has("podEtaAt") || isNewPort);
  const isArrival =
    changed.shipment.has("podAtaAt") ||
    changesWithContainers(derived, changed.containers) ||
    (isNewPort && arrivedAt !== null);
  return {
    estimate: isEstimate && to !== null ? { from, to, etaAt: podEtaAt.value } : null,
    arrival: isArrival ? { from, to, arrivedAt } : null,
  };
}
