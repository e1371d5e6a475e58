export { findPrediction } from "./eta-prediction-reader.ts";
export {
  readShipmentsUnderWay,
  type ShipmentUnderWay,
  shipmentBatchMax,
  storePredictions,
} from "./eta-prediction-store.ts";
