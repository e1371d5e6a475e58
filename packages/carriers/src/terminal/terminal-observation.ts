import { type Instant, instant, localDateAt } from "@svc/domain";
import {
  type ObservationDraft,
  type PickupReport,
  readEventTime,
  type TimePrecision,
  type TransportMode,
} from "@svc/domain/observations";
import type { Visit } from "./terminal-report.ts";

/** Part whose `since` is absent where the terminal reports its present state, but not since when. */
type Undated<Part> = Part extends { readonly since: string } ? Omit<Part, "since"> & { readonly since?: string } : Part;

type Move = Visit["gateMoves"][number];

/** A visit as any terminal reports it. */
export interface ReportedVisit {
  readonly facility: Visit["facility"];
  readonly availability?: Undated<NonNullable<Visit["availability"]>> | undefined;
  readonly holds?: Undated<NonNullable<Visit["holds"]>> | undefined;
  readonly fees?: Undated<NonNullable<Visit["fees"]>> | undefined;
  readonly lastFreeDay?: Undated<NonNullable<Visit["lastFreeDay"]>> | undefined;
  readonly lineLastFreeDay?: Undated<NonNullable<Visit["lineLastFreeDay"]>> | undefined;
  readonly appointment?: Undated<NonNullable<Visit["appointment"]>> | undefined;
  readonly yardLocation?: Undated<NonNullable<Visit["yardLocation"]>> | undefined;
  readonly vesselBerthed?: NonNullable<Visit["vesselBerthed"]> | undefined;
  /** Discharge from the vessel. */
  readonly discharge?: { readonly at: string; readonly timePrecision: TimePrecision } | undefined;
  readonly gateMoves: readonly (Omit<Move, "since" | "mode"> & {
    readonly since?: string;
    /** Null: not known. */
    readonly mode: Move["mode"] | null;
    /** Not set: exact. */
    readonly timePrecision?: TimePrecision;
  })[];
}

/** Converts a terminal's report about a container to observations. */
export function terminalObservations(
  { visits }: { readonly visits: readonly ReportedVisit[] },
  containerNumber: string,
): readonly ObservationDraft[] {
  return visits.flatMap((visit) => [
    ...pickups(visit).map(({ since, pickup }) => pickupDraft(visit, containerNumber, since, pickup)),
    ...(visit.vesselBerthed === undefined ? [] : [berthDraft(visit, containerNumber, visit.vesselBerthed)]),
    ...(visit.discharge === undefined ? [] : [dischargeDraft(visit, containerNumber, visit.discharge)]),
    ...visit.gateMoves.map((move) => gateDraft(visit, containerNumber, move)),
  ]);
}

interface Since {
  readonly since: string | undefined;
  readonly pickup: PickupReport;
}

function pickups(visit: ReportedVisit): readonly Since[] {
  const { availability, holds, fees, lastFreeDay, lineLastFreeDay, appointment, yardLocation } = visit;
  const setBy = isInland(visit) ? "rail" : "terminal";
  const dayAt = (day: string | null): Instant | null =>
    day === null ? null : (readEventTime(day, visit.facility.timeZone)?.at ?? null);
  const reported: (Since | undefined)[] = [
    availability && saying(availability.since, { aspect: "availability", isAvailable: availability.isAvailable }),
    holds &&
      saying(holds.since, {
        aspect: "holds",
        holds: holds.list.map(({ description, ...hold }) => ({ ...hold, description: description ?? null })),
      }),
    fees &&
      saying(fees.since, {
        aspect: "fees",
        fees: fees.list.map(({ currencyCode, ...fee }) => ({ ...fee, currencyCode: currencyCode ?? null })),
      }),
    lastFreeDay && saying(lastFreeDay.since, { aspect: "last_free_day", setBy, lastFreeDayAt: dayAt(lastFreeDay.day) }),
    lineLastFreeDay &&
      saying(lineLastFreeDay.since, {
        aspect: "last_free_day",
        setBy: "line",
        lastFreeDayAt: dayAt(lineLastFreeDay.day),
      }),
    appointment &&
      saying(appointment.since, {
        aspect: "appointment",
        appointmentAt: appointment.at === null ? null : utc(appointment.at),
      }),
    yardLocation && saying(yardLocation.since, { aspect: "yard_location", yardLocation: yardLocation.text }),
  ];
  return reported.filter((one) => one !== undefined);
}

function saying(since: string | undefined, pickup: PickupReport): Since {
  return { since, pickup };
}

/** The time of a state without one is set when the reply is compared with earlier ones. */
const replyTime = instant(0);

function pickupDraft(
  visit: ReportedVisit,
  containerNumber: string,
  since: string | undefined,
  pickup: PickupReport,
): ObservationDraft {
  const content = { eventType: "TERMINAL", code: pickup.aspect.toUpperCase(), pickup } as const;
  if (since === undefined) {
    const undated = base(visit, containerNumber, replyTime, null);
    return { ...undated, localDate: null, ...content, sinceUnknown: true };
  }
  const at = utc(since);
  return { ...base(visit, containerNumber, at, at), ...content };
}

function berthDraft(
  visit: ReportedVisit,
  containerNumber: string,
  berthed: NonNullable<Visit["vesselBerthed"]>,
): ObservationDraft {
  return { ...base(visit, containerNumber, utc(berthed.at), utc(berthed.since)), eventType: "TERMINAL", code: "BERTH" };
}

const callOf = (mode: TransportMode) => ({
  reference: null,
  mode,
  vessel: null,
  importVoyage: null,
  exportVoyage: null,
  sequence: null,
});

function dischargeDraft(
  visit: ReportedVisit,
  containerNumber: string,
  { at, timePrecision }: NonNullable<ReportedVisit["discharge"]>,
): ObservationDraft {
  return {
    ...base(visit, containerNumber, utc(at), null),
    timePrecision,
    eventType: "EQUIPMENT",
    code: "DISC",
    isEmpty: false,
    call: callOf("VESSEL"),
  };
}

function gateDraft(
  visit: ReportedVisit,
  containerNumber: string,
  move: ReportedVisit["gateMoves"][number],
): ObservationDraft {
  return {
    ...base(visit, containerNumber, utc(move.at), move.since === undefined ? null : utc(move.since)),
    timePrecision: move.timePrecision ?? "exact",
    eventType: "EQUIPMENT",
    code: move.direction === "in" ? "GTIN" : "GTOT",
    sourceEventId: move.id ?? null,
    isEmpty: move.isEmpty,
    call: move.mode === null ? null : callOf(move.mode),
    chassisNumber: move.chassisNumber ?? null,
  };
}

function base(visit: ReportedVisit, containerNumber: string, eventAt: Instant, statedAt: Instant | null) {
  const { UNLocationCode, facilityCode, facilityCodeListProvider, facilityTypeCode, name, timeZone } = visit.facility;
  return {
    classifier: "ACT",
    eventAt,
    timePrecision: "exact",
    localDate: localDateAt(eventAt, timeZone),
    statedAt,
    sourceEventId: null,
    dataSource: isInland(visit) ? "rail" : "terminal",
    containerNumber,
    isEmpty: null,
    isoEquipmentCode: null,
    seals: [],
    place: {
      locode: UNLocationCode,
      name: name ?? null,
      facilityCode: facilityCode ?? null,
      facilityCodeProvider: facilityCodeListProvider ?? null,
      facilityType: facilityTypeCode,
    },
    call: null,
    documentType: null,
    documentId: null,
    reason: null,
    retracted: false,
  } as const;
}

function isInland({ facility }: ReportedVisit): boolean {
  return facility.facilityTypeCode !== "POTE";
}

function utc(text: string): Instant {
  return instant(Date.parse(text));
}
