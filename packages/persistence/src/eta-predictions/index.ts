export { findPrediction } from "./eta-prediction-reader.ts";
export {
  readShipmentsUnderWay,
  type ShipmentUnderWay,
  shipmentsAtOnce,
  storePredictions,
} from "./eta-prediction-store.ts";
