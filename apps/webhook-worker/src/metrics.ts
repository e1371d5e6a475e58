import type { AlertChannel } from "@svc/domain/alerts";
import type { Database } from "@svc/persistence";
import type { AlertVerdict } from "@svc/persistence/alerts";
import {
  type AttemptOutcome,
  countDefaultPartitionRows,
  type DeliveryAttempt,
  readDeliveryBacklog,
} from "@svc/persistence/delivery";
import { type Queues, queueNames } from "@svc/queue";
import { cacheLookups } from "@svc/service-kit";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

const mailKinds = ["alert", "mention", "assignment", "password_reset", "password_changed"] as const;
const mailOutcomes = ["sent", "retry", "failed"] as const;
export type MailKind = (typeof mailKinds)[number];
/** Counts an attempt to send a mail. */
export type MailMetric = (kind: MailKind, outcome: (typeof mailOutcomes)[number]) => void;

export interface DeliveryMetrics {
  attempted(delivery: DeliveryAttempt, outcome: AttemptOutcome): void;
  deactivated(reason: string): void;
  reclaimed(queued: number, inFlight: number): void;
  repaired(deliveries: number): void;
  routed(route: "queue" | "direct"): void;
  alertSettled(channel: AlertChannel, outcome: AlertVerdict): void;
  readonly mailSettled: MailMetric;
}

/** Reading the backlog of many webhooks takes long, so scrapes share one result. */
const backlogMaxAgeMs = 10_000;
const partitionsMaxAgeMs = 60_000;

function attemptMetrics(registers: Registry[]): Pick<DeliveryMetrics, "attempted" | "deactivated"> {
  const attempts = new Counter({
    name: "svc_webhook_attempts_total",
    help: "Delivery attempts by outcome.",
    labelNames: ["outcome", "error_class", "endpoint_class"],
    registers,
  });
  const durations = new Histogram({
    name: "svc_webhook_attempt_duration_seconds",
    help: "Time from the start of an attempt to the end of its response.",
    labelNames: ["outcome"],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const delays = new Histogram({
    name: "svc_webhook_first_attempt_delay_seconds",
    help: "Time from the commit of a notification to the start of its first attempt.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300],
    registers,
  });
  const deactivations = new Counter({
    name: "svc_webhook_deactivations_total",
    help: "Webhooks that were disabled because their endpoint failed or is gone.",
    labelNames: ["reason"],
    registers,
  });
  return {
    attempted({ endpointClass, attemptNumber, createdAt, startedAt }, { verdict, errorClass, durationMs }) {
      const outcome = verdict.kind;
      attempts.inc({ outcome, error_class: errorClass ?? "none", endpoint_class: endpointClass });
      durations.observe({ outcome }, durationMs / 1000);
      if (attemptNumber === 1) delays.observe((Date.parse(startedAt) - Date.parse(createdAt)) / 1000);
    },
    deactivated: (reason) => deactivations.inc({ reason }),
  };
}

function messageMetrics(registers: Registry[]): Pick<DeliveryMetrics, "alertSettled" | "mailSettled"> {
  const alerts = new Counter({
    name: "svc_alert_messages_total",
    help: "Attempts to send alert messages of accounts, by channel and outcome: sent, retry or failed.",
    labelNames: ["channel", "outcome"],
    registers,
  });
  const mails = new Counter({
    name: "svc_mails_total",
    help: "Attempts to send mails to members and mailboxes, by kind and outcome: sent, retry or failed.",
    labelNames: ["kind", "outcome"],
    registers,
  });
  // A rate does not see the first value of a series, which may be the only mail of the hour.
  for (const kind of mailKinds) for (const outcome of mailOutcomes) mails.inc({ kind, outcome }, 0);
  return {
    alertSettled(channel, outcome) {
      alerts.inc({ channel, outcome });
      if (channel === "email") mails.inc({ kind: "alert", outcome });
    },
    mailSettled: (kind, outcome) => mails.inc({ kind, outcome }),
  };
}

function recoveryMetrics(registers: Registry[]): Pick<DeliveryMetrics, "reclaimed" | "repaired"> {
  const leases = new Counter({
    name: "svc_webhook_expired_leases_total",
    help: "Deliveries whose lease expired because a worker or a job was lost, by state: queued or in_flight.",
    labelNames: ["state"],
    registers,
  });
  const repairs = new Counter({
    name: "svc_webhook_repaired_deliveries_total",
    help: "Deliveries whose claim had vanished, for example in a failover of PostgreSQL, made due again.",
    registers,
  });
  return {
    reclaimed(queued, inFlight) {
      leases.inc({ state: "queued" }, queued);
      leases.inc({ state: "in_flight" }, inFlight);
    },
    repaired: (deliveries) => repairs.inc(deliveries),
  };
}

/** Read from the database on each scrape. */
function backlogMetrics(registers: Registry[], database: Database): void {
  const oldest = new Gauge({
    name: "svc_webhook_oldest_due_seconds",
    help: "Age of the oldest due delivery that has not started, queued ones included; not of paused or disabled webhooks.",
    registers,
  });
  const heldWebhooks = new Gauge({
    name: "svc_webhook_held_webhooks",
    help: "Webhooks that are paused or disabled while deliveries wait for them.",
    registers,
  });
  const readBacklog = cacheLookups(() => readDeliveryBacklog(database.sql), { forMs: backlogMaxAgeMs, atMost: 1 });
  new Gauge({
    name: "svc_webhook_pending",
    help: "Deliveries that are not settled, retries included; counted up to 100000.",
    registers,
    async collect() {
      const backlog = await readBacklog("all").catch(() => null);
      this.set(backlog?.pending ?? Number.NaN);
      oldest.set(backlog?.oldestDueSeconds ?? Number.NaN);
      heldWebhooks.set(backlog?.heldWebhooks ?? Number.NaN);
    },
  });
  const readPartitions = cacheLookups(() => countDefaultPartitionRows(database.sql), {
    forMs: partitionsMaxAgeMs,
    atMost: 1,
  });
  new Gauge({
    name: "svc_default_partition_rows",
    help: "Rows without a partition of their week, by table; counted up to 100000.",
    labelNames: ["table"],
    registers,
    async collect() {
      const counts = await readPartitions("all").catch(() => null);
      for (const { table, rows } of counts ?? []) this.set({ table }, rows);
    },
  });
}

/** The depth is read from the queue on each scrape. */
function queueMetrics(registers: Registry[], queues: Queues): Pick<DeliveryMetrics, "routed"> {
  const usesQueue = new Gauge({
    name: "svc_webhook_queue_in_use",
    help: "1 while jobs go through the queue, 0 while this process delivers without it.",
    registers,
  });
  new Gauge({
    name: "svc_webhook_queue_depth",
    help: "Jobs that wait in the queue.",
    labelNames: ["queue"],
    registers,
    async collect() {
      const depths = await Promise.all(queueNames.map((queue) => queues.depth(queue).catch(() => Number.NaN)));
      for (const [index, queue] of queueNames.entries()) this.set({ queue }, depths[index] ?? Number.NaN);
    },
  });
  return { routed: (route) => usesQueue.set(route === "queue" ? 1 : 0) };
}

/** The metrics of the worker. */
export function createDeliveryMetrics(registry: Registry, database: Database, queues: Queues): DeliveryMetrics {
  const registers = [registry];
  backlogMetrics(registers, database);
  return {
    ...attemptMetrics(registers),
    ...messageMetrics(registers),
    ...recoveryMetrics(registers),
    ...queueMetrics(registers, queues),
  };
}
