import { readInstant } from "@svc/domain";
import { z } from "zod";
import { type AisReport, type AisSink, availableValues, numberText } from "./ais-report.ts";

/** Types of messages of the stream that are requested: positions of class A and B, and static data of class A. */
export const streamMessageTypes = [
  "PositionReport",
  "StandardClassBPositionReport",
  "ExtendedClassBPositionReport",
  "LongRangeAisBroadcastMessage",
  "ShipStaticData",
] as const;

const Position = z.object({
  Longitude: z.number(),
  Latitude: z.number(),
  Sog: z.number().default(-1),
  Cog: z.number().default(-1),
  TrueHeading: z.number().default(-1),
});
const StaticData = z.object({ ImoNumber: z.number().int().nonnegative() });
const Envelope = z.object({
  MessageType: z.enum(streamMessageTypes),
  MetaData: z.object({ MMSI: z.number().int().positive().max(999_999_999), time_utc: z.string().max(60) }),
  Message: z.record(z.string(), z.unknown()),
});

/** Message by which the stream refuses a subscription, for example for a wrong key. */
const Refusal = z.object({ error: z.string() });

/** The stream has refused the subscription. The message holds no text of the server. */
class SubscriptionRefused extends Error {
  override name = "SubscriptionRefused";
}

/** `2022-12-29 18:22:32.318353 +0000 UTC` as an Instant. */
function timeOf(text: string) {
  const [, day = "", time = ""] = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?) \+0000 UTC$/.exec(text) ?? [];
  return readInstant(`${day}T${time}Z`);
}

/** Reads one message of the stream. Throws SubscriptionRefused. */
export function readStreamMessage(text: string, sink: AisSink): void {
  const value = parse(text);
  if (Refusal.safeParse(value).success) {
    throw new SubscriptionRefused("The stream refused the subscription: check apiKey and boundingBoxes.");
  }
  const report = readReport(value);
  if (report === undefined) sink.malformed();
  else if (report !== null) sink.receive(report);
}

/** Undefined: the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Null: it contains nothing that tracking uses. Undefined: it cannot be read. */
function readReport(value: unknown): AisReport | null | undefined {
  const envelope = Envelope.safeParse(value);
  if (!envelope.success) return undefined;
  const { MessageType: type, MetaData: about, Message: message } = envelope.data;
  const mmsi = numberText(about.MMSI, 9);
  if (type === "ShipStaticData") {
    const body = StaticData.safeParse(message[type]);
    if (!body.success) return undefined;
    const { ImoNumber: imo } = body.data;
    return imo === 0 ? null : { kind: "identity", mmsi, imo: numberText(imo, 7) };
  }
  const body = Position.safeParse(message[type]);
  const at = timeOf(about.time_utc);
  if (!body.success || at === null) return undefined;
  const { Longitude: longitude, Latitude: latitude, Sog: speedKnots, Cog: courseDegrees, TrueHeading } = body.data;
  const values = availableValues({ longitude, latitude, speedKnots, courseDegrees, headingDegrees: TrueHeading });
  return values && { kind: "position", mmsi, at, ...values };
}
