export { type DeliveryLane, slowResponseMs } from "./delivery-lane.ts";
export {
  type AttemptVerdict,
  type DeliveryRecord,
  type DeliveryState,
  deliveryState,
  deliveryStates,
  evaluateAttempt,
  settlementOf,
  successStatuses,
} from "./delivery-lifecycle.ts";
export {
  type EndpointEvaluation,
  endpointConcurrencyMax,
  evaluateEndpoint,
  isSlowEndpoint,
} from "./evaluate-endpoint.ts";
export {
  catalogueEventNames,
  eventCategories,
  isOffered,
  isSubscribed,
  isSubscription,
  notYetSentEventNames,
  unsentEventNames,
  type WebhookEventName,
  webhookEventNames,
} from "./event-catalogue.ts";
export { allowanceOf, type Claimable, fastShares, slowShares } from "./fair-shares.ts";
export { conformingNow, conformsInMs, rateLimitMax, tatAfter } from "./rate-limit.ts";
export { attemptsMax } from "./retry-schedule.ts";
export { type Webhook, type WebhookHeader, webhookFields } from "./webhook.ts";
export type { DeactivationReason } from "./webhook-health.ts";
export { type NoticeKind, noticeKinds, type WebhookNotice } from "./webhook-notice.ts";
