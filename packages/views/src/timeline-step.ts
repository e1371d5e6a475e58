import { type Instant, msBetween } from "@svc/domain";
import type { DataSource, TimePrecision } from "@svc/domain/observations";

/** One line of a container's timeline, actual or estimated. */
export interface TimelineStep {
  /** Name of the milestone, without its family. */
  readonly event: string;
  readonly place: string | null;
  readonly detail: string;
  readonly timeZone: string | null;
  readonly actualAt: Instant | null;
  readonly precision: TimePrecision;
  /** The newest estimate before the event, or the current one. */
  readonly estimatedAt: Instant | null;
  /** The newest plan; without a plan, the first estimate of a port's departure or arrival. */
  readonly plannedAt: Instant | null;
  /** The source that reported the event; null for an estimate. */
  readonly dataSource: DataSource | null;
  /** Why its estimate changed. */
  readonly note?: string | null;
}

/** Whether two times differ enough to show both. */
export const differs = (one: Instant, other: Instant | null): boolean =>
  other === null || Math.abs(msBetween(one, other)) >= 15 * 60_000;
