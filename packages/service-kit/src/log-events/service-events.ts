import type { LogEventTable } from "./log-event-table.ts";

/** Events that several services log. */
export const serviceEvents = {
  "clock.unreachable": {
    levels: ["warn"],
    meaning:
      "The accelerated clock of the sandbox carrier (`SVC_CLOCK_URL`) cannot be read; time goes on as last read.",
    action: "Start the sandbox carrier. Remove the variable where real carriers are polled.",
  },
  "configuration.variable_unknown": {
    levels: ["warn"],
    meaning:
      "`variable` begins with `SVC_` and is read by no service or command; `nearest` may be the name that was meant.",
    action: "Correct the name, or remove the variable ([configuration](configuration.md)).",
  },
  "database.connection_lost": {
    levels: ["warn"],
    meaning: "PostgreSQL, or a proxy before it, closed an idle connection. The next statement opens another one.",
    action: "None after a restart or a failover. Otherwise look for a timeout of idle connections on the way.",
  },
  "readiness.failed": {
    levels: ["warn"],
    meaning: "The dependency `check` fails for the reason in `err`, and `/readyz` is 503.",
    action: "Restore the dependency; `svc-admin doctor` checks database, queue and secret key.",
  },
  "readiness.restored": { levels: ["info"], meaning: "The dependency `check` can be used again." },
  "request.completed": {
    levels: ["info"],
    meaning: "A request ended, with its status, its duration and the `request_id` that the client received.",
  },
  "request.failed": {
    levels: ["error"],
    meaning: "A request ended with an unexpected error, `err`.",
    action:
      "None while a dependency is unavailable (`readiness.failed`). Otherwise it is a defect: see [ApiErrorBudgetFastBurn](runbooks/api-error-budget-fast-burn.md).",
  },
  "service.stalled": {
    levels: ["fatal"],
    meaning: "The `loops` made no progress for too long. The process ends, so that its supervisor restarts it.",
    action:
      "Look for a statement or a disk that hung then. If it repeats, see [ServiceDown](runbooks/service-down.md).",
  },
  "service.start_failed": {
    levels: ["fatal"],
    meaning: "A worker that waited for the database could not start, for the reason in `err`. The process ends.",
    action: "As for a process that ends at once: correct the variable or the dependency that `err` names.",
  },
  "service.started": { levels: ["info"], meaning: "The service accepts requests at `host` and `port`." },
  "service.stopped": { levels: ["info"], meaning: "All work in progress ended, and the process ends." },
  "service.stopping": {
    levels: ["info"],
    meaning: "The `signal` arrived: readiness fails, work in progress finishes.",
  },
  "service.unhandled_rejection": {
    levels: ["fatal"],
    meaning: "No code handled the error `err`. The process ends, so that its supervisor restarts it.",
    action: "It is a defect: report the line.",
  },
  "service.waiting": {
    levels: ["warn"],
    meaning:
      "A worker claims nothing yet: the database is not ready, for the reason in `err`. It is checked each second.",
    action: "If it lacks a migration, run the migrations of this version.",
  },
  "traces.not_sent": {
    levels: ["warn"],
    meaning: "The collector did not accept spans, which are dropped. Nothing else is affected.",
    action: "Check the collector and `OTEL_EXPORTER_OTLP_ENDPOINT` ([observability](observability.md#traces)).",
  },
} as const satisfies LogEventTable;
