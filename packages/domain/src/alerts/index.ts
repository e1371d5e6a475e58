export { type AlertContent, type AlertEntry, alertEntriesMax } from "./alert-content.ts";
export { alertSettings } from "./alert-settings.ts";
export {
  type AlertChannel,
  type AlertSchedule,
  type AlertSubscription,
  type AlertSubscriptionSettings,
  alertChannels,
  alertFrequencies,
  alertSettingFields,
  alertSubscriptionFields,
  nextDigestMs,
} from "./alert-subscription.ts";
export { alertRetryDelayMs } from "./delivery-schedule.ts";
