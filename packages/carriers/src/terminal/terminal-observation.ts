import { type Instant, instant, localDateAt } from "@svc/domain";
import { type ObservationDraft, type PickupReport, readEventTime } from "@svc/domain/observations";
import type { TerminalReport, Visit } from "./terminal-report.ts";

/** Converts a terminal's report about a container to observations. */
export function terminalObservations({ visits }: TerminalReport, containerNumber: string): readonly ObservationDraft[] {
  return visits.flatMap((visit) => [
    ...pickups(visit).map(({ since, pickup }) => pickupDraft(visit, containerNumber, since, pickup)),
    ...(visit.vesselBerthed === undefined ? [] : [berthDraft(visit, containerNumber, visit.vesselBerthed)]),
    ...visit.gateMoves.map((move) => gateDraft(visit, containerNumber, move)),
  ]);
}

interface Since {
  readonly since: string;
  readonly pickup: PickupReport;
}

function pickups(visit: Visit): readonly Since[] {
  const { availability, holds, fees, lastFreeDay, lineLastFreeDay, appointment, yardLocation } = visit;
  const setBy = isInland(visit) ? "rail" : "terminal";
  const dayAt = (day: string | null): Instant | null =>
    day === null ? null : (readEventTime(day, visit.facility.timeZone, false)?.at ?? null);
  const said: (Since | undefined)[] = [
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
  return said.filter((one) => one !== undefined);
}

function saying(since: string, pickup: PickupReport): Since {
  return { since, pickup };
}

function pickupDraft(visit: Visit, containerNumber: string, since: string, pickup: PickupReport): ObservationDraft {
  const at = utc(since);
  return { ...base(visit, containerNumber, at, at), eventType: "TERMINAL", code: pickup.aspect.toUpperCase(), pickup };
}

function berthDraft(
  visit: Visit,
  containerNumber: string,
  berthed: NonNullable<Visit["vesselBerthed"]>,
): ObservationDraft {
  return { ...base(visit, containerNumber, utc(berthed.at), utc(berthed.since)), eventType: "TERMINAL", code: "BERTH" };
}

function gateDraft(visit: Visit, containerNumber: string, move: Visit["gateMoves"][number]): ObservationDraft {
  const call = {
    reference: null,
    mode: move.mode,
    vessel: null,
    importVoyage: null,
    exportVoyage: null,
    sequence: null,
  };
  return {
    ...base(visit, containerNumber, utc(move.at), utc(move.since)),
    eventType: "EQUIPMENT",
    code: move.direction === "in" ? "GTIN" : "GTOT",
    sourceEventId: move.id ?? null,
    isEmpty: move.isEmpty,
    call,
    chassisNumber: move.chassisNumber ?? null,
  };
}

function base(visit: Visit, containerNumber: string, eventAt: Instant, statedAt: Instant) {
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

function isInland({ facility }: Visit): boolean {
  return facility.facilityTypeCode !== "POTE";
}

function utc(text: string): Instant {
  return instant(Date.parse(text));
}
