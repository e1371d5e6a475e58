import type { Instant } from "../instant.ts";
import type { DerivedShipmentAttributes } from "./derived-shipment.ts";

/** Changes to the ETA samples of a shipment that follow from its new state. Places are UN/LOCODEs. */
export interface EtaSampleChanges {
  /** An estimate of the arrival that is told, or told of another port, while the vessel is under way. */
  readonly told: { readonly from: string | null; readonly to: string; readonly etaAt: Instant } | null;
  /** The arrival, also one that is put right or, with null, withdrawn: it closes the samples of its port, and opens all others. */
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
  const isTold = podEtaAt !== undefined && podAtaAt === undefined && (changed.has("podEtaAt") || isNewPort);
  const isArrival = changed.has("podAtaAt") || (isNewPort && podAtaAt !== undefined);
  return {
    told: isTold && to !== null ? { from, to, etaAt: podEtaAt.value } : null,
    arrival: isArrival ? { from, to, arrivedAt: podAtaAt?.value ?? null } : null,
  };
}
