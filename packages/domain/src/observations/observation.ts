import type { TerminalFee, TerminalHold } from "../containers/container.ts";
import type { Instant } from "../instant.ts";
import type { LocalDate } from "../local-time.ts";

export type EventType = "TRANSPORT" | "EQUIPMENT" | "SHIPMENT" | "TERMINAL";
/** DCSA event classifiers: planned, estimated, actual. */
export type Classifier = "PLN" | "EST" | "ACT";
export type TransportMode = "VESSEL" | "RAIL" | "TRUCK" | "BARGE";
export const timePrecisions = ["exact", "local_assumed", "date_only"] as const;
export type TimePrecision = (typeof timePrecisions)[number];
/** The reference service's data_source values (docs/contract/reference.md 2.4). */
export const dataSources = ["shipping_line", "terminal", "ais", "rail"] as const;
export type DataSource = (typeof dataSources)[number];

export interface ObservedVessel {
  readonly imo: string | null;
  readonly name: string | null;
}

/** A call of a means of transport at a place. */
export interface ObservedCall {
  /** The carrier's own id of the call, when it is stable. */
  readonly reference: string | null;
  readonly mode: TransportMode | null;
  readonly vessel: ObservedVessel | null;
  readonly importVoyage: string | null;
  readonly exportVoyage: string | null;
  readonly sequence: number | null;
}

export interface ObservedPlace {
  /** UN/LOCODE as the carrier gave it; aliases are resolved when state is derived. */
  readonly locode: string | null;
  readonly name: string | null;
  readonly facilityCode: string | null;
  /** "SMDG" or "BIC". */
  readonly facilityCodeProvider: string | null;
  /** DCSA facilityTypeCode: POTE, RAMP, DEPO, CLOC, INTE, … */
  readonly facilityType: string | null;
}

/** The party that set the last free day. The three dates can differ, and each has its own attribute. */
export type LastFreeDaySetter = "line" | "terminal" | "rail";

/**
 * One aspect of a terminal's pickup report. Each report is complete and replaces the previous one: null and [] mean
 * none.
 */
export type PickupReport =
  | { readonly aspect: "availability"; readonly isAvailable: boolean }
  | { readonly aspect: "holds"; readonly holds: readonly TerminalHold[] }
  | { readonly aspect: "fees"; readonly fees: readonly TerminalFee[] }
  | { readonly aspect: "last_free_day"; readonly setBy: LastFreeDaySetter; readonly lastFreeDayAt: Instant | null }
  | { readonly aspect: "appointment"; readonly appointmentAt: Instant | null }
  | { readonly aspect: "yard_location"; readonly yardLocation: string | null };

/**
 * One source event, normalized, with the source's DCSA codes. Immutable; the state of a shipment is a pure fold over
 * its observations (`deriveShipment`).
 */
export interface Observation {
  readonly id: string;
  readonly eventType: EventType;
  /** DCSA code: ARRI, DEPA, LOAD, DISC, GTIN, GTOT, CONF, …; for TERMINAL events BERTH or the aspect. */
  readonly code: string;
  readonly classifier: Classifier;
  readonly eventAt: Instant;
  readonly timePrecision: TimePrecision;
  /** The local date of `eventAt`. Absent when neither the time zone nor an offset is known. */
  readonly localDate?: LocalDate | null;
  /**
   * When the source made the report, as given by the source. Newer reports replace older ones of the same series. The
   * name is that of the stored observation and of the API.
   */
  readonly statedAt: Instant | null;
  /**
   * When the file or import that reports it was received: these do not date their reports. Absent for other channels,
   * whose order of processing is that of receipt.
   */
  readonly messageReceivedAt?: Instant;
  /** When we received it. */
  readonly observedAt: Instant;
  readonly sourceEventId: string | null;
  readonly dataSource: DataSource;
  /** Null: it concerns every container of the subject (DCSA transport events name no container). */
  readonly containerNumber: string | null;
  readonly isEmpty: boolean | null;
  readonly isoEquipmentCode: string | null;
  readonly seals: readonly string[];
  readonly place: ObservedPlace;
  readonly call: ObservedCall | null;
  /** DCSA documentTypeCode of a shipment event: BKG, TRD, … */
  readonly documentType: string | null;
  readonly documentId: string | null;
  readonly reason: string | null;
  /** The source retracted the event (DCSA v3 isRetracted), or it is missing from two full replies. */
  readonly retracted: boolean;
  /** The content of a TERMINAL event. */
  readonly pickup?: PickupReport;
  /** The source reports a state without the time since when: `eventAt` and `statedAt` are when we received it. */
  readonly sinceUnknown?: true;
  /** The chassis of a gate move reported by a terminal. */
  readonly chassisNumber?: string | null;
}

/** An observation before it is stored, read from a reply by the carriers package. */
export type ObservationDraft = Omit<Observation, "id" | "observedAt">;

/** When the report was made: as given by the source, else when its message was received, else when it was observed. */
export function reportTimeOf(
  { statedAt, messageReceivedAt }: Pick<Observation, "statedAt" | "messageReceivedAt">,
  observedAt: Instant,
): Instant {
  return statedAt ?? messageReceivedAt ?? observedAt;
}
