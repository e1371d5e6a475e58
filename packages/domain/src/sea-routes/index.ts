export { findSeaRoute, type SeaPort, type SeaRoute } from "./find-sea-route.ts";
export {
  type FuturePosition,
  futureDaysMax,
  futurePositions,
  futurePositionsFrom,
  typicalSpeedKnots,
  type VoyageTimes,
} from "./future-positions.ts";
export { courseDegrees, type Position } from "./great-circle.ts";
export { type Passage, passages } from "./passage.ts";
