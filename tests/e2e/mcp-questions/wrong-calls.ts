/** A call that cannot be answered as it is. */
export interface WrongCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The text names the field, the allowed values or the next step. */
  readonly says: RegExp;
  /** The corrected call: each of its texts stands in the wrong call or in the text that it got. */
  readonly next?: readonly [name: string, input: Readonly<Record<string, unknown>>];
}

export interface Known {
  /** Number of a shipment with two containers. */
  readonly bill: string;
  readonly shipmentId: string;
  readonly container: string;
  readonly other: string;
  readonly containerId: string;
  /** The container's number with another check digit. */
  readonly wrong: string;
}

const unknownId = "0197a1b2-0000-7000-8000-0000000000ff";
const untracked = "MAEU000000000";

type Row = readonly [
  input: Readonly<Record<string, unknown>>,
  says: RegExp,
  corrected?: Readonly<Record<string, unknown>>,
  tool?: string,
];

const callsTo = (name: string, rows: readonly Row[]): WrongCall[] =>
  rows.map(([input, says, corrected, tool = name]) => ({
    name,
    input,
    says,
    ...(corrected && { next: [tool, corrected] as const }),
  }));

const lists = (): WrongCall[] => [
  ...callsTo("list_shipments", [
    [{ page_size: 500 }, /page_size must be at most 100/, { page_size: 100 }],
    [{ page: 0 }, /page=1/, { page: 1 }],
    [{ page: 99 }, /page=1/, { page: 1 }],
    [{ status: "lost" }, /status.* must be one of/, { status: ["in_transit"] }],
    [{ port: "LA" }, /UN\/LOCODE of five characters/, { port: "USLAX" }],
    [{ port: "USLAY" }, /USLAY is not a UN\/LOCODE/, { port: "USLAX" }],
    [{ port: "NLRTN" }, /Nearest/, { port: "NLRTM" }],
    [{ transshipment_port: "Singapore" }, /transshipment_port must be a UN\/LOCODE/],
    [{ carrier: "MAERSK" }, /carrier must be a SCAC of four characters/, { carrier: "MAEU" }],
    [{ carrier: "MEAU" }, /Nearest:/, { carrier: "MAEU" }],
    [{ carrier: "ZZZZ" }, /get_supported_shipping_lines\(search\)/],
    [{ customer: "Nordik" }, /No shipment has such a customer/, { customer: "Nordic Furniture" }],
    [{ vessel: "EVERGREEN" }, /No shipment has such a vessel/, { vessel: "EVER TESTED" }],
    [{ tag: "urgnt" }, /No shipment has such a tag/, { tag: "urgent" }],
    [{ updated_after: "yesterday" }, /updated_after must be a date or time/, { updated_after: "2026-01-31" }],
    [{ arrival_before: "next week" }, /arrival_before must be a date or time/, { arrival_before: "2026-01-31" }],
    [{ last_free_day_before: "tomorrow" }, /must be a date such as/, { last_free_day_before: "2026-01-31" }],
    [{ delayed_by_days: -1 }, /delayed_by_days must be at least 0/, { delayed_by_days: 0 }],
    [{ delayed_by_days: "many" }, /delayed_by_days must be of type (number|int)/, { delayed_by_days: 3 }],
    [{ has_holds: "perhaps" }, /has_holds must be of type boolean/, { has_holds: true }],
    [{ summary: "colour" }, /summary must be one of/, { summary: "customer" }],
    [{ sort: "eta" }, /sort must be one of/, { sort: "arrival" }],
    [{ exception_kind: ["holds"] }, /exception_kind.* must be one of/, { exception_kind: ["customs_hold"] }],
    [{ needs_attention: true, port: "USLAX" }, /does not combine with port/, { needs_attention: true }],
    [{ needs_attention: true, owner: "x".repeat(400) }, /owner must have at most 320 characters/],
    [
      { status: "in_transit", colour: "red" },
      /Ignored unknown argument "colour". Accepted: /,
      { status: "in_transit" },
    ],
  ]),
  ...callsTo("list_containers", [
    [{ status: ["lost"] }, /status.* must be one of/, { status: ["available"] }],
    [{ sort: "fees" }, /sort must be one of/, { sort: "last_free_day" }],
    [{ shipment: untracked }, /track_container/, { number: untracked, dry_run: true }, "track_container"],
    [{ not_returned_for_days: 99_999 }, /at most 3650/, { not_returned_for_days: 3650 }],
    [{ page_size: 0 }, /page_size=1/, { page_size: 1 }],
    [{ port: "DEHAN" }, /DEHAN is not a UN\/LOCODE/, { port: "DEHAM" }],
  ]),
  ...callsTo("list_tracking_requests", [
    [{ status: "broken" }, /status must be one of/, { status: "failed" }],
    [{ request_type: "bl" }, /request_type must be one of/, { request_type: "bill_of_lading" }],
    [{ filters: "failed" }, /filters must be of type object/, { status: "failed" }],
    [{ filters: { scac: "MAERSK" } }, /filters\.scac must be a SCAC/, { filters: { scac: "MAEU" } }],
  ]),
  ...callsTo("list_changes", [
    [{ fields: ["ETA!"] }, /fields.* must be an attribute such as/, { fields: ["pod_eta_at"] }],
    [{ since: "last week" }, /since must be a date or time/, { since: "2026-01-31" }],
  ]),
];

const reads = ({ bill, shipmentId, container, containerId, wrong }: Known): WrongCall[] => [
  ...callsTo("get_container", [
    [{}, /id is required/],
    [{ id: wrong }, /The check digit of .* is wrong: .* ends in \d/],
    [{ id: bill }, /has 2 containers/, { id: container }],
    [{ id: unknownId }, /search_container\(query\)/],
    [{ id: shipmentId }, /is the id of a shipment/, { id: shipmentId }, "get_shipment_details"],
    [
      { id: container, include: ["everything"] },
      /include.* must be one of/,
      { id: container, include: ["exceptions"] },
    ],
    [{ id: "Nordic" }, /list_containers\(customer=Nordic\)/, { customer: "Nordic" }, "list_containers"],
    [{ id: untracked }, /track_container/, { number: untracked, dry_run: true }, "track_container"],
  ]),
  ...callsTo("get_shipment_details", [
    [{}, /id is required/],
    [{ id: containerId }, /is the id of a container/, { id: containerId }, "get_container"],
    [{ id: untracked }, /track_container/, { number: untracked, dry_run: true }, "track_container"],
    [{ id: bill, include: ["events"] }, /include.* must be one of/, { id: bill, include: ["containers"] }],
    [{ id: bill, page: 0 }, /page=1/, { id: bill, page: 1 }],
  ]),
  ...callsTo("get_container_transport_events", [
    [{ id: unknownId }, /search_container/],
    [{ id: bill }, /has 2 containers/, { id: container }],
    [{ id: container, page: 0 }, /page=1/, { id: container, page: 1 }],
  ]),
  ...callsTo("get_container_route", [
    [{ id: container, page: 0 }, /page=1/, { id: container, page: 1 }],
    [{ id: "Long Beach" }, /is not a container, bill of lading or booking number/],
  ]),
  ...callsTo("get_supported_shipping_lines", [
    [{ search: "x".repeat(200) }, /search must have at most \d+ characters/],
  ]),
  ...callsTo("search_container", [
    [{}, /query is required/],
    [{ query: " " }, /query must not be empty/],
    [{ query: "x".repeat(65) }, /query must have at most 64 characters/],
    [{ query: "Bavaria" }, /list_containers\(customer=Bavaria\)/, { customer: "Bavaria" }, "list_containers"],
  ]),
];

const writes = ({ bill, wrong }: Known): WrongCall[] => [
  ...callsTo("track_container", [
    [{}, /number is required/],
    [{ number: "hello" }, /is not a container, bill of lading or booking number/],
    [{ number: wrong }, /check digit .* ends in \d.* numberType=container/],
    [
      { number: "MAEU612999999", numberType: "ocean" },
      /numberType must be one of/,
      { number: "MAEU612999999", numberType: "bill_of_lading", dry_run: true },
    ],
    [
      { number: "MAEU612999999", scac: "MAERSK" },
      /scac must be a SCAC of four characters/,
      { number: "MAEU612999999", scac: "MAEU", dry_run: true },
    ],
    [{ number: "AB612999999", dry_run: true }, /get_supported_shipping_lines|scac=/],
    [{ numbers: Array.from({ length: 30 }, (_, index) => `MAEU6129999${index}`) }, /numbers must be at most 20 items/],
  ]),
  ...callsTo("update_shipment", [
    [{}, /ids is required/],
    [{ ids: [bill] }, /add_references, remove_references, add_tags, remove_tags, note, tracking, or exceptions/],
    [{ ids: [bill], tracking: "pause" }, /tracking must be one of/, { ids: [bill], tracking: "stop", dry_run: true }],
    [{ ids: [untracked], add_tags: ["late"] }, /track_container/],
    [{ ids: Array.from({ length: 21 }, String), add_tags: ["late"] }, /ids must be at most 20 items/],
  ]),
  ...callsTo("find_my_boxes", [[{}, /Unknown tool.*search_container/]]),
];

/** Returns at least sixty wrong calls, of every tool. */
export const wrongCalls = (known: Known): readonly WrongCall[] => [...lists(), ...reads(known), ...writes(known)];
