import type { CarrierAccess } from "../carrier-access.ts";

export const untouchedAccess: CarrierAccess = {
  consecutiveFailures: 0,
  openings: 0,
  openUntil: null,
  probeUntil: null,
  throttles: 0,
  pausedUntil: null,
  nextFreeAt: null,
  day: null,
  dayCount: 0,
  unreachableSince: null,
  nextCheckAt: null,
  failedChecks: 0,
};
