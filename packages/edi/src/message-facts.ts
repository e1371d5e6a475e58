import type { TimeZoneOf } from "@svc/domain";
import type { EdiFileFault } from "@svc/domain/edi-files";
import { containerCheckDigit, isLocode, isValidImoNumber, normalizeContainerNumber } from "@svc/domain/identifiers";
import {
  type ObservationDraft,
  type ObservedPlace,
  type ObservedVessel,
  observedText,
  readEventTime,
  type TransportMode,
} from "@svc/domain/observations";
import { type Message, positionOf } from "./messages.ts";
import type { PartnerProfile, StatusMeaning } from "./profiles.ts";
import { type EdiSyntax, type Segment, value } from "./segments.ts";

/** An event of a file: its facts, the numbers that they are about, and its place in the file. */
export interface EdiEvent {
  readonly draft: ObservationDraft;
  /** Container, bill of lading and booking. */
  readonly numbers: readonly string[];
  /** Null: the message names no carrier. */
  readonly scac: string | null;
  readonly source: EdiSource;
}

/** Position in the file from which an event was read. */
export interface EdiSource {
  /** `315`, `IFTSTA`. */
  readonly kind: string;
  readonly reference: string;
  readonly line: number;
  readonly segment: number;
  /** The partner's code; null: a time of the route that the message also states. */
  readonly code: string | null;
  /** The segment with the usual separators of its syntax. */
  readonly text: string;
}

/** A status that is known, but no event that is tracked: a hold, a release, an appointment. */
export interface EdiNote {
  readonly kind: string;
  readonly code: string;
  readonly meaning: string;
  readonly containerNumber: string | null;
  readonly line: number;
}

/** Container, transport and place that a message reports. */
export interface StatedFact {
  readonly segment: Segment;
  readonly code: string | null;
  readonly meaning: StatusMeaning;
  /** ISO 8601, without offset when local. */
  readonly time: string;
  readonly classifier: "EST" | "ACT";
  readonly place: ObservedPlace;
  readonly mode?: TransportMode | null;
  readonly vessel?: ObservedVessel | null;
  readonly voyage?: string | null;
  readonly containerNumber: string | null;
  readonly isEmpty?: boolean | null;
  readonly equipmentType?: string | null;
  readonly seals?: readonly string[];
  readonly bookings: readonly string[];
  readonly bills: readonly string[];
  readonly scac: string | null;
}

export interface ReadingOptions {
  readonly profile: PartnerProfile;
  readonly timeZoneOf: TimeZoneOf;
}

export const unknownPlace: ObservedPlace = {
  locode: null,
  name: null,
  facilityCode: null,
  facilityCodeProvider: null,
  facilityType: null,
};

export function toPlace(code: string, name = ""): ObservedPlace {
  const locode = code.toUpperCase().replace(/[\s-]/g, "");
  return { ...unknownPlace, locode: isLocode(locode) ? locode : null, name: observedText(name) };
}

/** Returns the container number by ISO 6346, or as the partner has it; null when it cannot be one. */
export function toContainerNumber(text: string): string | null {
  const number = normalizeContainerNumber(text);
  return /^[A-Z0-9]{4,15}$/.test(number) ? number : null;
}

/** X12 states prefix, serial number and, not always, check digit. The check digit follows from the others. */
export function joinContainerNumber(prefix: string, serial: string, checkDigit: string): string | null {
  if (serial === "") return null;
  if (!/^[A-Z]{4}$/.test(prefix) || !/^\d{1,6}$/.test(serial)) return toContainerNumber(prefix + serial);
  const firstTen = prefix + serial.padStart(6, "0");
  return firstTen + (/^\d$/.test(checkDigit) ? checkDigit : String(containerCheckDigit(firstTen)));
}

export function toVessel(imo: string, name: string): ObservedVessel | null {
  const vessel = { imo: isValidImoNumber(imo) ? imo : null, name: observedText(name) };
  return vessel.imo === null && vessel.name === null ? null : vessel;
}

export function scacOf(text: string): string | null {
  return /^[A-Z]{4}$/.test(text) ? text : null;
}

/** A segment with the usual separators of its syntax. */
function segmentText({ syntax, elements }: Segment): string {
  const [element, component] = syntax === "x12" ? ["*", ">"] : ["+", ":"];
  const text = elements.map((components) => components.join(component)).join(element);
  return observedText(text) ?? "";
}

export const transportEvents: ReadonlySet<string> = new Set(["ARRI", "DEPA"]);
const shipmentEvents = new Set(["CONF", "CANC", "RECE", "ISSU", "SURR"]);

/** Collects the facts of one message. */
export class MessageFacts {
  readonly events: EdiEvent[] = [];
  readonly notes: EdiNote[] = [];
  /** Codes without a meaning in the partner's profile, with the segment of each. */
  readonly unmapped: { readonly code: string; readonly line: number }[] = [];
  /** Statuses that the message has, read or not. */
  statuses = 0;
  readonly #message: Message;
  readonly #options: ReadingOptions;

  constructor(message: Message, options: ReadingOptions) {
    this.#message = message;
    this.#options = options;
  }

  get kind(): string {
    return this.#message.outcome.kind;
  }

  fault(segment: Segment, element: number | null, detail: string): void {
    const { reference, faults } = this.#message.outcome;
    const fault: EdiFileFault = { ...positionOf(segment), element, message: reference, detail };
    faults.push(fault);
  }

  /**
   * The meaning of a status code if it is an event. A code that is a note, or without a meaning, is recorded.
   * `containers`: whom a note is about.
   */
  meaningOf(
    syntax: EdiSyntax,
    code: string,
    segment: Segment,
    containers: readonly (string | null)[],
  ): StatusMeaning | null {
    const meaning = this.#options.profile.statuses[syntax].get(code);
    if (meaning === undefined) {
      this.unmapped.push({ code: observedText(code) ?? "", line: segment.line });
      return null;
    }
    if (meaning.event !== undefined) return meaning;
    for (const containerNumber of containers) {
      this.notes.push({ kind: this.kind, code, meaning: meaning.meaning, containerNumber, line: segment.line });
    }
    return null;
  }

  /** Adds an event; false, with a fault, when its time is not valid. */
  add(fact: StatedFact): boolean {
    const { meaning, segment, place, containerNumber } = fact;
    const event = meaning.event as string;
    const zone = place.locode === null ? null : this.#options.timeZoneOf(place.locode);
    const time = readEventTime(fact.time, zone);
    if (time === null) {
      this.fault(segment, null, `${fact.time} is no time.`);
      return false;
    }
    const isShipment = shipmentEvents.has(event);
    const isTransport = transportEvents.has(event);
    const movementType = isTransport ? "TRANSPORT" : "EQUIPMENT";
    const mode = meaning.mode ?? fact.mode ?? null;
    const isInbound = event === "ARRI" || event === "DISC";
    const voyage = fact.voyage ?? null;
    const vessel = mode === "VESSEL" ? (fact.vessel ?? null) : null;
    const documentType = isShipment ? (meaning.document ?? "BKG") : null;
    const documents = documentType === "TRD" ? fact.bills : fact.bookings;
    const draft: ObservationDraft = {
      eventType: isShipment ? "SHIPMENT" : movementType,
      code: event,
      classifier: meaning.classifier ?? fact.classifier,
      eventAt: time.at,
      timePrecision: time.precision,
      localDate: time.localDate,
      // Interchanges state the time of the sender's clock without its zone: the order of receipt is more certain.
      statedAt: null,
      sourceEventId: null,
      dataSource: "shipping_line",
      containerNumber: isShipment ? null : containerNumber,
      isEmpty: isShipment || isTransport ? null : (meaning.empty ?? fact.isEmpty ?? null),
      isoEquipmentCode: isShipment ? null : (fact.equipmentType ?? null),
      seals: isShipment ? [] : (fact.seals ?? []),
      place,
      call:
        isShipment || (mode === null && vessel === null)
          ? null
          : {
              reference: null,
              mode,
              vessel,
              sequence: null,
              importVoyage: mode === "VESSEL" && isInbound ? voyage : null,
              exportVoyage: mode === "VESSEL" && !isInbound ? voyage : null,
            },
      documentType,
      documentId: isShipment ? (documents[0] ?? null) : null,
      reason: null,
      retracted: false,
    };
    const { kind, reference } = this.#message.outcome;
    const { line, number } = segment;
    const source = { kind, reference, line, segment: number, code: fact.code, text: segmentText(segment) };
    const numbers = [containerNumber, ...fact.bills, ...fact.bookings].filter((one) => one !== null);
    this.events.push({ draft, numbers: [...new Set(numbers)], scac: fact.scac, source });
    return true;
  }
}

/** The values of the references of one kind (N9, RFF) among segments. */
export function referencesOf(segments: readonly Segment[], tag: "N9" | "RFF", qualifier: string): string[] {
  const found = segments.flatMap((segment) => {
    if (segment.tag !== tag) return [];
    const [kind, text] =
      tag === "N9" ? [value(segment, 1), value(segment, 2)] : [value(segment, 1), value(segment, 1, 2)];
    const clean = kind === qualifier ? observedText(text) : null;
    return clean === null ? [] : [clean];
  });
  return [...new Set(found)];
}
