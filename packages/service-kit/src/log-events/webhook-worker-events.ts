import { checkDatabase, type LogEventTable } from "./log-event-table.ts";

const seeLeases = "See [WebhookLeasesExpire](runbooks/webhook-leases-expire.md).";
const seeQueue = "See [WebhookQueueUnavailable](runbooks/webhook-queue-unavailable.md).";
const seeMailServer = "Look in `problem` and `err`, and see [MailFailing](runbooks/mail-failing.md).";

/** Events that only the webhook worker logs. */
export const webhookWorkerEvents = {
  "account.erased": {
    levels: ["info"],
    meaning: "A closed account was erased after its grace period, with all `rows`.",
  },
  "alert.attempted": {
    levels: ["info", "warn"],
    meaning: "An alert was sent, or could not be (`warn`), by the `channel`; `outcome` says whether it is retried.",
    action: "For mails see [MailFailing](runbooks/mail-failing.md). Other channels belong to the account.",
  },
  "alert.not_composed": {
    levels: ["error"],
    meaning: "The message of an alert subscription could not be composed. It is postponed by ten minutes.",
    action:
      "`57014` in `err`: its statement took too long; look for the load of PostgreSQL then. Otherwise, or if it " +
      "repeats for the same subscription, it is a defect: report the line.",
  },
  "alert.not_recorded": {
    levels: ["error"],
    meaning: "The outcome of an alert was not stored: it is sent once more when its lease ends.",
    action: checkDatabase,
  },
  "alerts.not_sent": {
    levels: ["warn"],
    meaning: "Due alerts were not composed or not read. All are sent later.",
    action: checkDatabase,
  },
  "attempts.maintained": {
    levels: ["info"],
    meaning: "Weekly partitions of delivery attempts were created or dropped.",
  },
  "deliveries.held_expired": {
    levels: ["warn"],
    meaning: "Deliveries of paused or disabled webhooks waited longer than the retention and failed.",
    action: "None. Accounts see them as failed.",
  },
  "deliveries.repaired": {
    levels: ["warn"],
    meaning: "Deliveries whose claim had vanished are due again.",
    action: "None after a failover of PostgreSQL. Otherwise it is a defect: report the log of that hour.",
  },
  "delivery.attempted": {
    levels: ["info"],
    meaning: "A notification was sent to a webhook; `outcome`, `status` and `error_class` say with what result.",
  },
  "delivery.route_changed": {
    levels: ["info", "warn"],
    meaning: "Deliveries go through the `queue` again, or `direct` without it (`warn`), which is slower under load.",
    action: seeQueue,
  },
  "leases.expired": {
    levels: ["warn"],
    meaning: "Leases of deliveries expired, because a worker or a job was lost. The deliveries are due again.",
    action: seeLeases,
  },
  "leases.not_renewed": {
    levels: ["warn"],
    meaning: "Leases of deliveries were not renewed. Those that expire are attempted again.",
    action: checkDatabase,
  },
  "maintenance.step_failed": {
    levels: ["warn"],
    meaning:
      "A `step` of maintenance failed. The others ran, and the next hour repeats it (`repairs`: in five minutes).",
    action:
      "If it repeats, look for long transactions: see [DefaultPartitionUsed](runbooks/default-partition-used.md).",
  },
  "mention_mail.attempted": {
    levels: ["info", "warn"],
    meaning: "A mail about a mention or an assignment was sent, or could not be (`warn`; retried if `is_repeated`).",
    action: seeMailServer,
  },
  "mention_mail.not_recorded": {
    levels: ["error"],
    meaning: "The outcome of such a mail was not stored: it is sent once more when its lease ends.",
    action: checkDatabase,
  },
  "mention_mails.not_sent": {
    levels: ["warn"],
    meaning: "Due mails about mentions and assignments were not read. All are sent later.",
    action: checkDatabase,
  },
  "notifications.maintained": {
    levels: ["info"],
    meaning: "Weekly partitions of notifications were created or dropped.",
  },
  "notifications.removed": { levels: ["info"], meaning: "Notifications older than the retention were removed." },
  "outcome.not_recorded": {
    levels: ["error"],
    meaning: "The outcome of an attempt was not stored: the notification is attempted again when its lease expires.",
    action: "None if it ends by itself. Otherwise it is a defect: report the line.",
  },
  "outcomes.retried": {
    levels: ["warn"],
    meaning: "Outcomes of attempts are kept and stored again, because PostgreSQL is unavailable or rows are locked.",
    action: "None if it ends by itself. Otherwise look for the lock in `pg_stat_activity`.",
  },
  "queue.failed": {
    levels: ["warn"],
    meaning: "The connection to the store of the job queue failed. Logged at most once in 10 s for each cause.",
    action: seeQueue,
  },
  "queue.jobs_overdue": {
    levels: ["warn"],
    meaning:
      "Jobs were lost by the queue, or no worker fetched them in time. This process starts their `claims` itself.",
    action: seeLeases,
  },
  "queue.unreachable": {
    levels: ["warn"],
    meaning: "At the start the job queue does not answer. The worker delivers without it until it does.",
    action: seeQueue,
  },
  "relay.failed": {
    levels: ["error"],
    meaning: "Due deliveries were not claimed: none starts until this ends.",
    action: "Look in PostgreSQL for the cause in `err`. See [WebhookBacklogOld](runbooks/webhook-backlog-old.md).",
  },
  "secrets.resealed": { levels: ["info"], meaning: "Secrets were encrypted again with the current key." },
  "secrets.unreadable": {
    levels: ["warn"],
    meaning: "No key in `SVC_SECRET_KEY` decrypts some stored secrets.",
    action:
      "Add the former key ([rotation](webhooks.md#rotating-the-encryption-key)). If it is lost, enter the secrets again.",
  },
  "sign_in_mail.attempted": {
    levels: ["info", "warn"],
    meaning: "A mail about a password was sent, or could not be (`warn`; retried if `is_repeated`).",
    action: seeMailServer,
  },
  "sign_in_mail.not_recorded": {
    levels: ["error"],
    meaning: "The outcome of such a mail was not stored: it is sent once more when its lease ends.",
    action: checkDatabase,
  },
  "sign_in_mails.not_sent": {
    levels: ["warn"],
    meaning: "Due mails about passwords were not read. All are sent later.",
    action: checkDatabase,
  },
  "webhook.backlog_limited": {
    levels: ["warn"],
    meaning: "A webhook had more pending notifications than `limit`: the oldest, `failed` in number, are given up.",
    action: "Inform the account: its receiver is too slow or paused. It can recover the notifications.",
  },
  "webhook.deactivated": {
    levels: ["warn"],
    meaning:
      "A webhook was deactivated for the `reason`. Pending notifications wait, and later events are not recorded for it.",
    action: "None: the account reads the reason with the webhook and activates it again.",
  },
  "webhook_headers.sealed": {
    levels: ["info"],
    meaning: "Headers that an earlier version stored in plain text were encrypted.",
  },
  "webhooks.removed": { levels: ["info"], meaning: "Deleted webhooks without notifications were removed." },
} as const satisfies LogEventTable;
