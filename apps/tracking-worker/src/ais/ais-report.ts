import type { VesselPosition } from "@svc/domain/vessel-positions";

/** Content of one AIS message that tracking uses: the position of a ship, or the hull that transmits under an MMSI. */
export type AisReport =
  | ({ readonly kind: "position"; readonly mmsi: string } & VesselPosition)
  | { readonly kind: "identity"; readonly mmsi: string; readonly imo: string };

/** Receives what a source delivers. Never throws. */
export interface AisSink {
  receive(report: AisReport): void;
  /** A message that cannot be read, or is damaged. It is counted and otherwise ignored. */
  malformed(): void;
}

/** MMSIs and IMO numbers are transmitted as numbers; MMSIs of ships have nine digits. */
export const numberText = (value: number, digits: number): string => String(value).padStart(digits, "0");

interface RawPosition {
  readonly longitude: number;
  readonly latitude: number;
  readonly speedKnots: number;
  readonly courseDegrees: number;
  readonly headingDegrees: number;
}

/** Values outside their range mean "not available" (ITU-R M.1371). Null: the position itself is not available. */
export function availableValues({ longitude, latitude, speedKnots, courseDegrees, headingDegrees }: RawPosition) {
  if (!(Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90)) return null;
  const within = (value: number, end: number): number | null => (value >= 0 && value < end ? value : null);
  return {
    position: [longitude, latitude],
    speedKnots: within(speedKnots, 102.25),
    courseDegrees: within(courseDegrees, 360),
    headingDegrees: within(headingDegrees, 360),
  } as const;
}
