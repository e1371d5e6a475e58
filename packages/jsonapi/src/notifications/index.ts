export { AttemptResource, attemptResource } from "./attempt-resource.ts";
export { ContainerCreatedEventResource } from "./container-created-event-resource.ts";
export { ContainerPodTerminalChangedEventResource } from "./container-pod-terminal-changed-event-resource.ts";
export { ContainerUpdatedEventResource } from "./container-updated-event-resource.ts";
export { WebhookDeliveryResource, webhookDeliveryResource } from "./delivery-resource.ts";
export { EstimatedEventResource } from "./estimated-event-resource.ts";
export { FeedNotificationResource, feedNotificationResource } from "./feed-notification-resource.ts";
export {
  containerCreatedContent,
  containerUpdatedContent,
  demurrageContent,
  estimatedEventContent,
  exceptionContent,
  type NotificationContent,
  podTerminalChangedContent,
  type RelatedResources,
  trackingRequestContent,
  transportEventContent,
  webhookNoticeContent,
} from "./notification-content.ts";
export { NotificationDocument, NotificationExamples, notificationEnvelope } from "./notification-envelope.ts";
export { NotificationResource, notificationResource } from "./notification-resource.ts";
