import { z } from "zod";

/** A delivery job is a claim, by its id alone: PostgreSQL has the rest, and no body or secret belongs in a queue. */
const deliveryJob = z.object({
  accountId: z.uuid(),
  /** Deliveries of one webhook, so that a slow endpoint delays only its own. */
  claimId: z.uuid(),
});

/**
 * Every queue with the shape of its jobs. Add members only, and only optional ones, and a sample of each new form to
 * `testing/stored-jobs.json`: jobs of the previous release must still parse.
 */
export const jobCatalogue = {
  "webhook-deliveries": deliveryJob,
  "webhook-deliveries-slow": deliveryJob,
} as const;

export type QueueName = keyof typeof jobCatalogue;
export type JobPayload<Name extends QueueName> = z.infer<(typeof jobCatalogue)[Name]>;

export const queueNames = Object.keys(jobCatalogue) as QueueName[];
