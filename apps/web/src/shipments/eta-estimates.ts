import { type Instant, minuteMs, msBetween } from "@svc/domain";
import { shiftText } from "@svc/views";
import type { ChangeRecord } from "./api-records.ts";

/** An ETA and when it was reported. */
export interface Estimate {
  readonly reportedAt: Instant;
  readonly etaAt: Instant;
  /** Why it differs from the one before. */
  readonly cause: ChangeRecord["cause"];
}

/** The estimates of the arrival at the port, oldest first. */
export function toEstimates(changes: readonly ChangeRecord[]): readonly Estimate[] {
  return changes
    .filter(({ field, value }) => field === "podEtaAt" && typeof value === "string")
    .map(({ validFrom, value, cause }) => ({ reportedAt: validFrom, etaAt: value as Instant, cause }))
    .toReversed();
}

/** "6 h later", counted as the journey counts a delay; "20 min later" below half an hour. */
export function shiftSince(before: Estimate | undefined, { etaAt }: Estimate, zone: string | null): string {
  if (!before) return "first";
  const ms = msBetween(before.etaAt, etaAt);
  const amount = shiftText(before.etaAt, etaAt, zone) ?? `${Math.round(Math.abs(ms) / minuteMs)} min`;
  return `${amount} ${ms < 0 ? "earlier" : "later"}`;
}
