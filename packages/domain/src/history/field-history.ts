import type { EtaChangeCause } from "../eta-changes/eta-change-cause.ts";
import type { Instant } from "../instant.ts";
import type { DataSource } from "../observations/observation.ts";
import type { ReplyChannel } from "../observations/plan-observation-changes.ts";

/** One value that a tracked attribute of a shipment or container had. */
interface StoredValue {
  readonly id: string;
  /** The attribute, by its name in the domain. */
  readonly field: string;
  readonly value: unknown;
  /** The derivation rule of the value. */
  readonly rule: string;
  readonly dataSource: DataSource;
  /** The observation that it is derived from; null when it is derived from several. */
  readonly observationId: string | null;
  readonly validFrom: Instant;
  /** Null for the current value. */
  readonly supersededAt: Instant | null;
}

/** A value with the one before it. */
export interface FieldChange extends StoredValue {
  /** Null when there was none. */
  readonly previousValue: unknown;
  /** Why the ETA at the port of discharge changed; null for other attributes and for its first value. */
  readonly cause: EtaChangeCause | null;
}

/** A changed attribute of a shipment or container of the account. */
export interface AccountChange extends FieldChange {
  readonly recordType: "shipment" | "container";
  readonly recordId: string;
  /** The container's number, or the shipment's bill of lading. */
  readonly number: string;
  /** The shipment itself, or that of the container. */
  readonly shipmentId: string;
}

/** Value with its source. */
export interface Provenance extends StoredValue {
  /** When the source reported it, according to the source; null when it does not state it. */
  readonly statedAt: Instant | null;
  /** The stored reply that contained the observation. */
  readonly rawReplyId: string | null;
  readonly channel: ReplyChannel | null;
  readonly receivedAt: Instant | null;
}
