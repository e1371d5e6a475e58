import type { Instant } from "@svc/domain";
import {
  followReport,
  type PositionTrack,
  type StoredVesselPosition,
  trackFrom,
  VesselIdentities,
  type VesselIdentity,
} from "@svc/domain/vessel-positions";
import type { TrackedVessel, VesselPositionRow } from "@svc/persistence/vessel-positions";
import type { AisReport, AisSink } from "./ais-report.ts";

/** Positions that wait for the database, which may be unreachable. Beyond that the oldest are dropped. */
const pendingMax = 10_000;

export interface PendingWrites {
  readonly positions: readonly VesselPositionRow[];
  readonly identities: readonly VesselIdentity[];
}

/**
 * Selects what is stored of the reports of all sources: plausible positions of tracked vessels, thinned, and pairs of
 * IMO number and MMSI that are new. Its memory is bounded by the number of tracked vessels.
 */
export class VesselTracker {
  readonly #now: () => Instant;
  readonly #count: (source: string, outcome: string) => void;
  readonly #identities = new VesselIdentities();
  readonly #vesselIds = new Map<string, string>();
  readonly #tracks = new Map<string, PositionTrack>();
  #positions: VesselPositionRow[] = [];
  readonly #learned = new Map<string, VesselIdentity>();

  constructor(options: { now: () => Instant; count: (source: string, outcome: string) => void }) {
    this.#now = options.now;
    this.#count = options.count;
  }

  /** The IMO numbers of the tracked vessels. */
  imos(): readonly string[] {
    return [...this.#vesselIds.keys()];
  }

  /** Replaces the tracked vessels. What is known of those that stay is kept. */
  track(vessels: readonly TrackedVessel[]): void {
    this.#vesselIds.clear();
    for (const { id, imo, mmsi, latest } of vessels) {
      this.#vesselIds.set(imo, id);
      if (!this.#tracks.has(imo)) this.#tracks.set(imo, trackFrom(latest));
      if (mmsi !== null && this.#identities.mmsiOf(imo) === null) this.#identities.report({ imo, mmsi });
    }
    const imos = new Set(this.#vesselIds.keys());
    this.#identities.retain(imos);
    for (const imo of this.#tracks.keys()) if (!imos.has(imo)) this.#tracks.delete(imo);
  }

  sinkOf(source: string): AisSink {
    return {
      receive: (report) => this.#count(source, this.#receive(source, report)),
      malformed: () => this.#count(source, "malformed"),
    };
  }

  /** Removes and returns the positions and identities to store. */
  take(): PendingWrites {
    const pendingWrites = { positions: this.#positions, identities: [...this.#learned.values()] };
    this.#positions = [];
    this.#learned.clear();
    return pendingWrites;
  }

  /** Adds back positions and identities that could not be stored. */
  putBack({ positions, identities }: PendingWrites): void {
    this.#positions = [...positions, ...this.#positions].slice(-pendingMax);
    for (const pair of identities) if (!this.#learned.has(pair.imo)) this.#learned.set(pair.imo, pair);
  }

  #receive(source: string, report: AisReport): string {
    if (report.kind === "identity") return this.#receiveIdentity(report);
    const imo = this.#identities.imoOf(report.mmsi);
    const vesselId = imo === null ? undefined : this.#vesselIds.get(imo);
    if (imo === null || vesselId === undefined) return "untracked";
    const { kind: _kind, mmsi: _mmsi, ...position } = report;
    const { track, outcome } = followReport(this.#tracks.get(imo) ?? trackFrom(null), position, this.#now());
    this.#tracks.set(imo, track);
    if (outcome === "kept") this.#store({ vesselId, ...position, source });
    return outcome;
  }

  #receiveIdentity({ imo, mmsi }: VesselIdentity): string {
    if (!this.#vesselIds.has(imo)) return "untracked";
    const outcome = this.#identities.report({ imo, mmsi });
    if (outcome === "learned") {
      this.#learned.set(imo, { imo, mmsi });
      // Positions under the former MMSI may be of another vessel.
      this.#tracks.set(imo, { ...(this.#tracks.get(imo) ?? trackFrom(null)), doubted: null });
    }
    return `identity_${outcome}`;
  }

  #store(row: { readonly vesselId: string } & StoredVesselPosition): void {
    if (this.#positions.length >= pendingMax) this.#positions.shift();
    this.#positions.push(row);
  }
}
