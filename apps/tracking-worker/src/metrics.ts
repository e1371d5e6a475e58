import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** The metrics of the worker. `inProgress` is read at each scrape. */
export interface TrackingMetrics {
  readonly polls: Counter<"scac" | "outcome">;
  readonly unmappedEvents: Counter<"scac">;
  readonly requests: Counter<"scac">;
  readonly waits: Counter<"scac" | "reason">;
  readonly breakerChanges: Counter<"scac" | "to">;
  readonly checks: Counter<"scac" | "outcome">;
  readonly strandedRequests: Counter;
  readonly aisReports: Counter<"source" | "outcome">;
  readonly archivedShipments: Counter<"outcome">;
  readonly dueLag: Histogram;
  readonly applyDuration: Histogram;
}

export function createMetrics(registry: Registry, inProgress: () => number): TrackingMetrics {
  const registers = [registry];
  new Gauge({
    name: "svc_tracking_subjects_claimed",
    help: "Subjects that this process holds a lease on.",
    registers,
    collect() {
      this.set(inProgress());
    },
  });
  const archivedShipments = new Counter({
    name: "svc_archive_shipments_total",
    help: "Finished shipments whose replies were to be archived, by outcome: archived or failed.",
    labelNames: ["outcome"],
    registers,
  });
  // An alert compares counts: the first failure must be an increase.
  for (const outcome of ["archived", "failed"]) archivedShipments.inc({ outcome }, 0);
  return {
    polls: new Counter({
      name: "svc_tracking_polls_total",
      help: "Finished polls by carrier and outcome.",
      labelNames: ["scac", "outcome"],
      registers,
    }),
    unmappedEvents: new Counter({
      name: "svc_tracking_unmapped_events_total",
      help: "Carrier events that could not be parsed and were skipped.",
      labelNames: ["scac"],
      registers,
    }),
    requests: new Counter({
      name: "svc_carrier_requests_total",
      help: "HTTP requests to carriers, pages and tokens included.",
      labelNames: ["scac"],
      registers,
    }),
    waits: new Counter({
      name: "svc_carrier_waits_total",
      help: "Polls that waited for a permit of their carrier, by reason.",
      labelNames: ["scac", "reason"],
      registers,
    }),
    breakerChanges: new Counter({
      name: "svc_carrier_breaker_changes_total",
      help: "Circuit breakers of credentials that opened or closed.",
      labelNames: ["scac", "to"],
      registers,
    }),
    checks: new Counter({
      name: "svc_carrier_checks_total",
      help: "Checks whether a carrier that was unreachable answers again, by outcome.",
      labelNames: ["scac", "outcome"],
      registers,
    }),
    strandedRequests: new Counter({
      name: "svc_tracking_stranded_requests_total",
      help: "Requests that waited without a scheduled poll and were made due.",
      registers,
    }),
    aisReports: new Counter({
      name: "svc_ais_reports_total",
      help: "Reports of AIS sources by outcome: kept, thinned, untracked, implausible, malformed and others.",
      labelNames: ["source", "outcome"],
      registers,
    }),
    archivedShipments,
    dueLag: new Histogram({
      name: "svc_tracking_due_lag_seconds",
      help: "Delay between the due time of a subject and its claim, on the tracking clock.",
      buckets: [1, 5, 30, 60, 300, 1_800, 7_200, 86_400],
      registers,
    }),
    applyDuration: new Histogram({
      name: "svc_tracking_apply_duration_seconds",
      help: "Duration of applying a reply.",
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
  };
}
