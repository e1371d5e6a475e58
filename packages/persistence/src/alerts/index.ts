export {
  type ClaimedAlert,
  claimAlerts,
  removeOldAlertMessages,
  settleAlert,
} from "./alert-messages.ts";
export {
  type AlertSettings,
  createAlertSubscriptionRepository,
} from "./alert-subscription-repository.ts";
export { composeNextAlert, readAssignedEntries } from "./compose-alerts.ts";
export { findAlertByToken, unsubscribeAlert } from "./unsubscribe.ts";
