export { intervalShare, type PredictedArrival, predictArrival, smoothedOverMs } from "./predict-arrival.ts";
export { accuracyShown, isProven, leadTimes, type PredictionAccuracy } from "./prediction-accuracy.ts";
