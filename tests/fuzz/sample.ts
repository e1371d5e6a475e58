import type { Schema } from "./description.ts";

/** Values of members whose schema does not say all that they must be. */
export const knownValues: Readonly<Record<string, unknown>> = {
  currency_code: "USD",
  amount_per_day: "75.00",
  shared: true,
  url: "https://receiver.invalid/webhooks",
  events: ["tracking_request.succeeded"],
  event: "tracking_request.succeeded",
  scac: "SBXL",
  request_type: "bill_of_lading",
  number: "MSKU0000006",
  shipment_tags: ["one", "two"],
  tags: ["one", "two"],
  ref_numbers: ["PO-1", "PO-2"],
  credentials: { kind: "none" },
  event_code: "LOAD",
  classifier: "ACT",
  event_time: "2026-11-01T00:00:00Z",
  container_number: "MSKU0000006",
  locode: "CNSHA",
  port_id: "USLAX",
  previous_port_id: "CNSHA",
  facility_code: "YS1",
  facility_type: "POTE",
  mode: "VESSEL",
  vessel_imo: "9321483",
  empty: "LADEN",
  equipment_type: "45G1",
  since: "2026-11-01T00:00:00Z",
  until: "2026-11-02T00:00:00Z",
  snoozed_until: "2099-01-01T00:00:00Z",
  expires_at: "2099-01-01T00:00:00Z",
  owner: null,
  content: "UNB",
  channel: "slack",
  webhook_url: "https://hooks.example.com/T1",
  time_zone: "Europe/Berlin",
  carriers: ["SBXL"],
  minimum_amount: null,
  minimum_amount_currency: null,
  csv: "name,energy_scope,grams_per_teu_km,distance_basis,source,origins\nA,well_to_wake,1,actual_distance,B,CN",
};

/** Members that are valid only with values that the schema does not know. */
export const leftOutMembers = new Set([
  "saved_view_id",
  "columns",
  "is_default",
  "terminal_code",
  "sort",
  "carrier_scac",
  "port_locode",
  "valid_from",
  "valid_until",
  "origins",
  "destinations",
  "both_directions",
  "holidays",
  "id",
  "member",
  "mailbox",
  "relationships",
  "auto_detect_vocc_scac",
  "ref_number",
  "reference_type",
  "validation",
  "default_value",
]);

/** Rows of an import can be sent as CSV instead, where there is the choice. */
const isSent = (member: string, text: string): boolean =>
  member === "csv" ? text === "importEmissionFactors" : !leftOutMembers.has(member);

/** A valid value with every member that can be sent; `text` stands where any text may. */
export function sampleOf(schema: Schema, text: string, name = ""): unknown {
  if (schema.const !== undefined) return schema.const;
  if (name in knownValues) return knownValues[name];
  // One definition of the world must not be created again.
  if (name === "api_slug") return text === "createCustomFieldDefinition" ? "new_memo" : "memo";
  // The factor of the world must not be created again, nor changed to the one that is.
  if (name === "energy_scope") return text === "createEmissionFactor" ? "tank_to_wake" : "well_to_wake";
  // Operations must not ask for each other's numbers: the second would be a duplicate.
  if (name === "request_number") return `SBXL7${String(text.length).padStart(6, "0")}`;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], text, name);
  if (schema.type === "object") {
    const members = Object.entries(schema.properties ?? {}).filter(([member]) => isSent(member, text));
    return Object.fromEntries(members.map(([member, inner]) => [member, sampleOf(inner, text, member)]));
  }
  if (schema.type === "array") return [sampleOf(schema.items ?? {}, text, name)];
  if (schema.type === "boolean") return true;
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 1;
  return schema.pattern === undefined ? text : "X-Value";
}
