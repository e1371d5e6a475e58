import type { EquipmentEvent, ShipmentEvent, TransportCall, TransportEvent } from "../dcsa/event-schema.ts";
import { localDateTime } from "../dcsa/local-time.ts";
import { stableUuid } from "../random.ts";
import type { Place } from "../world/places.ts";
import type { Fact } from "./fact.ts";
import type { Container, Shipment } from "./shipment.ts";

interface Statement {
  /** Names the statement within its shipment. */
  readonly key: string;
  /** The time of the event. */
  readonly at: number;
  /** When the carrier publishes it. */
  readonly publishedAt: number;
  readonly withdrawnAt?: number | null;
}

type Classifier = TransportEvent["eventClassifierCode"];

export interface TransportStatement extends Statement {
  readonly code: TransportEvent["transportEventTypeCode"];
  readonly classifier: Classifier;
  readonly place: Place;
  readonly call: TransportCall;
  readonly containers: readonly Container[];
  readonly remark?: string;
}

export interface EquipmentStatement extends Statement {
  readonly code: EquipmentEvent["equipmentEventTypeCode"];
  readonly classifier: Classifier;
  readonly place: Place;
  readonly locationName?: string;
  readonly call: TransportCall;
  readonly container: Container;
  readonly isEmpty: boolean;
}

export interface DocumentStatement extends Statement {
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

  transport(statement: TransportStatement): void {
    const numbers = statement.containers.map((container) => container.number);
    const { timeZone } = statement.place;
    this.#add(statement, timeZone, numbers, {
      ...this.#header(statement, timeZone),
      eventType: "TRANSPORT",
      eventClassifierCode: statement.classifier,
      transportEventTypeCode: statement.code,
      ...(statement.remark === undefined ? {} : { changeRemark: statement.remark }),
      transportCall: statement.call,
      documentReferences: this.#documents(),
      references: equipmentReferences(numbers),
    });
  }

  equipment(statement: EquipmentStatement): void {
    const { container, place, call } = statement;
    this.#add(statement, place.timeZone, [container.number], {
      ...this.#header(statement, place.timeZone),
      eventType: "EQUIPMENT",
      eventClassifierCode: statement.classifier,
      equipmentEventTypeCode: statement.code,
      equipmentReference: container.number,
      ISOEquipmentCode: container.isoCode,
      emptyIndicatorCode: statement.isEmpty ? "EMPTY" : "LADEN",
      eventLocation: {
        locationName: statement.locationName ?? place.name,
        UNLocationCode: place.locode,
        ...(call.facilityCode === undefined
          ? {}
          : { facilityCode: call.facilityCode, facilityCodeListProvider: call.facilityCodeListProvider }),
      },
      transportCall: call,
      documentReferences: this.#documents(),
      ...(statement.isEmpty || statement.classifier !== "ACT" ? {} : { seals: [sealOf(container)] }),
    });
  }

  document(statement: DocumentStatement): void {
    const numbers = (statement.containers ?? []).map((container) => container.number);
    this.#add(statement, "UTC", numbers, {
      ...this.#header(statement, "UTC"),
      eventType: "SHIPMENT",
      eventClassifierCode: "ACT",
      shipmentEventTypeCode: statement.code,
      documentID: statement.documentId,
      documentTypeCode: statement.documentType,
      ...(statement.reason === undefined ? {} : { reason: statement.reason }),
      ...(numbers.length === 0 ? {} : { references: equipmentReferences(numbers) }),
    });
  }

  #header(statement: Statement, timeZone: string) {
    return {
      eventID: stableUuid(`${this.#shipment.billOfLading}/${statement.key}`),
      eventDateTime: localDateTime(statement.at, timeZone),
      eventCreatedDateTime: new Date(statement.publishedAt).toISOString(),
    };
  }

  #documents() {
    return [
      { documentReferenceType: "BKG" as const, documentReferenceValue: this.#shipment.booking },
      { documentReferenceType: "TRD" as const, documentReferenceValue: this.#shipment.billOfLading },
    ];
  }

  #add(statement: Statement, timeZone: string, containers: readonly string[], event: Fact["event"]): void {
    if (this.#facts.has(statement.key)) throw new Error(`two statements are named ${statement.key}`);
    const { booking, billOfLading } = this.#shipment;
    const { key, at, publishedAt, withdrawnAt = null } = statement;
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
