import { hourMs, type Instant, msBetween } from "../instant.ts";
import type { SeaRoute } from "../sea-routes/find-sea-route.ts";
import { courseDegrees, type Position, withSteps } from "../sea-routes/great-circle.ts";
import { joinRoute } from "../sea-routes/join-route.ts";
import type { StoredVesselPosition } from "../vessel-positions/vessel-position.ts";
import { splitRoute } from "./split-route.ts";

/** Spacing of positions, so that lines follow great circles on maps that draw straight segments. */
const stepNm = 100;
/** An older AIS position is not drawn: a vessel sails 200 nautical miles in this time. */
const positionAgeMaxMs = 12 * hourMs;
/** A vessel farther from the leg is on another voyage: the carrier reported another vessel than it uses. */
const offRouteMaxNm = 300;

const drawnLines = new WeakMap<SeaRoute, readonly Position[]>();

/** The line of a route as maps draw it, the same one for each call. */
export function drawnLine(route: SeaRoute): readonly Position[] {
  const points = drawnLines.get(route) ?? withSteps(route.points, stepNm);
  drawnLines.set(route, points);
  return points;
}

/** A leg that a vessel has begun. */
export interface StartedLeg {
  readonly points: readonly Position[];
  readonly departedAt: Instant | null;
  readonly expectedAt: Instant | null;
}

export interface LegPosition {
  /** Position reported by the vessel, else interpolated between departure and estimated arrival. */
  readonly position: Position;
  readonly at: Instant;
  /** Age of the position; 0 for an estimated one. */
  readonly ageMs: number;
  /** The AIS report that the position is from; null: the position is estimated. */
  readonly reported: StoredVesselPosition | null;
  /** Positions from the vessel to its next port. */
  readonly ahead: readonly Position[];
}

/**
 * The position of the vessel on a leg.
 * @param reported the newest position that the vessel reported.
 * @returns null without a usable report and without an ETA.
 */
export function positionOnLeg(
  leg: StartedLeg,
  now: Instant,
  reported: StoredVesselPosition | undefined,
): LegPosition | null {
  return reportedPosition(leg, now, reported) ?? estimatedPosition(leg, now);
}

/**
 * Returns the heading, else the course over ground, else the course along the lane, in degrees clockwise from north.
 * Null: the vessel waits before its port.
 */
export function headingOnLeg({ position, ahead, reported }: LegPosition): number | null {
  const [, next] = ahead;
  const alongLane = next === undefined ? null : courseDegrees(position, next);
  return reported?.headingDegrees ?? reported?.courseDegrees ?? alongLane;
}

/** Null without a recent position since the departure, near the leg. */
function reportedPosition(
  { points, departedAt }: StartedLeg,
  now: Instant,
  reported: StoredVesselPosition | undefined,
): LegPosition | null {
  if (departedAt === null || reported === undefined || reported.at < departedAt) return null;
  if (msBetween(reported.at, now) > positionAgeMaxMs) return null;
  const { ahead, offNm } = joinRoute(points, reported.position);
  if (offNm > offRouteMaxNm) return null;
  const { position, at } = reported;
  return { position, at, ageMs: Math.max(0, msBetween(at, now)), reported, ahead };
}

function estimatedPosition({ points, departedAt, expectedAt }: StartedLeg, now: Instant): LegPosition | null {
  if (departedAt === null || expectedAt === null || expectedAt <= departedAt) return null;
  const share = Math.max(0, Math.min(1, msBetween(departedAt, now) / msBetween(departedAt, expectedAt)));
  const { position, ahead } = splitRoute(points, share);
  return { position, at: now, ageMs: 0, reported: null, ahead };
}
