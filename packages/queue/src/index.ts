export { type Consumer, connectQueues, type Queues, type QueuesOptions } from "./connect-queues.ts";
export { type JobPayload, jobCatalogue, type QueueName, queueNames } from "./job-catalogue.ts";
export { QueueStoreUnsafeError } from "./redis-store.ts";
