export { holdAisSources, releaseAisSources } from "./ais-sources.ts";
export { createVesselPositionReader } from "./vessel-position-reader.ts";
export {
  readTrackedVessels,
  removeOldVesselPositions,
  storeVesselIdentities,
  storeVesselPositions,
  type TrackedVessel,
  type VesselPositionRow,
} from "./vessel-position-store.ts";
