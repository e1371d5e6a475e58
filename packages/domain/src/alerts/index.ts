export { type AlertContent, type AlertEntry, alertEntriesMax } from "./alert-content.ts";
export {
  type AlertChannel,
  type AlertFilter,
  type AlertSchedule,
  type AlertSubscription,
  alertChannels,
  alertFrequencies,
  nextDigestMs,
} from "./alert-subscription.ts";
export { alertRetryDelayMs } from "./delivery-schedule.ts";
