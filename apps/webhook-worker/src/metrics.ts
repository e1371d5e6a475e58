import { type Database, type DeliveryOutcome, deliveryBacklog, type TakenDelivery } from "@svc/persistence";
import { type Queues, queueNames } from "@svc/queue";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

export interface DeliveryMetrics {
  attempted(delivery: TakenDelivery, outcome: DeliveryOutcome): void;
  deactivated(reason: string): void;
  swept(queued: number, lost: number): void;
  routed(route: "queue" | "direct"): void;
}

/** Numbers of the worker; those of the backlog are read from the stores when they are asked for. */
export function createDeliveryMetrics(registry: Registry, database: Database, queues: Queues): DeliveryMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: "svc_webhook_attempts_total",
    help: "Delivery attempts by what came of them.",
    labelNames: ["outcome", "error_class", "endpoint_class"],
    registers,
  });
  const durations = new Histogram({
    name: "svc_webhook_attempt_duration_seconds",
    help: "Time from the beginning of an attempt to the end of its answer.",
    labelNames: ["outcome"],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const delays = new Histogram({
    name: "svc_webhook_first_attempt_delay_seconds",
    help: "Time from the commit of a notification to the beginning of its first attempt.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300],
    registers,
  });
  const deactivations = new Counter({
    name: "svc_webhook_deactivations_total",
    help: "Webhooks that were switched off because their endpoint failed or is gone.",
    labelNames: ["reason"],
    registers,
  });
  const leases = new Counter({
    name: "svc_webhook_ended_leases_total",
    help: "Claims that no worker finished: only queued, or lost with a request under way.",
    labelNames: ["state"],
    registers,
  });
  const usesQueue = new Gauge({
    name: "svc_webhook_queue_in_use",
    help: "1 while jobs go through the queue, 0 while this process delivers without it.",
    registers,
  });
  const oldest = new Gauge({
    name: "svc_webhook_oldest_due_seconds",
    help: "How long the oldest due notification has been waiting, in the queue too; not what is held back for its webhook.",
    registers,
  });
  const held = new Gauge({
    name: "svc_webhook_held_webhooks",
    help: "Webhooks that are paused or switched off while notifications wait for them.",
    registers,
  });
  new Gauge({
    name: "svc_webhook_pending",
    help: "Notifications that are not delivered yet, retries included; counted up to 100000.",
    registers,
    async collect() {
      const backlog = await deliveryBacklog(database.sql).catch(() => null);
      this.set(backlog?.pending ?? Number.NaN);
      oldest.set(backlog?.oldestDueSeconds ?? Number.NaN);
      held.set(backlog?.heldWebhooks ?? Number.NaN);
    },
  });
  new Gauge({
    name: "svc_webhook_queue_depth",
    help: "Jobs that wait in the queue.",
    labelNames: ["queue"],
    registers,
    async collect() {
      for (const queue of queueNames) this.set({ queue }, await queues.depth(queue).catch(() => Number.NaN));
    },
  });
  return {
    attempted({ endpointClass, attemptNumber, createdAt, startedAt }, { verdict, errorClass, durationMs }) {
      const outcome = verdict.outcome;
      attempts.inc({ outcome, error_class: errorClass ?? "none", endpoint_class: endpointClass });
      durations.observe({ outcome }, durationMs / 1000);
      if (attemptNumber === 1) delays.observe((Date.parse(startedAt) - Date.parse(createdAt)) / 1000);
    },
    deactivated: (reason) => deactivations.inc({ reason }),
    swept(queued, lost) {
      leases.inc({ state: "queued" }, queued);
      leases.inc({ state: "lost" }, lost);
    },
    routed: (route) => usesQueue.set(route === "queue" ? 1 : 0),
  };
}
