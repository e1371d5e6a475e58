import type { Clock, Instant, StopThresholds, WebhookEventName } from "@svc/domain";
import type {
  CachedPlaceDirectory,
  Database,
  LiveRequest,
  Sql,
  SubjectChange,
  SubjectClaim,
  SubjectState,
  TrackedShipment,
} from "@svc/persistence";
import type { ShipmentUpdate } from "../notify/shipment-update.ts";
import type { RequestRules } from "./request-lifecycle.ts";

/** What every poll is worked with. */
export interface TrackingContext {
  readonly database: Database;
  readonly places: CachedPlaceDirectory;
  /** The tracking clock, and how much faster than real time it runs. */
  readonly clock: Clock & { scale(): number };
  /** The code of the terminal source that has data of the containers at a place (UN/LOCODE); null: none is connected. */
  readonly terminalAt: (locode: string) => string | null;
  readonly requestRules: RequestRules;
  readonly stopThresholds: StopThresholds;
  /** Of the API, for the links in notifications. */
  readonly baseUrl: string;
  /** Numbers in [0, 1), for jitter. */
  readonly random: () => number;
}

/** One poll within its transaction: the subject is locked, and everything read is as it is now. */
export interface PollTransaction {
  readonly context: TrackingContext;
  readonly sql: Sql;
  readonly claim: SubjectClaim;
  readonly subject: SubjectState;
  readonly now: Instant;
  /** Requests that wait for a shipment. */
  readonly waiting: readonly LiveRequest[];
  /** Requests that have theirs. */
  readonly created: readonly LiveRequest[];
  /** The shipment of the number, if the account has it: also one whose tracking ended. */
  readonly shipment: TrackedShipment | null;
  /** It is polled, and by this subject. */
  readonly isTracked: boolean;
}

/** A request as it is after the poll, and what its subscribers are told. */
export interface RequestUpdate {
  readonly event: WebhookEventName;
  readonly request: LiveRequest;
}

/** What a poll leads to, besides the rows that were written on the way. */
export interface PollEffects {
  /** Null: nothing wants to be polled any more. */
  readonly nextPollInMs: number | null;
  readonly requestUpdates: readonly RequestUpdate[];
  readonly shipmentUpdate?: ShipmentUpdate;
  /** What is kept of the poll with its subject. */
  readonly change?: Omit<SubjectChange, "lastAttemptedAt" | "nextPollAt">;
  readonly newFacts?: number;
  /** The subject that tracks the number from now on: nothing of the reply was applied to this one. */
  readonly movedTo?: string;
  /** False: no question left this process. */
  readonly wasAsked?: boolean;
}
