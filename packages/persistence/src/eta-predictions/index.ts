export { findPrediction, type ShipmentPrediction } from "./eta-prediction-reader.ts";
export {
  readShipmentsUnderWay,
  type ShipmentUnderWay,
  shipmentsAtOnce,
  storePredictions,
} from "./eta-prediction-store.ts";
