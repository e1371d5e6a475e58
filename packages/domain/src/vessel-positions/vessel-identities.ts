import { isValidImoNumber } from "../identifiers/index.ts";
import { isShipMmsi } from "./vessel-position.ts";

/** Consecutive reports of a pair that contradicts a known one after which the new pair replaces it. */
const replacedAfter = 3;

export interface VesselIdentity {
  readonly imo: string;
  readonly mmsi: string;
}

/**
 * - known: the pair was known already.
 * - learned: the pair is known from now on; a former pair of either number is not.
 * - contradicts: one of the numbers is known as part of another pair. The vessel has changed its flag, two vessels
 *   transmit one number, or the crew entered a wrong one; it is not known which yet.
 * - invalid: one of the numbers cannot exist.
 */
export type IdentityOutcome = "known" | "learned" | "contradicts" | "invalid";

/**
 * The pairs of IMO number and MMSI that vessels transmit. An IMO number stays with the hull; the MMSI changes with the
 * flag. Each number is part of at most one pair.
 */
export class VesselIdentities {
  readonly #mmsiByImo = new Map<string, string>();
  readonly #imoByMmsi = new Map<string, string>();
  /** Pairs that contradict, by MMSI, with the number of reports in a row. */
  readonly #contradictions = new Map<string, { readonly imo: string; readonly count: number }>();

  constructor(known: Iterable<VesselIdentity> = []) {
    for (const pair of known) this.#learn(pair);
  }

  /** Null: unknown, or disputed. */
  imoOf(mmsi: string): string | null {
    return this.#contradictions.has(mmsi) ? null : (this.#imoByMmsi.get(mmsi) ?? null);
  }

  mmsiOf(imo: string): string | null {
    return this.#mmsiByImo.get(imo) ?? null;
  }

  report({ imo, mmsi }: VesselIdentity): IdentityOutcome {
    if (!isValidImoNumber(imo) || !isShipMmsi(mmsi)) return "invalid";
    const knownMmsi = this.#mmsiByImo.get(imo);
    if (knownMmsi === mmsi) {
      this.#contradictions.delete(mmsi);
      return "known";
    }
    if (knownMmsi !== undefined || this.#imoByMmsi.has(mmsi)) {
      const before = this.#contradictions.get(mmsi);
      const count = before?.imo === imo ? before.count + 1 : 1;
      if (count < replacedAfter) {
        this.#contradictions.set(mmsi, { imo, count });
        return "contradicts";
      }
    }
    this.#learn({ imo, mmsi });
    return "learned";
  }

  /** Removes what concerns no vessel of the set, so that memory is bounded by the tracked vessels. */
  retain(imos: ReadonlySet<string>): void {
    for (const [imo, mmsi] of this.#mmsiByImo) if (!imos.has(imo)) this.#forget(imo, mmsi);
    for (const [mmsi, { imo }] of this.#contradictions) if (!imos.has(imo)) this.#contradictions.delete(mmsi);
  }

  #learn({ imo, mmsi }: VesselIdentity): void {
    const formerMmsi = this.#mmsiByImo.get(imo);
    const formerImo = this.#imoByMmsi.get(mmsi);
    if (formerMmsi !== undefined) this.#forget(imo, formerMmsi);
    if (formerImo !== undefined) this.#forget(formerImo, mmsi);
    this.#mmsiByImo.set(imo, mmsi);
    this.#imoByMmsi.set(mmsi, imo);
    this.#contradictions.delete(mmsi);
  }

  #forget(imo: string, mmsi: string): void {
    this.#mmsiByImo.delete(imo);
    this.#imoByMmsi.delete(mmsi);
    this.#contradictions.delete(mmsi);
  }
}
