export { EventCategoryResource, eventCategoryResources } from "./event-category-resource.ts";
export { TriggerResult, triggerBody, triggerResult } from "./trigger-result.ts";
export {
  capitalizeHeaderName,
  createWebhookDocument,
  editWebhookDocument,
  RecoverResult,
  recoverBody,
} from "./webhook-documents.ts";
export { WebhookNoticeResource, webhookNoticeResource } from "./webhook-notice-resource.ts";
export {
  WebhookPerformanceResource,
  webhookPerformanceResource,
} from "./webhook-performance-resource.ts";
export { WebhookResource, webhookResource } from "./webhook-resource.ts";
export {
  type WebhookStatistics,
  WebhookStatisticsResource,
  webhookStatisticsResource,
} from "./webhook-statistics-resource.ts";
