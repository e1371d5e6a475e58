export {
  followReport,
  keepEveryMs,
  type PositionOutcome,
  type PositionTrack,
  positionOutcomes,
  speedMaxKnots,
  trackFrom,
} from "./position-track.ts";
export { type IdentityOutcome, VesselIdentities, type VesselIdentity } from "./vessel-identities.ts";
export { isShipMmsi, type StoredVesselPosition, type VesselPosition } from "./vessel-position.ts";
