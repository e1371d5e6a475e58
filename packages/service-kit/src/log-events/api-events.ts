import { checkDatabase, type LogEventTable } from "./log-event-table.ts";

/** Events that only the API logs. */
export const apiEvents = {
  "carrier_events.received": {
    levels: ["info"],
    meaning: "A carrier pushed events. The tracking worker applies them as the message `message_id`.",
  },
  "carrier_events.signature_refused": {
    levels: ["warn"],
    meaning: "A push to the connection `connection_id` has no valid signature and was refused.",
    action: "If it repeats, compare the connection's `push_secret` with that of the subscription at the carrier.",
  },
  "database.replica_in_use": { levels: ["info"], meaning: "GET requests read from the replica again." },
  "database.replica_unused": {
    levels: ["warn"],
    meaning: "GET requests read from the primary alone, for the reason in `err`. Logged at most once a minute.",
    action: "See [ReplicaUnused](runbooks/replica-unused.md).",
  },
  "idempotency_keys.not_purged": {
    levels: ["warn"],
    meaning: "Expired responses to requests with an `Idempotency-Key` were not removed.",
    action: checkDatabase,
  },
  "rate_limits.not_refunded": {
    levels: ["warn"],
    meaning: "The charge of a 304 response was not refunded: the client has one request less in its window.",
    action: "As for `rate_limits.store_unreachable`.",
  },
  "rate_limits.store_unreachable": {
    levels: ["warn"],
    meaning: "Redis does not answer. Each process counts the rate limits by itself meanwhile.",
    action: "Start Redis, or correct `REDIS_URL`. Until then a client has the limit once for each process.",
  },
} as const satisfies LogEventTable;
