export {
  followReport,
  type PositionTrack,
  trackFrom,
} from "./position-track.ts";
export { VesselIdentities, type VesselIdentity } from "./vessel-identities.ts";
export type { StoredVesselPosition, VesselPosition } from "./vessel-position.ts";
