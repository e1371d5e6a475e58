import { readInstant } from "@svc/domain";
import { z } from "zod";
import { type AisReport, type AisSink, availableValues, numberText } from "./ais-report.ts";

const number = z.coerce.number();
const Vessel = z.object({
  MMSI: number.int().positive().max(999_999_999),
  /** Human format: `2021-07-09 08:06:58 GMT`. */
  TIME: z.string().max(40),
  LONGITUDE: number,
  LATITUDE: number,
  SOG: number.default(-1),
  COG: number.default(-1),
  HEADING: number.default(-1),
  IMO: number.int().nonnegative().default(0),
});

/** The status, then the vessels, which are absent when the request was refused. */
const Reply = z.tuple([z.object({ ERROR: z.boolean() }), z.array(z.unknown()).optional()]);

/**
 * Reads a reply of AISHub (`format=1&output=json`).
 *
 * @returns whether the request was accepted; null: the body is no reply of AISHub.
 */
export function readHubReply(text: string, sink: AisSink): boolean | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const reply = Reply.safeParse(value);
  if (!reply.success) return null;
  const [{ ERROR: isRefused }, vessels = []] = reply.data;
  if (isRefused) return false;
  for (const vessel of vessels) {
    const reports = readReports(vessel);
    if (reports === null) sink.malformed();
    else for (const report of reports) sink.receive(report);
  }
  return true;
}

/** Null: it cannot be read. */
function readReports(value: unknown): readonly AisReport[] | null {
  const parsed = Vessel.safeParse(value);
  if (!parsed.success) return null;
  const { MMSI, TIME, LONGITUDE, LATITUDE, SOG, COG, HEADING, IMO } = parsed.data;
  const [, day = "", time = ""] = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) GMT$/.exec(TIME) ?? [];
  const at = readInstant(`${day}T${time}Z`);
  if (at === null) return null;
  const mmsi = numberText(MMSI, 9);
  const values = availableValues({
    longitude: LONGITUDE,
    latitude: LATITUDE,
    speedKnots: SOG,
    courseDegrees: COG,
    headingDegrees: HEADING,
  });
  return [
    ...(IMO === 0 ? [] : [{ kind: "identity", mmsi, imo: numberText(IMO, 7) } as const]),
    ...(values === null ? [] : [{ kind: "position", mmsi, at, ...values } as const]),
  ];
}
