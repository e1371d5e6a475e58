import { type Clock, hourMs, type Instant, msBetween } from "@svc/domain";
import type { StopReason } from "@svc/domain/shipments";
import type { StopThresholds } from "@svc/domain/tracking";
import type { WebhookEventName } from "@svc/domain/webhooks";
import type { Database, Sql } from "@svc/persistence";
import type { CachedPlaceDirectory } from "@svc/persistence/reference-data";
import {
  findLiveRequests,
  findTerminalShipment,
  findTrackedShipment,
  type LiveRequest,
  lockCarrierSubject,
  lockSubject,
  type SubjectChange,
  type SubjectClaim,
  type SubjectState,
  type TrackedShipment,
} from "@svc/persistence/tracking";
import type { ShipmentUpdate } from "../notify/shipment-update.ts";
import type { RequestRules } from "./request-lifecycle.ts";

/** A source of terminal data: a terminal, or a carrier that gives arrival notices. */
export interface TerminalAtPlace {
  readonly code: string;
  /** False: it is polled only for accounts with a connection of their own. */
  readonly isShared: boolean;
}

/** The dependencies of every poll. */
export interface TrackingContext {
  readonly database: Database;
  readonly places: CachedPlaceDirectory;
  /** The tracking clock and its speed, as a multiple of real time. */
  readonly clock: Clock & { scale(): number };
  /** The sources of terminal data for a place (UN/LOCODE). */
  readonly terminalsAt: (locode: string) => readonly TerminalAtPlace[];
  /** The carrier as a source of arrival notices; null: it gives none. */
  readonly arrivalNoticesOf: (scac: string) => TerminalAtPlace | null;
  /** UN/LOCODEs of the ports whose terminals a carrier operates; empty for a shipping line. */
  readonly terminalPlaces: (scac: string) => readonly string[];
  /** SCACs of brands, with the SCAC of the carrier whose connection they share. */
  readonly brands: ReadonlyMap<string, string>;
  readonly requestRules: RequestRules;
  readonly stopThresholds: StopThresholds;
  /** Base URL of the API, for the links in notifications. */
  readonly baseUrl: string;
  /** Numbers in [0, 1), for jitter. */
  readonly random: () => number;
}

/** One poll within its transaction, with the subject locked. */
export interface PollTransaction {
  readonly context: TrackingContext;
  readonly sql: Sql;
  readonly claim: SubjectClaim;
  readonly subject: SubjectState;
  readonly now: Instant;
  /** Requests without a shipment. */
  readonly waiting: readonly LiveRequest[];
  /** Requests with a shipment. */
  readonly created: readonly LiveRequest[];
  /** The account's shipment of the number, also one whose tracking ended. */
  readonly shipment: TrackedShipment | null;
  /** Whether this subject polls the shipment. */
  readonly isTracked: boolean;
}

/** A request after the poll, and the event to notify. */
export interface RequestUpdate {
  readonly event: WebhookEventName;
  readonly request: LiveRequest;
}

/** The outcome of a poll that is written when the transaction ends. */
export interface PollEffects {
  /** Null: polling ends. */
  readonly nextPollInMs: number | null;
  readonly requestUpdates: readonly RequestUpdate[];
  readonly shipmentUpdate?: ShipmentUpdate;
  /** Tracking of the shipment ended. */
  readonly stopped?: { readonly at: Instant; readonly reason: StopReason };
  /** Changes of the subject's row. */
  readonly change?: Omit<SubjectChange, "lastAttemptedAt" | "nextPollAt">;
  readonly newFacts?: number;
  /** The subject that tracks the number from now on. The reply was not applied to this one. */
  readonly movedTo?: string;
  /** False: no request was sent to the carrier. Default true. */
  readonly wasPolled?: boolean;
}

/**
 * Locks the subject of a claim and reads its requests and shipment.
 * @returns null when another worker has claimed the subject.
 */
export async function openTransaction(
  context: TrackingContext,
  sql: Sql,
  claim: SubjectClaim,
): Promise<PollTransaction | null> {
  if (claim.kind === "terminal_container") return openTerminalTransaction(context, sql, claim);
  const subject = await lockSubject(sql, claim);
  if (subject === null) return null;
  const { accountId, id, scac } = claim;
  const requests = await findLiveRequests(sql, accountId, id);
  const waiting = requests.filter(({ status }) => status !== "created");
  const created = requests.filter(({ status }) => status === "created");
  const normalizedNumbers = waiting.map(({ normalizedNumber }) => normalizedNumber);
  const shipment = await findTrackedShipment(sql, accountId, { subjectId: id, scac, normalizedNumbers });
  const isTracked = shipment !== null && shipment.lineTrackingStoppedAt === null && shipment.subjectId === id;
  return { context, sql, claim, subject, now: timeAfter(subject, context), waiting, created, shipment, isTracked };
}

async function openTerminalTransaction(
  context: TrackingContext,
  sql: Sql,
  claim: SubjectClaim,
): Promise<PollTransaction | null> {
  await lockCarrierSubject(sql, claim);
  const subject = await lockSubject(sql, claim);
  if (subject === null) return null;
  const shipment = await findTerminalShipment(sql, claim);
  const isTracked = shipment !== null && shipment.lineTrackingStoppedAt === null;
  const now = timeAfter(subject, context);
  return { context, sql, claim, subject, now, waiting: [], created: [], shipment, isTracked };
}

/** Larger differences are an error of a clock, which later transactions must not take over. */
const clockSkewMaxMs = hourMs;

/** The time of a transaction: not before the previous one of its subject, whose worker's clock may have been ahead. */
function timeAfter({ lastAttemptedAt, lastChangedAt }: SubjectState, { clock }: TrackingContext): Instant {
  const now = clock.now();
  const previous = [lastAttemptedAt, lastChangedAt]
    .flatMap((at) => at ?? [])
    .toSorted()
    .at(-1);
  return previous !== undefined && previous > now && msBetween(now, previous) <= clockSkewMaxMs ? previous : now;
}
