/**
 * Records and responses that the reference service does not have, as docs/contract/decisions.md and
 * docs/api/openapi.json declare them. Imports nothing but the client of the reference contract.
 */
import { integer } from "./account-client.ts";
import * as wire from "./reference-client.ts";

export {
  alertSubscription,
  auditEvent,
  carrier,
  carrierConnection,
  containerDemurrage,
  containerEmissions,
  demurrageRule,
  ediFile,
  emissionFactor,
  emissionFactors,
  eventImport,
  savedView,
  shareLink,
} from "./account-client.ts";
export { containerPositions, exportRows } from "./bulk-client.ts";

const { flag, number, object, list, oneOf, optionalTexts, optionalTimes, orNull, resource, text, time } = wire;
const texts = object({});

/** The result of `POST /webhooks/trigger` (docs/contract/reference.md 1.7). */
export const triggered = object({
  url: text,
  succeeded: flag,
  error: orNull(text),
  status_code: orNull(integer),
  request_headers: texts,
  request_body: text,
  response_headers: texts,
  response_body: orNull(text),
});
export const recovered = object({ recovered: integer });
export const refreshed = object({ message: text });

/** The result of `POST /tracking_requests/infer_number` (docs/contract/reference.md 1.1.2). */
const line = object({ scac: text, name: text, confidence: number });
export const inferred = object({
  data: object({
    id: text,
    type: oneOf("infer_number_results"),
    attributes: object({
      number_type: oneOf("container", "bill_of_lading", "booking"),
      validation: object({
        is_valid: orNull(flag),
        type: oneOf("container", "shipment"),
        check_digit_passed: orNull(flag),
        parsed_number: text,
        reason: orNull(text),
      }),
      shipping_line: object({
        decision: oneOf("auto_select", "needs_confirmation", "no_prediction"),
        selected: orNull(line),
        candidates: list(line),
      }),
    }),
  }),
});
export const bulk = object({
  data: list(wire.trackingRequest),
  meta: object({ created: integer, refused: integer, outcomes: list(object({ status: text })) }),
});

/** The route and the map of a container (docs/contract/reference.md 1.3). */
export const route = resource(
  "route",
  { created_at: time, updated_at: time },
  {
    cargo: wire.toOne("container"),
    shipment: wire.toOne("shipment"),
    route_locations: object({ data: list(object({ type: oneOf("route_location"), id: text })) }),
  },
);
/** A line that crosses the antimeridian is cut there (RFC 7946, 3.1.9). */
const feature = object({
  type: oneOf("Feature"),
  geometry: object({ type: oneOf("Point", "LineString", "MultiLineString"), coordinates: list(wire.anything) }),
  properties: object({ feature_type: text }),
});
export const map = object({ type: oneOf("FeatureCollection"), features: list(feature) });

/** Attempts of a notification (docs/contract/decisions.md 3). */
export const attempt = resource(
  "webhook_notification_attempt",
  {
    attempt_number: integer,
    started_at: time,
    duration_ms: orNull(integer),
    outcome: text,
    url: text,
    status_code: orNull(integer),
    request_headers: texts,
    response_headers: orNull(texts),
    ...optionalTexts("error_class", "error_detail", "response_body"),
    ...optionalTimes("next_attempt_at"),
  },
  {},
);
const lastEnd = { status_code: orNull(integer), error_class: orNull(text) };
export const delivery = resource(
  "webhook_delivery",
  {
    event: text,
    delivery_status: text,
    state: text,
    created_at: time,
    prior_attempts: integer,
    body: text,
    ...optionalTexts("webhook_url"),
    ...optionalTimes("next_attempt_at"),
    last_attempt: orNull(object({ attempt_number: integer, ...lastEnd })),
  },
  { webhook: wire.toOne("webhook"), reference_object: object({ data: object({ type: text, id: text }) }) },
);
const attemptCounts = {
  attempts: integer,
  succeeded: integer,
  failed: integer,
  success_rate: orNull(number),
  latency_p50_ms: orNull(integer),
  latency_p95_ms: orNull(integer),
  latency_p99_ms: orNull(integer),
};
export const webhookPerformance = resource(
  "webhook_performance",
  {
    total: object(attemptCounts),
    intervals: list(object({ started_at: time, ended_at: time, ...attemptCounts, is_capped: flag })),
  },
  {},
);
export const webhookStatistics = resource(
  "webhook_statistics",
  {
    hours: list(object({ started_at: time, delivered: integer, failed: integer, pending: integer, is_capped: flag })),
    last_failure: orNull(object({ failed_at: time, ...lastEnd })),
  },
  {},
);
export const notice = resource(
  "webhook_notice",
  {
    kind: text,
    url: text,
    consecutive_failures: integer,
    status_code: orNull(integer),
    created_at: time,
    ...optionalTexts("reason", "error_class"),
    ...optionalTimes("failing_since"),
  },
  { webhook: wire.toOne("webhook") },
);

const changed = {
  field: text,
  changed_at: time,
  data_source: text,
  rule: text,
  ...optionalTimes("superseded_at"),
  ...optionalTexts("source_event_id"),
  cause: orNull(object({ kind: text, summary: text })),
};
export const fieldChange = resource("field_change", changed, {});
export const accountChange = resource(
  "account_change",
  { ...changed, record_type: text, record_id: text, number: text },
  {},
);
export const provenance = resource(
  "provenance",
  {
    field: text,
    since: time,
    data_source: text,
    rule: text,
    ...optionalTimes("superseded_at", "stated_at"),
    ...optionalTexts("source_event_id"),
    raw_reply: orNull(object({ id: text, channel: text, received_at: time })),
  },
  {},
);
export const freshness = resource(
  "freshness",
  {
    ...optionalTexts("freshness"),
    ...optionalTimes(
      "last_attempted_at",
      "last_succeeded_at",
      "last_changed_at",
      "answer_expected_by",
      "news_expected_by",
    ),
  },
  {},
);
const links = object({ data: list(object({ type: text, id: text })) });
export const trackingSummary = resource(
  "tracking_summary",
  {
    ...optionalTexts("freshness"),
    ...optionalTimes("last_changed_at"),
    journey: list(
      object({
        event: text,
        time_precision: text,
        ...optionalTexts(
          "location_name",
          "terminal_name",
          "vessel_name",
          "voyage_number",
          "timezone",
          "plan_basis",
          "data_source",
        ),
        ...optionalTimes("actual_at", "estimated_at", "planned_at"),
      }),
    ),
    last_events: list(object({ container_id: text, event: text, time_precision: text })),
    related_shipments: list(object({ id: text, bill_of_lading_number: text, shared_ref_numbers: list(text) })),
    change_times: list(time),
  },
  {
    shipment: wire.toOne("shipment"),
    containers: links,
    container: wire.toOne("container"),
    exceptions: links,
    eta_changes: links,
    provenance: links,
    container_provenance: links,
  },
);
export const transitTime = resource(
  "transit_time",
  {
    shipping_line_scac: text,
    port_of_lading_locode: text,
    port_of_lading_name: text,
    port_of_discharge_locode: text,
    port_of_discharge_name: text,
    shipments: integer,
    containers: integer,
    mean_transit_days: orNull(number),
    median_transit_days: orNull(number),
    p90_transit_days: orNull(number),
    mean_dwell_days: orNull(number),
    median_dwell_days: orNull(number),
    p90_dwell_days: orNull(number),
    last_arrived_at: time,
  },
  {},
);
export const etaAccuracy = resource(
  "eta_accuracy",
  {
    shipping_line_scac: text,
    port_of_discharge_locode: text,
    shipments: integer,
    estimates: integer,
    mean_error_hours: number,
    mean_absolute_error_hours: number,
    p90_absolute_error_hours: number,
    by_lead_time: list(object({})),
    last_arrived_at: time,
    ...optionalTexts("port_of_lading_locode"),
  },
  {},
);

const overview = {
  status: text,
  bill_of_lading_number: text,
  shipping_line_scac: text,
  ref_numbers: list(text),
  tags: list(text),
  ...optionalTexts("customer_name", "pol_locode", "pol_name", "pod_locode", "pod_name", "pod_timezone", "vessel_name"),
  ...optionalTimes("pol_etd_at", "pol_atd_at", "pod_eta_at", "pod_ata_at", "arrival_at", "tracking_stopped_at"),
  created_at: time,
  updated_at: time,
  delay_days: orNull(integer),
};
export const shipmentOverview = resource(
  "shipment_overview",
  { ...overview, containers_total: integer, containers_on_hold: integer, container_numbers: list(text) },
  {},
);
export const containerOverview = resource(
  "container_overview",
  {
    ...overview,
    container_number: text,
    shipment_id: text,
    available_for_pickup: orNull(flag),
    holds: list(object({})),
  },
  {},
);
export const counts = object({
  data: list(resource("overview_count", { value: orNull(text), count: integer }, {})),
});

const charge = object({ currency_code: orNull(text), amount: number, amount_per_day: number, rated: integer });
const charged = { containers: integer, repeated: integer, unpriced: integer, outdated: integer };
export const charges = object({
  data: list(
    resource(
      "exception_charge",
      { value: orNull(text), ...charged, snoozed: integer, resolved: integer, sums: list(charge) },
      {},
    ),
  ),
});

export const exception = resource(
  "exception",
  {
    kind: text,
    severity: text,
    status: text,
    priority: integer,
    number: text,
    summary: text,
    holds: list(text),
    opened_at: time,
    created_at: time,
    updated_at: time,
    days: orNull(integer),
    ...optionalTexts("shipment_number", "cause", "last_free_day", "resolution", "owner", "note"),
    ...optionalTimes("estimated_arrival_at", "ended_at", "resolved_at", "snoozed_until"),
  },
  {
    shipment: wire.toOneOrNull("shipment"),
    container: wire.toOneOrNull("container"),
    tracking_request: wire.toOneOrNull("tracking_request"),
  },
);
