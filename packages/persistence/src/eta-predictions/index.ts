export { findPrediction, type ShipmentPrediction } from "./eta-prediction-reader.ts";
export { readShipmentsUnderWay, type ShipmentUnderWay, storePredictions } from "./eta-prediction-store.ts";
