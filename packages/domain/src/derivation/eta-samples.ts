import type { Instant } from "../instant.ts";
import type { DerivedShipmentAttributes } from "./derived-shipment.ts";

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

/** @param changed names of the attributes that changed. */
export function etaSampleChanges(
  changed: ReadonlySet<string>,
  { podEtaAt, podAtaAt, portOfLading, portOfDischarge }: DerivedShipmentAttributes,
): EtaSampleChanges {
  const [from, to] = [portOfLading?.value.locode ?? null, portOfDischarge?.value.locode ?? null];
  const isNewPort = changed.has("portOfDischarge");
  const isEstimate = podEtaAt !== undefined && podAtaAt === undefined && (changed.has("podEtaAt") || isNewPort);
  const isArrival = changed.has("podAtaAt") || (isNewPort && podAtaAt !== undefined);
  return {
    estimate: isEstimate && to !== null ? { from, to, etaAt: podEtaAt.value } : null,
    arrival: isArrival ? { from, to, arrivedAt: podAtaAt?.value ?? null } : null,
  };
}
