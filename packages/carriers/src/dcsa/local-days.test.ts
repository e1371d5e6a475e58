import { describe, expect, test } from "@jest/globals";
import { instant, localDateAt, zoneOffsetMs } from "@svc/domain";
import { deriveShipment } from "@svc/domain/derivation";
import fc from "fast-check";
import { unknownPlaces } from "../place-lookup.ts";
import { toObservations } from "./dcsa-observation.ts";
import { QuirkProfile } from "./quirk-profile.ts";

const container = "SBXU0000019";
const profile = QuirkProfile.parse({});
const places = { canonicalLocode: (locode: string) => locode, kindOf: () => "port" as const, nameOf: () => null };
/** Every time zone from UTC-11 to UTC+14. */
const zones = [...Intl.supportedValuesOf("timeZone"), "Pacific/Kiritimati", "Pacific/Pago_Pago"];

const call = (port: string) => ({
  modeOfTransport: "VESSEL",
  vessel: { vesselIMONumber: "2000016" },
  UNLocationCode: port,
});
const move = (code: string, port: string, eventDateTime: string) => ({
  eventType: "EQUIPMENT",
  eventClassifierCode: "ACT",
  equipmentEventTypeCode: code,
  equipmentReference: container,
  emptyIndicatorCode: "LADEN",
  eventLocation: { UNLocationCode: port },
  eventDateTime,
  ...(code !== "GTOT" && { transportCall: call(port) }),
});

function fullOut(discharge: string, gateOut: string, zone: string | null) {
  const events = [
    move("LOAD", "CNSHA", "2026-01-05T08:00:00+08:00"),
    move("DISC", "XXPOD", discharge),
    move("GTOT", "XXPOD", gateOut),
  ];
  const drafts = events.flatMap(
    (event) => toObservations(event, profile, { ...unknownPlaces, timeZoneOf: () => zone }) ?? [],
  );
  const observations = drafts.map((draft, index) => ({
    ...draft,
    id: `observation-${index}`,
    observedAt: instant("2027-06-01T00:00:00Z"),
  }));
  const timeline = deriveShipment(observations, places).containers[0]?.events ?? [];
  return timeline.find(({ event }) => event === "full_out") ?? null;
}

const second = (epochMs: number): number => Math.floor(epochMs / 1000) * 1000;
const dayBefore = (date: string): string => new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);
const timestamp = fc.integer({ min: Date.UTC(2026, 1, 1), max: Date.UTC(2027, 1, 1) }).map(second);

/** Returns one time as carriers write it: in UTC, with the local offset, or as local time without an offset. */
function spellings(epochMs: number, zone: string): readonly string[] {
  const offsetMs = zoneOffsetMs(zone, epochMs) ?? 0;
  const wall = new Date(epochMs + offsetMs).toISOString().slice(0, 19);
  const minutes = Math.abs(offsetMs) / 60_000;
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const offset = `${offsetMs < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
  return [new Date(epochMs).toISOString(), `${wall}${offset}`, wall];
}

describe("days are compared in local time", () => {
  test("a date-only gate-out on the local day of the discharge counts in every time zone", () => {
    fc.assert(
      fc.property(timestamp, fc.constantFrom(...zones), (epochMs, zone) => {
        const date = localDateAt(instant(epochMs), zone) ?? "";
        for (const discharge of spellings(epochMs, zone)) {
          expect(fullOut(discharge, date, zone)).toMatchObject({ timePrecision: "date_only" });
          expect(fullOut(discharge, dayBefore(date), zone)).toBeNull();
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("the carrier's offset gives the local day where the time zone is unknown", () => {
    expect(fullOut("2026-03-05T23:30:00-08:00", "2026-03-05", null)).not.toBeNull();
    expect(fullOut("2026-03-05T23:30:00-08:00", "2026-03-04", null)).toBeNull();
    expect(fullOut("2026-03-06T03:30:00+13:00", "2026-03-06", null)).not.toBeNull();
    expect(fullOut("2026-03-06T03:30:00+13:00", "2026-03-05", null)).toBeNull();
  });
});
