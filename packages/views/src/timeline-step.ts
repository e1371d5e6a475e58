import type { Instant } from "@svc/domain";
import type { DataSource, TimePrecision } from "@svc/domain/observations";
import type { PlanBasis } from "@svc/domain/transport-events";

/** One line of a container's timeline, actual or estimated. */
export interface TimelineStep {
  /** Name of the milestone, without its family. */
  readonly event: string;
  readonly place: string | null;
  readonly terminal: string | null;
  /** Vessel and voyage, as `voyageText` writes them; null: none is known. */
  readonly voyage: string | null;
  readonly timeZone: string | null;
  readonly actualAt: Instant | null;
  readonly precision: TimePrecision;
  /** The newest estimate before the event, or the current one. */
  readonly estimatedAt: Instant | null;
  /** The newest plan; without a plan, the first estimate of a port's departure or arrival. */
  readonly plannedAt: Instant | null;
  /** Absent or null: no plan is known. */
  readonly planBasis?: PlanBasis | null;
  /** The source that reported the event; null for an estimate. */
  readonly dataSource: DataSource | null;
  /** Why its estimate changed. */
  readonly note?: string | null;
}

/** "EVER GIVEN, voyage 034E"; null when neither is known. */
export const voyageText = (vessel: string | null | undefined, voyage: string | null | undefined): string | null =>
  [vessel, voyage && `voyage ${voyage}`].filter(Boolean).join(", ") || null;
