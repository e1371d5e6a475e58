export { intervalShare, type PredictedArrival, predictArrival, smoothedOverMs } from "./predict-arrival.ts";
export { isProven, leadTimes, type PredictionAccuracy, provenAccuracy } from "./prediction-accuracy.ts";
