import type { EquipmentEvent, ShipmentEvent, TransportCall, TransportEvent } from "../dcsa/event-schema.ts";
import { localDateTime } from "../dcsa/local-time.ts";
import { stableUuid } from "../random.ts";
import type { Place } from "../world/places.ts";
import type { Fact } from "./fact.ts";
import type { Container, Shipment } from "./shipment.ts";

interface EventDetails {
  /** Unique within the shipment. */
  readonly key: string;
  /** The time of the event. */
  readonly at: number;
  /** When the carrier publishes it. */
  readonly publishedAt: number;
  readonly withdrawnAt?: number | null;
}

type Classifier = TransportEvent["eventClassifierCode"];

export interface TransportDetails extends EventDetails {
  readonly code: TransportEvent["transportEventTypeCode"];
  readonly classifier: Classifier;
  readonly place: Place;
  readonly call: TransportCall;
  readonly containers: readonly Container[];
  readonly remark?: string;
}

export interface EquipmentDetails extends EventDetails {
  readonly code: EquipmentEvent["equipmentEventTypeCode"];
  readonly classifier: Classifier;
  readonly place: Place;
  readonly locationName?: string;
  readonly call: TransportCall;
  readonly container: Container;
  readonly isEmpty: boolean;
}

export interface DocumentDetails extends EventDetails {
  readonly code: ShipmentEvent["shipmentEventTypeCode"];
  readonly documentType: ShipmentEvent["documentTypeCode"];
  readonly documentId: string;
  readonly reason?: string;
  /** Written as references when the document concerns single containers. */
  readonly containers?: readonly Container[];
}

/** Collects the events of one shipment in DCSA format. */
export class Logbook {
  readonly #shipment: Shipment;
  readonly #facts = new Map<string, Fact>();

  constructor(shipment: Shipment) {
    this.#shipment = shipment;
  }

  get facts(): readonly Fact[] {
    return [...this.#facts.values()];
  }

  transport(details: TransportDetails): void {
    const numbers = details.containers.map((container) => container.number);
    const { timeZone } = details.place;
    this.#add(details, timeZone, numbers, {
      ...this.#header(details, timeZone),
      eventType: "TRANSPORT",
      eventClassifierCode: details.classifier,
      transportEventTypeCode: details.code,
      ...(details.remark === undefined ? {} : { changeRemark: details.remark }),
      transportCall: details.call,
      documentReferences: this.#documents(),
      references: equipmentReferences(numbers),
    });
  }

  equipment(details: EquipmentDetails): void {
    const { container, place, call } = details;
    this.#add(details, place.timeZone, [container.number], {
      ...this.#header(details, place.timeZone),
      eventType: "EQUIPMENT",
      eventClassifierCode: details.classifier,
      equipmentEventTypeCode: details.code,
      equipmentReference: container.number,
      ISOEquipmentCode: container.isoCode,
      emptyIndicatorCode: details.isEmpty ? "EMPTY" : "LADEN",
      eventLocation: {
        locationName: details.locationName ?? place.name,
        UNLocationCode: place.locode,
        ...(call.facilityCode === undefined
          ? {}
          : { facilityCode: call.facilityCode, facilityCodeListProvider: call.facilityCodeListProvider }),
      },
      transportCall: call,
      documentReferences: this.#documents(),
      ...(details.isEmpty || details.classifier !== "ACT" ? {} : { seals: [sealOf(container)] }),
    });
  }

  document(details: DocumentDetails): void {
    const numbers = (details.containers ?? []).map((container) => container.number);
    this.#add(details, "UTC", numbers, {
      ...this.#header(details, "UTC"),
      eventType: "SHIPMENT",
      eventClassifierCode: "ACT",
      shipmentEventTypeCode: details.code,
      documentID: details.documentId,
      documentTypeCode: details.documentType,
      ...(details.reason === undefined ? {} : { reason: details.reason }),
      ...(numbers.length === 0 ? {} : { references: equipmentReferences(numbers) }),
    });
  }

  #header(details: EventDetails, timeZone: string) {
    return {
      eventID: stableUuid(`${this.#shipment.billOfLading}/${details.key}`),
      eventDateTime: localDateTime(details.at, timeZone),
      eventCreatedDateTime: new Date(details.publishedAt).toISOString(),
    };
  }

  #documents() {
    return [
      { documentReferenceType: "BKG" as const, documentReferenceValue: this.#shipment.booking },
      { documentReferenceType: "TRD" as const, documentReferenceValue: this.#shipment.billOfLading },
    ];
  }

  #add(details: EventDetails, timeZone: string, containers: readonly string[], event: Fact["event"]): void {
    if (this.#facts.has(details.key)) throw new Error(`duplicate fact key ${details.key}`);
    const { booking, billOfLading } = this.#shipment;
    const { key, at, publishedAt, withdrawnAt = null } = details;
    this.#facts.set(key, { key, at, timeZone, publishedAt, withdrawnAt, booking, billOfLading, containers, event });
  }
}

/** A container is sealed when it is full, so planned events have no seal. */
function sealOf(container: Container) {
  return { sealNumber: container.sealNumber, sealType: "BLT" as const, sealSource: "SHI" as const };
}

function equipmentReferences(numbers: readonly string[]) {
  return numbers.map((number) => ({ referenceType: "EQ" as const, referenceValue: number }));
}
