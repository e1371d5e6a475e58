import type { Instant } from "../instant.ts";
import type { CredentialKind } from "./carrier-credentials.ts";

export const connectionStatuses = ["untested", "connected", "rejected", "failing", "not_offered", "inactive"] as const;
export type ConnectionStatus = (typeof connectionStatuses)[number];

/** Why the last question of a connection had no good answer; null after a good one. */
export const connectionErrors = ["rejected", "unreachable", "unrecognized", "throttled", "not_offered"] as const;
export type ConnectionError = (typeof connectionErrors)[number];

/** What became of a connection's questions. */
export interface ConnectionHealth {
  /** HTTP requests of this UTC day, which the carrier's limits are counted against. */
  readonly requestsToday: number;
  readonly answers: number;
  readonly failures: number;
  readonly rejections: number;
  readonly throttles: number;
  /** Answers that could not be understood. */
  readonly unrecognized: number;
  /** Single events that could not be read. */
  readonly skippedEvents: number;
  readonly lastSuccessAt: Instant | null;
  readonly lastErrorAt: Instant | null;
  readonly lastError: ConnectionError | null;
  /** The carrier is left alone: its breaker is open, or it asked for patience. */
  readonly isPaused: boolean;
}

/** An account's own access to one carrier. Its credentials are sealed and never read back. */
export interface CarrierConnection {
  readonly id: string;
  readonly scac: string;
  readonly credentialKind: CredentialKind;
  readonly active: boolean;
  /** What the carrier signs its pushes with. */
  readonly pushSecret: string;
  readonly health: ConnectionHealth;
  readonly rowVersion: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** One word for how a connection does. */
export function connectionStatus({ active, health }: Pick<CarrierConnection, "active" | "health">): ConnectionStatus {
  if (!active) return "inactive";
  const { lastError, lastErrorAt, lastSuccessAt } = health;
  const isFailing = lastErrorAt !== null && (lastSuccessAt === null || lastErrorAt > lastSuccessAt);
  if (!isFailing) return lastSuccessAt === null ? "untested" : "connected";
  if (lastError === "rejected" || lastError === "not_offered") return lastError;
  return lastError === "throttled" ? "connected" : "failing";
}
