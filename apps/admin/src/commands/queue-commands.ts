import { readDeliveryBacklog } from "@svc/persistence/delivery";
import { connectQueues, type QueueName, type Queues, queueNames } from "@svc/queue";
import { Argument, type Command } from "commander";
import { AdminError } from "../admin-error.ts";
import type { AdminContext, AdminSession } from "../admin-session.ts";
import { showRows } from "../show-rows.ts";

async function withQueues<T>(
  { SVC_QUEUE_URL: url, SVC_QUEUE_PREFIX: prefix }: AdminContext["environment"],
  work: (queues: Queues) => Promise<T>,
): Promise<T> {
  if (!url)
    throw new AdminError(2, "SVC_QUEUE_URL is missing: the address of the job queue that the webhook workers have.");
  let queues: Queues;
  try {
    queues = connectQueues({ url, prefix: prefix || "svc", onError: () => undefined });
  } catch (error) {
    throw new AdminError(2, `SVC_QUEUE_URL is not valid: ${(error as Error).message}.`);
  }
  try {
    return await work(queues);
  } catch (error) {
    throw new AdminError(1, `The job queue does not respond (${(error as Error).message}). Check SVC_QUEUE_URL.`);
  } finally {
    await queues.close();
  }
}

export function addQueueCommands(program: Command, session: AdminSession): void {
  const { context } = session;
  const queues = program.command("queues").description("Work with the job queue of webhook deliveries.");
  queues
    .command("list")
    .description("Print the waiting jobs of each queue (SVC_QUEUE_URL), and the backlog in the database.")
    .action(async () => {
      const { pending, oldestDueSeconds, heldWebhooks } = await readDeliveryBacklog(session.database().sql);
      const waiting = await withQueues(context.environment, (open) =>
        Promise.all(queueNames.map(async (queue) => ({ queue, waitingJobs: await open.depth(queue) }))),
      );
      showRows(context, waiting);
      context.writeError(
        `${pending} pending notifications in the database, the oldest due for ${Math.round(oldestDueSeconds)} s; ${heldWebhooks} paused or disabled webhooks with a backlog.\n`,
      );
    });
  queues
    .command("drain")
    .description(
      "Remove the waiting jobs of a queue. No delivery is lost: the database makes the deliveries due again.",
    )
    .addArgument(new Argument("<queue>", "name of the queue").choices(queueNames))
    .requiredOption("--yes", "confirms that deliveries are delayed until their leases expire")
    .action(async (queue: QueueName) => {
      const removed = await withQueues(context.environment, async (open) => {
        const waiting = await open.depth(queue);
        await open.drain(queue);
        return waiting;
      });
      context.writeError(`Removed ${removed} waiting jobs of ${queue}.\n`);
    });
}
