export { connectQueues, type Queues } from "./connect-queues.ts";
export { type JobPayload, type QueueName, queueNames } from "./job-catalogue.ts";
export { queueUrl } from "./queue-url.ts";
export { QueueStoreUnsafeError } from "./redis-store.ts";
