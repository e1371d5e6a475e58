export {
  type AlertVerdict,
  type ClaimedAlert,
  claimAlerts,
  listMailboxMessages,
  removeOldAlertMessages,
  settleAlert,
} from "./alert-messages.ts";
export {
  type AlertSettings,
  createAlertSubscriptionRepository,
} from "./alert-subscription-repository.ts";
export { composeNextAlert, readAssignedEntries } from "./compose-alerts.ts";
export { confirmAlert, findAlertByToken, unsubscribeAlert } from "./mail-links.ts";
