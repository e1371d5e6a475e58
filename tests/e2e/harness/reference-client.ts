/**
 * A client written from docs/contract/reference.md alone: it imports nothing of this repository, declares what that
 * document declares, and fails on null where a text, number or list is declared.
 */

export type Parse<T> = (value: unknown, at: string) => T;

const refuse = (value: unknown, at: string, expected: string): never => {
  throw new TypeError(`${at} is ${JSON.stringify(value)?.slice(0, 80)}, not ${expected}.`);
};

export const text: Parse<string> = (value, at) => (typeof value === "string" ? value : refuse(value, at, "a text"));
export const flag: Parse<boolean> = (value, at) =>
  typeof value === "boolean" ? value : refuse(value, at, "a boolean");
export const number: Parse<number> = (value, at) => (typeof value === "number" ? value : refuse(value, at, "a number"));
export const time: Parse<string> = (value, at) =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/.test(String(value))
    ? text(value, at)
    : refuse(value, at, "a UTC time");
export const anything: Parse<unknown> = (value) => value;
export const orNull =
  <T>(parse: Parse<T>): Parse<T | null> =>
  (value, at) =>
    value === null ? null : parse(value, at);
const maybe =
  <T>(parse: Parse<T>): Parse<T | undefined> =>
  (value, at) =>
    value === undefined ? undefined : parse(value, at);
export const list =
  <T>(parse: Parse<T>): Parse<T[]> =>
  (value, at) =>
    Array.isArray(value) ? value.map((item, index) => parse(item, `${at}[${index}]`)) : refuse(value, at, "a list");
export const oneOf =
  <const T extends string>(...values: T[]): Parse<T> =>
  (value, at) =>
    values.find((one) => one === value) ?? refuse(value, at, values.join(" or "));

type Shape = Readonly<Record<string, Parse<unknown>>>;
type Parsed<S extends Shape> = { [Name in keyof S]: S[Name] extends Parse<infer T> ? T : never };

export const object =
  <S extends Shape>(shape: S): Parse<Parsed<S>> =>
  (value, at) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return refuse(value, at, "an object");
    const members = value as Record<string, unknown>;
    const entries = Object.entries(shape).map(([name, parse]) => [name, parse(members[name], `${at}.${name}`)]);
    return Object.fromEntries(entries) as Parsed<S>;
  };

const link = (...types: string[]) => object({ type: oneOf(...types), id: text });
export const toOne = (...types: string[]) => object({ data: link(...types) });
export const toOneOrNull = (...types: string[]) => object({ data: orNull(link(...types)) });
const toMany = (type: string) => object({ data: list(link(type)) });

export const resource = <T extends string, A extends Shape, R extends Shape>(
  type: T,
  attributes: A,
  relationships: R,
) =>
  object({
    id: text,
    type: oneOf(type),
    attributes: object(attributes),
    ...(Object.keys(relationships).length > 0 && { relationships: object(relationships) }),
  } as { id: Parse<string>; type: Parse<T>; attributes: Parse<Parsed<A>>; relationships: Parse<Parsed<R>> });

const places = ["port", "metro_area"];

type Optional<Name extends string> = Record<Name, Parse<string | null>>;
export const optionalTimes = <const Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, orNull(time)])) as Optional<Name>;
export const optionalTexts = <const Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, orNull(text)])) as Optional<Name>;

export const shipment = resource(
  "shipment",
  {
    bill_of_lading_number: text,
    normalized_number: text,
    ref_numbers: orNull(list(text)),
    tags: list(text),
    created_at: time,
    shipping_line_scac: text,
    shipping_line_name: text,
    shipping_line_short_name: text,
    ...optionalTexts(
      "port_of_lading_locode",
      "port_of_lading_name",
      "port_of_discharge_locode",
      "port_of_discharge_name",
    ),
    ...optionalTexts("destination_locode", "destination_name", "customer_name", "pod_vessel_name", "pod_vessel_imo"),
    ...optionalTexts("pod_voyage_number", "pol_timezone", "pod_timezone", "destination_timezone"),
    ...optionalTimes("pol_etd_at", "pol_atd_at", "pod_eta_at", "pod_original_eta_at", "pod_ata_at"),
    ...optionalTimes("destination_eta_at", "destination_ata_at", "line_tracking_last_attempted_at"),
    ...optionalTimes("line_tracking_last_succeeded_at", "line_tracking_stopped_at"),
    ...optionalTexts("line_tracking_stopped_reason"),
  },
  {
    destination: toOneOrNull(...places),
    port_of_lading: toOneOrNull("port"),
    port_of_discharge: toOneOrNull("port"),
    containers: toMany("container"),
    pod_terminal: toOneOrNull("terminal"),
    destination_terminal: toOneOrNull("terminal", "rail_terminal"),
    line_tracking_stopped_by_user: toOneOrNull("user"),
  },
);

export const container = resource(
  "container",
  {
    number: text,
    ref_numbers: orNull(list(text)),
    equipment_length: orNull(number),
    weight_in_lbs: orNull(number),
    ...optionalTexts("equipment_type", "equipment_height", "seal_number", "location_at_pod_terminal", "pod_timezone"),
    created_at: time,
    current_status: text,
    availability_known: flag,
    available_for_pickup: orNull(flag),
    import_deadlines: orNull(object(optionalTimes("pickup_lfd_terminal", "pickup_lfd_rail", "pickup_lfd_line"))),
    holds_at_pod_terminal: list(object({ name: text, status: text, description: orNull(text) })),
    fees_at_pod_terminal: list(object({ type: text, amount: number, currency_code: text })),
    ...optionalTimes("pickup_lfd", "pickup_appointment_at", "pod_arrived_at", "pod_discharged_at", "pod_full_out_at"),
    ...optionalTimes("terminal_checked_at", "final_destination_full_out_at", "empty_terminated_at", "ind_eta_at"),
    ...optionalTimes("pod_rail_loaded_at", "pod_rail_departed_at", "ind_ata_at", "ind_rail_unloaded_at"),
    ...optionalTexts("pod_rail_carrier_scac", "ind_rail_carrier_scac", "pod_full_out_chassis_number"),
  },
  {
    shipment: toOne("shipment"),
    pod_terminal: toOneOrNull("terminal"),
    pickup_facility: toOneOrNull("terminal"),
    transport_events: toMany("transport_event"),
    raw_events: toMany("raw_event"),
  },
);

export const trackingRequest = resource(
  "tracking_request",
  {
    request_number: text,
    request_type: oneOf("bill_of_lading", "booking_number", "container"),
    scac: orNull(text),
    ref_numbers: orNull(list(text)),
    status: oneOf("pending", "awaiting_manifest", "created", "failed", "tracking_stopped"),
    failed_reason: orNull(text),
    is_retrying: flag,
    retry_count: orNull(number),
    created_at: time,
    updated_at: time,
  },
  { tracked_object: toOneOrNull("shipment"), customer: toOneOrNull("party"), user: toOneOrNull("user") },
);

export const transportEvent = resource(
  "transport_event",
  {
    event: text,
    timestamp: orNull(time),
    data_source: oneOf("shipping_line", "terminal", "ais", "rail"),
    ...optionalTexts("timezone", "voyage_number", "location_locode"),
    created_at: time,
  },
  {
    shipment: toOne("shipment"),
    container: toOne("container"),
    vessel: toOneOrNull("vessel"),
    location: toOneOrNull(...places),
    terminal: toOneOrNull("terminal", "rail_terminal"),
  },
);

export const rawEvent = resource(
  "raw_event",
  {
    event: orNull(text),
    original_event: orNull(text),
    timestamp: time,
    estimated: flag,
    index: number,
    location_name: text,
    created_at: time,
    ...optionalTexts("timezone", "location_locode", "vessel_name", "vessel_imo", "voyage_number"),
  },
  { location: toOneOrNull(...places), vessel: toOneOrNull("vessel") },
);

export const webhook = resource(
  "webhook",
  {
    url: text,
    active: flag,
    events: list(text),
    secret: text,
    headers: orNull(list(object({ name: text, value: text }))),
  },
  {},
);

export const notification = resource(
  "webhook_notification",
  { event: text, delivery_status: oneOf("pending", "succeeded", "failed"), created_at: time },
  { webhook: toOne("webhook"), reference_object: object({ data: object({ type: text, id: text }) }) },
);

const coordinates = { latitude: orNull(number), longitude: orNull(number) };
const place = { name: text, code: text, state_abbr: orNull(text), country_code: text, time_zone: text, ...coordinates };
export const port = resource("port", { ...place, city: orNull(text) }, { terminals: toMany("terminal") });
export const metroArea = resource("metro_area", place, {});
export const terminal = resource(
  "terminal",
  {
    name: text,
    nickname: text,
    facility_type: oneOf("terminal", "rail_terminal"),
    ...optionalTexts("firms_code", "smdg_code", "bic_facility_code", "street", "city"),
    ...optionalTexts("state", "state_abbr", "zip", "country"),
  },
  { port: toOneOrNull("port") },
);
export const vessel = resource("vessel", { name: text, ...optionalTexts("imo", "mmsi", "position_timestamp") }, {});
export const shippingLine = resource(
  "shipping_line",
  {
    scac: text,
    name: text,
    short_name: text,
    alternative_scacs: list(text),
    bill_of_lading_tracking_support: flag,
    booking_number_tracking_support: flag,
    container_number_tracking_support: flag,
  },
  {},
);
export const party = resource("party", { company_name: text }, {});
export const searchResult = resource(
  "search_result",
  {
    entity_type: oneOf("shipment", "cargo", "tracking_request"),
    number: text,
    ref_numbers: list(text),
    created_at: time,
  },
  {},
);
export const definition = resource(
  "custom_field_definition",
  { entity_type: text, api_slug: text, display_name: text, data_type: text, description: orNull(text) },
  {},
);
export const option = resource("custom_field_option", { label: text, value: text, position: orNull(number) }, {});
export const customField = resource(
  "custom_field",
  { api_slug: text, value: anything, display_value: orNull(text) },
  { entity: object({ data: object({ type: text, id: text }) }), definition: toOne("custom_field_definition") },
);

/** Links that are absent are not there; one that is there is a text. */
const links = object({
  self: text,
  current: maybe(text),
  first: maybe(text),
  prev: maybe(text),
  next: maybe(text),
  last: maybe(text),
});
export const page = <T>(item: Parse<T>) =>
  object({ data: list(item), links, meta: maybe(object({ total: maybe(number), size: maybe(number) })) });
export const single = <T>(item: Parse<T>) => object({ data: item, links: maybe(object({ self: text })) });
export const failure = object({ errors: list(object({ status: text, title: text, detail: text })) });

export interface Call {
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE";
  readonly body?: unknown;
  /** Body, sent as it is in place of a JSON document. */
  readonly file?: { readonly mediaType: string; readonly text: string };
  readonly status?: number;
}

function parsed({ headers }: Response, responseText: string): unknown {
  if (headers.get("content-type") === "application/jsonl") {
    return responseText.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  }
  if (headers.get("content-type") === "application/octet-stream") return responseText;
  return responseText === "" ? undefined : JSON.parse(responseText);
}

/** Sends as the clients of the reference contract do, and parses every answer. */
export function referenceClient(baseUrl: string, token: string) {
  return async <T>(
    path: string,
    parse: Parse<T>,
    { method = "GET", body, file, status = 200 }: Call = {},
  ): Promise<T> => {
    // A link is followed at the address that the client knows.
    const response = await fetch(`${baseUrl}${path.replace(/^https?:.*?\/v2/, "")}`, {
      method,
      headers: {
        Authorization: `Token ${token}`,
        Accept: "application/json, application/jsonl, application/octet-stream",
        ...(body !== undefined && { "Content-Type": "application/vnd.api+json; charset=utf-8" }),
        ...(file && { "Content-Type": file.mediaType }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(file && { body: file.text }),
    });
    const responseText = await response.text();
    if (response.status !== status)
      throw new Error(`${method} ${path}: ${response.status} ${responseText.slice(0, 400)}`);
    return parse(parsed(response, responseText), `${method} ${path}`);
  };
}

export const nothing: Parse<undefined> = (value, at) =>
  value === undefined ? undefined : refuse(value, at, "nothing");
