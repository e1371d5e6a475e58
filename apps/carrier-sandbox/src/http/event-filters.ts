import {
  type DcsaEvent,
  documentTypeCodes,
  equipmentEventTypeCodes,
  eventTypes,
  shipmentEventTypeCodes,
  type TransportCall,
  transportEventTypeCodes,
} from "../dcsa/event-schema.ts";
import type { Fact } from "../voyage/fact.ts";

type EventType = DcsaEvent["eventType"];

interface Filter {
  /** Deprecated spellings of the parameter. */
  readonly aliases?: readonly string[];
  /** The event types that can have the property. */
  readonly on: readonly EventType[];
  /** A comma-separated list of these codes; otherwise one value that matches `shape`. */
  readonly codes?: readonly string[];
  readonly shape?: RegExp;
  readonly valueOf: (fact: Fact) => readonly (string | undefined)[];
}

const onTheWay = ["TRANSPORT", "EQUIPMENT"] as const;

function callOf({ event }: Fact): TransportCall | undefined {
  return event.eventType === "SHIPMENT" ? undefined : event.transportCall;
}

/** The filters of `GET /v2/events` in DCSA Track & Trace 2.2, except time and paging. */
const filters = {
  eventType: { on: eventTypes, codes: eventTypes, valueOf: ({ event }) => [event.eventType] },
  shipmentEventTypeCode: {
    on: ["SHIPMENT"],
    codes: shipmentEventTypeCodes,
    valueOf: ({ event }) => (event.eventType === "SHIPMENT" ? [event.shipmentEventTypeCode] : []),
  },
  documentTypeCode: {
    on: ["SHIPMENT"],
    codes: documentTypeCodes,
    valueOf: ({ event }) => (event.eventType === "SHIPMENT" ? [event.documentTypeCode] : []),
  },
  transportEventTypeCode: {
    on: ["TRANSPORT"],
    codes: transportEventTypeCodes,
    valueOf: ({ event }) => (event.eventType === "TRANSPORT" ? [event.transportEventTypeCode] : []),
  },
  equipmentEventTypeCode: {
    on: ["EQUIPMENT"],
    codes: equipmentEventTypeCodes,
    valueOf: ({ event }) => (event.eventType === "EQUIPMENT" ? [event.equipmentEventTypeCode] : []),
  },
  carrierBookingReference: {
    aliases: ["bookingReference"],
    on: eventTypes,
    shape: /^.{1,35}$/,
    valueOf: (fact) => [fact.booking, `SBXL${fact.booking}`],
  },
  transportDocumentReference: {
    aliases: ["transportDocumentID"],
    on: eventTypes,
    shape: /^.{1,100}$/,
    valueOf: (fact) => [fact.billOfLading, `SBXL${fact.billOfLading}`],
  },
  equipmentReference: { on: onTheWay, shape: /^.{1,15}$/, valueOf: (fact) => fact.containers },
  transportCallID: { on: onTheWay, shape: /^.{1,100}$/, valueOf: (fact) => [callOf(fact)?.transportCallID] },
  vesselIMONumber: { on: onTheWay, shape: /^\d{7}$/, valueOf: (fact) => [callOf(fact)?.vessel?.vesselIMONumber] },
  exportVoyageNumber: {
    aliases: ["carrierVoyageNumber"],
    on: onTheWay,
    shape: /^.{1,50}$/,
    valueOf: (fact) => [callOf(fact)?.exportVoyageNumber],
  },
  carrierServiceCode: { on: onTheWay, shape: /^.{1,5}$/, valueOf: (fact) => [callOf(fact)?.carrierServiceCode] },
  UNLocationCode: {
    on: onTheWay,
    shape: /^[A-Za-z]{2}[A-Za-z2-9]{3}$/,
    valueOf: (fact) => [callOf(fact)?.UNLocationCode],
  },
} as const satisfies Readonly<Record<string, Filter>>;

export type FilterName = keyof typeof filters;

const namesByParameter: ReadonlyMap<string, FilterName> = new Map(
  (Object.entries(filters) as [FilterName, Filter][]).flatMap(([name, filter]) =>
    [name, ...(filter.aliases ?? [])].map((parameter) => [parameter, name] as const),
  ),
);

/** The filter of a query parameter, by its name or a deprecated alias. */
export function filterNamed(parameter: string): FilterName | undefined {
  return namesByParameter.get(parameter);
}

/** The values of a filter, or an error message. */
export function readFilter(name: FilterName, text: string): readonly string[] | string {
  const { codes, shape }: Filter = filters[name];
  const values = codes ? text.split(",").map((value) => value.trim()) : [text.trim().toUpperCase()];
  const unknown = codes && values.find((value) => !codes.includes(value));
  if (unknown !== undefined) return `${name} must be one or more of ${codes?.join(", ")}, separated by commas.`;
  if (shape && !shape.test(text.trim())) return `${name} does not have the form that DCSA Track & Trace 2.2 gives it.`;
  return values;
}

/** The event types that can satisfy all filters. Empty when the filters contradict each other. */
export function eventTypesMatching(requestedFilters: ReadonlyMap<FilterName, readonly string[]>): readonly EventType[] {
  return eventTypes.filter((type) =>
    [...requestedFilters].every(([name, values]) =>
      name === "eventType" ? values.includes(type) : (filters[name] as Filter).on.includes(type),
    ),
  );
}

/** Whether a fact satisfies every filter. */
export function satisfies(fact: Fact, requestedFilters: ReadonlyMap<FilterName, readonly string[]>): boolean {
  for (const [name, values] of requestedFilters) {
    const filter: Filter = filters[name];
    if (!filter.on.includes(fact.event.eventType)) return false;
    if (!filter.valueOf(fact).some((value) => value !== undefined && values.includes(value.toUpperCase())))
      return false;
  }
  return true;
}
