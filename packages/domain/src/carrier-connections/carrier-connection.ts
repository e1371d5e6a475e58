import type { Instant } from "../instant.ts";
import type { CredentialKind } from "./carrier-credentials.ts";
import type { ConnectionTest } from "./connection-test.ts";

export const connectionStatuses = ["untested", "connected", "rejected", "failing", "not_offered", "inactive"] as const;
export type ConnectionStatus = (typeof connectionStatuses)[number];

/** Why the last poll of a connection failed; null after a success. */
export type ConnectionError = "rejected" | "unreachable" | "unrecognized" | "throttled" | "not_offered";

/** States in which a connection brings no data. */
export type FailingStatus = Extract<ConnectionStatus, "rejected" | "failing" | "not_offered">;

/** How the pages call them. */
export const failingStatusLabels: Readonly<Record<FailingStatus, string>> = {
  rejected: "Credentials rejected",
  failing: "No usable response",
  not_offered: "No address configured",
};

/** Outcomes of a connection's polls. */
export interface ConnectionHealth {
  /** HTTP requests in the current UTC day, counted against the carrier's daily limit. */
  readonly requestsToday: number;
  readonly answers: number;
  readonly failures: number;
  readonly rejections: number;
  readonly throttles: number;
  /** Unrecognized responses. */
  readonly unrecognized: number;
  /** Single events that could not be parsed. */
  readonly skippedEvents: number;
  readonly lastSuccessAt: Instant | null;
  readonly lastErrorAt: Instant | null;
  readonly lastError: ConnectionError | null;
  /** Requests are paused: the circuit breaker is open, or the carrier throttles. */
  readonly isPaused: boolean;
}

/** An account's own access to one carrier. Its credentials are sealed and never read back. */
export interface CarrierConnection {
  readonly id: string;
  readonly scac: string;
  readonly credentialKind: CredentialKind;
  readonly active: boolean;
  /** Secret for the signatures of the carrier's pushes. */
  readonly pushSecret: string;
  readonly health: ConnectionHealth;
  /** A test was requested and has not ended. */
  readonly isTestRunning: boolean;
  /** Null: the present credentials were not tested. */
  readonly lastTest: ConnectionTest | null;
  readonly rowVersion: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/**
 * Returns the status for the last error, while no request has succeeded since. Null: throttled, so the connection
 * works.
 */
export function failingStatus(lastError: ConnectionError | null): FailingStatus | null {
  if (lastError === "throttled") return null;
  return lastError === "rejected" || lastError === "not_offered" ? lastError : "failing";
}

/** Summarizes the health of a connection. Only a success shows that the credentials work. */
export function connectionStatus({ active, health }: Pick<CarrierConnection, "active" | "health">): ConnectionStatus {
  if (!active) return "inactive";
  const { lastError, lastErrorAt, lastSuccessAt } = health;
  const isFailing = lastErrorAt !== null && (lastSuccessAt === null || lastErrorAt > lastSuccessAt);
  return (isFailing && failingStatus(lastError)) || (lastSuccessAt === null ? "untested" : "connected");
}
