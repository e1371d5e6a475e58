export { countedInHourAtMost, type DeliveryHour, readDeliveryHours } from "./delivery-hours.ts";
export { type AttemptRecord, createDeliveryLog, type DeliveryLog } from "./delivery-log.ts";
export {
  countedInIntervalAtMost,
  type DeliveryPerformance,
  readDeliveryPerformance,
} from "./delivery-performance.ts";
export { type DeliveryDetails, readDeliveryDetails } from "./delivery-states.ts";
export { createNotificationFeed, type FeedNotification, type NotificationFeed } from "./notification-feed.ts";
export { createNotificationReader, type NotificationReader } from "./notification-reader.ts";
