export { countedInHourMax, readDeliveryHours } from "./delivery-hours.ts";
export { createDeliveryLog } from "./delivery-log.ts";
export {
  countedAtEachEnd,
  readDeliveryPerformance,
} from "./delivery-performance.ts";
export { readDeliveryDetails } from "./delivery-states.ts";
export { createNotificationFeed, type FeedNotification } from "./notification-feed.ts";
export { createNotificationReader } from "./notification-reader.ts";
