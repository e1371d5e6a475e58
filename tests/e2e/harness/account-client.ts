/** Records of an account that the reference service does not have: links, connections, alerts, rules, files. */
import * as wire from "./reference-client.ts";

const { flag, number, object, list, optionalTexts, optionalTimes, orNull, resource, text, time } = wire;

/** Reads an integer. */
export const integer = (value: unknown, at: string): number => {
  const parsed = number(value, at);
  if (!Number.isInteger(parsed)) throw new TypeError(`${at} is ${parsed}, not a whole number.`);
  return parsed;
};

export const shareLink = resource(
  "share_link",
  {
    shipment_number: text,
    status: text,
    shows_references: flag,
    shows_fees: flag,
    opened_count: integer,
    created_at: time,
    ...optionalTexts("url", "created_by"),
    ...optionalTimes("expires_at", "revoked_at", "last_opened_at"),
  },
  { shipment: wire.toOneOrNull("shipment") },
);
export const auditEvent = resource(
  "audit_event",
  {
    action: text,
    actor_type: text,
    subject_type: text,
    changes: object({}),
    created_at: time,
    ...optionalTexts("actor_id", "actor_name", "subject_id", "subject_name"),
  },
  {},
);
export const carrier = resource(
  "carrier",
  {
    scac: text,
    name: text,
    alternative_scacs: list(text),
    portal_url: text,
    connection: text,
    has_address: flag,
    terms: list(text),
    notes: list(text),
    verified: text,
    credential_choices: list(object({})),
    ...optionalTexts("connection_id", "connection_status"),
  },
  {},
);
export const carrierConnection = resource(
  "carrier_connection",
  {
    scac: text,
    active: flag,
    credential_kind: text,
    status: text,
    is_paused: flag,
    requests_today: integer,
    answers_count: integer,
    failures_count: integer,
    push_url: text,
    push_secret: text,
    is_test_running: flag,
    created_at: time,
    updated_at: time,
    ...optionalTimes("last_succeeded_at", "last_failed_at"),
    ...optionalTexts("last_error"),
  },
  {},
);
export const eventImport = resource(
  "event_import",
  { status: text, events_count: integer, applied_count: integer, new_facts_count: integer, created_at: time },
  {},
);
export const alertSubscription = resource(
  "alert_subscription",
  {
    name: text,
    channel: text,
    frequency: text,
    kinds: list(text),
    severities: list(text),
    carriers: list(text),
    customers: list(text),
    tags: list(text),
    includes_resolved: flag,
    active: flag,
    hour: orNull(integer),
    weekday: orNull(integer),
    created_at: time,
    updated_at: time,
    ...optionalTexts("member", "time_zone", "last_error"),
    ...optionalTimes("unsubscribed_at", "next_digest_at", "last_sent_at"),
  },
  {},
);
export const savedView = resource(
  "saved_view",
  {
    list: text,
    name: text,
    filters: object({}),
    columns: list(text),
    shared: flag,
    is_default: flag,
    records_url: text,
    outdated_filters: list(object({ name: text, value: text, detail: text })),
    created_at: time,
    updated_at: time,
    ...optionalTexts("sort", "created_by"),
  },
  {},
);
export const demurrageRule = resource(
  "demurrage_rule",
  {
    name: text,
    kind: text,
    direction: text,
    equipment_types: list(text),
    equipment_lengths: list(integer),
    counting_start: text,
    start_offset_days: integer,
    free_days: integer,
    free_day_calendar: text,
    charged_day_calendar: text,
    weekend_days: list(integer),
    holidays: list(text),
    currency_code: text,
    tiers: list(object({ from_day: integer, amount_per_day: text })),
    created_at: time,
    updated_at: time,
    ...optionalTexts("carrier_scac", "port_locode", "terminal_code", "valid_from", "valid_until"),
  },
  {},
);
export const containerDemurrage = resource(
  "container_demurrage",
  {
    container_number: text,
    amounts: list(object({ amount: text, currency_code: text })),
    charges: list(object({ kind: text, status: text, amount: text, explanation: text })),
    ...optionalTexts("last_free_day_terminal", "last_free_day_line", "last_free_day_rail"),
  },
  { container: wire.toOne("container"), shipment: wire.toOne("shipment") },
);
export const emissionFactor = resource(
  "emission_factor",
  {
    name: text,
    energy_scope: text,
    grams_per_teu_km: number,
    distance_basis: text,
    source: text,
    origins: list(text),
    destinations: list(text),
    both_directions: flag,
    created_at: time,
    updated_at: time,
    ...optionalTexts("carrier_scac", "vessel_imo", "equipment", "valid_from", "valid_until"),
  },
  {},
);
/** The result of `POST /emission_factor_imports`. */
export const emissionFactors = object({ data: list(emissionFactor) });
export const containerEmissions = resource(
  "container_emissions",
  {
    container_number: text,
    method: text,
    distance_adjustment_factor: number,
    factors_considered: integer,
    totals: list(object({ energy_scope: text })),
    legs: list(object({ sequence: integer, mode: text })),
  },
  { container: wire.toOne("container"), shipment: wire.toOne("shipment") },
);
export const ediFile = resource(
  "edi_file",
  { status: text, source: text, partner: text, size_bytes: integer, events_count: integer, created_at: time },
  {},
);
