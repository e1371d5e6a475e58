import type { ReplicaOptions } from "@svc/persistence";
import type { Logger } from "@svc/service-kit";
import { Counter, Gauge, type Registry } from "prom-client";

/** A replica may become usable and unusable every second: it is logged once a minute. */
const logIntervalMs = 60_000;

/** Reports where GET requests read: in metrics, and in the log when the replica becomes unusable. */
export function createReplicaReport(metrics: Registry, logger: Logger): Omit<ReplicaOptions, "url"> {
  const statements = new Counter({
    name: "svc_api_read_statements_total",
    help: "Statements of GET requests by the server that ran them: primary or replica. Counted with SVC_DATABASE_READ_URL.",
    labelNames: ["server"],
    registers: [metrics],
  });
  const isInUse = new Gauge({
    name: "svc_api_replica_in_use",
    help: "1 while GET requests read from the replica, 0 while all read from the primary or there is no replica.",
    registers: [metrics],
  });
  for (const server of ["primary", "replica"]) statements.inc({ server }, 0);
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  let isLogged = false;
  return {
    onStatement: (server) => statements.inc({ server }),
    onChange(change) {
      isInUse.set(change.isInUse ? 1 : 0);
      if (change.isInUse) {
        if (isLogged) logger.info("database.replica_in_use");
        isLogged = false;
      } else if (performance.now() - loggedAtMs >= logIntervalMs) {
        logger.warn({ err: change.reason }, "database.replica_unused");
        loggedAtMs = performance.now();
        isLogged = true;
      }
    },
  };
}
