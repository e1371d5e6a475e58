import type { Instant } from "@svc/domain";
import { type AisReport, availableValues, numberText } from "./ais-report.ts";
import type { MessageBits } from "./message-bits.ts";

/** Offsets of the fields of a position report, in bits from the start (ITU-R M.1371-5, annex 8). */
interface PositionLayout {
  readonly bitsMin: number;
  readonly speed: number;
  readonly longitude: number;
  readonly latitude: number;
  readonly course: number;
  readonly heading: number;
}

const classA: PositionLayout = { bitsMin: 137, speed: 50, longitude: 61, latitude: 89, course: 116, heading: 128 };
const classB: PositionLayout = { bitsMin: 133, speed: 46, longitude: 57, latitude: 85, course: 112, heading: 124 };
const layouts: Readonly<Record<number, PositionLayout>> = { 1: classA, 2: classA, 3: classA, 18: classB, 19: classB };

const [staticBitsMin, longRangeBitsMin, headerBits] = [70, 94, 38];
const longRange = { longitude: 44, latitude: 62, speed: 79, course: 85 } as const;
const notAvailable = -1;

/**
 * Decodes position reports (types 1 to 3, 18, 19, 27) and the static data of class A (type 5). Null: the message has
 * nothing that tracking uses, such as the static data of class B (type 24), which has no IMO number. Undefined: it is
 * too short for its type.
 *
 * @param at when it was received: messages carry only the second of their minute.
 */
export function decodeMessage(bits: MessageBits, at: Instant): AisReport | null | undefined {
  if (bits.length < headerBits) return undefined;
  const type = bits.unsigned(0, 6);
  const mmsi = numberText(bits.unsigned(8, 30), 9);
  const layout = layouts[type];
  if (layout !== undefined) return bits.length < layout.bitsMin ? undefined : positionReport(bits, layout, mmsi, at);
  if (type === 27) return bits.length < longRangeBitsMin ? undefined : longRangeReport(bits, mmsi, at);
  if (type === 5) return bits.length < staticBitsMin ? undefined : identityReport(bits, mmsi);
  return null;
}

function positionReport(bits: MessageBits, layout: PositionLayout, mmsi: string, at: Instant): AisReport | null {
  const values = availableValues({
    longitude: bits.signed(layout.longitude, 28) / 600_000,
    latitude: bits.signed(layout.latitude, 27) / 600_000,
    speedKnots: bits.unsigned(layout.speed, 10) / 10,
    courseDegrees: bits.unsigned(layout.course, 12) / 10,
    headingDegrees: bits.unsigned(layout.heading, 9),
  });
  return values && { kind: "position", mmsi, at, ...values };
}

/** Received by satellites: a tenth of a minute, whole knots and degrees. */
function longRangeReport(bits: MessageBits, mmsi: string, at: Instant): AisReport | null {
  const speedKnots = bits.unsigned(longRange.speed, 6);
  const values = availableValues({
    longitude: bits.signed(longRange.longitude, 18) / 600,
    latitude: bits.signed(longRange.latitude, 17) / 600,
    speedKnots: speedKnots === 63 ? notAvailable : speedKnots,
    courseDegrees: bits.unsigned(longRange.course, 9),
    headingDegrees: notAvailable,
  });
  return values && { kind: "position", mmsi, at, ...values };
}

function identityReport(bits: MessageBits, mmsi: string): AisReport | null {
  const imo = bits.unsigned(40, 30);
  return imo === 0 ? null : { kind: "identity", mmsi, imo: numberText(imo, 7) };
}
