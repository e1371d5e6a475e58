export { nextPollInterval, pollJitter } from "./next-poll-interval.ts";
export { manifestPollInterval, trackingRetryDelay } from "./retry-delay.ts";
export {
  type Freshness,
  type FreshnessFacts,
  freshnesses,
  type ShipmentFreshness,
  shipmentFreshness,
} from "./shipment-freshness.ts";
export { defaultStopThresholds, type StopThresholds, shipmentStopReason } from "./shipment-stop-reason.ts";
export {
  arrivalNoticeInterval,
  type PickupProgress,
  pickupProgress,
  terminalPollAt,
  terminalPollInterval,
} from "./terminal-polling.ts";
export { carrierReportedAt, landedStatuses, type TrackingProgress, trackingProgress } from "./tracking-progress.ts";
