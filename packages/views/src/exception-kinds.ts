import type { ExceptionKind } from "@svc/domain/exceptions";
import { eventLabel } from "./event-labels.ts";

/** Labels of kinds. A hold of customs is a kind of its own. */
export const kindLabels: Readonly<Record<ExceptionKind, string>> = {
  last_free_day_over: "Last free day over",
  last_free_day_today: "Last free day today",
  customs_hold: "Customs hold",
  hold: "Other hold",
  missed_transshipment: "Missed transshipment",
  port_of_discharge_changed: "Port of discharge changed",
  tracking_request_failed: "Request failed",
  fee: "Fees",
  late_appointment: "Late appointment",
  last_free_day_soon: "Last free day soon",
  connection_at_risk: "Connection at risk",
  rollover: "Rollover",
  arrival_overdue: "Arrival overdue",
  eta_delay: "ETA delay",
  not_returned: "Not returned",
  carrier_silent: "Carrier silent",
  tracking_request_waiting: "Request waiting",
};

const labels: ReadonlyMap<string, string> = new Map(Object.entries(kindLabels));

/** Label of a kind. During an upgrade, the API may be newer and have a kind without a label: its name. */
export const kindLabel = (kind: string): string => labels.get(kind) ?? eventLabel(kind);
