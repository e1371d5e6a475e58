import type { ShipmentRegister } from "./register/shipment-register.ts";
import { findScenario } from "./scenarios/catalogue.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import { readBillOfLading, readBooking, type ShipmentNumber } from "./shipment-number.ts";
import { type Fact, sortByPublication } from "./voyage/fact.ts";
import { createShipment, type Shipment } from "./voyage/shipment.ts";

/** A registered shipment with all events that the carrier will ever publish about it. */
export interface Voyage {
  readonly shipment: Shipment;
  readonly scenario: Scenario;
  /** Facts in order of publication. */
  readonly facts: readonly Fact[];
}

/** About 50 MB. An evicted timeline is computed again when it is requested. */
const cachedFactsMax = 40_000;

/** The carrier's shipments: the register lists which exist, everything else is derived from their numbers. */
export class SandboxCarrier {
  readonly #register: ShipmentRegister;
  /** A cache in order of use: the most recently used voyage is the last. */
  readonly #voyages = new Map<string, Voyage>();
  #cachedFacts = 0;
  /** Bill of lading by container number; the latest shipment when a container is in two. */
  readonly #byContainer = new Map<string, string>();

  constructor(register: ShipmentRegister) {
    this.#register = register;
    for (const { number } of register.all()) this.#indexContainers(number);
  }

  /** Finds a voyage by bill of lading, with or without SCAC. The first request for a documented number books it. */
  byBillOfLading(text: string, now: number): Voyage | null {
    return this.#bookedVoyage(readBillOfLading(text), now);
  }

  /** Finds a voyage by booking number, with or without SCAC. The first request for a documented number books it. */
  byBooking(text: string, now: number): Voyage | null {
    return this.#bookedVoyage(readBooking(text), now);
  }

  /** Finds the voyage of a container of a registered shipment. */
  byContainer(number: string): Voyage | null {
    const billOfLading = this.#byContainer.get(number.toUpperCase());
    return billOfLading === undefined ? null : this.#voyageOf(billOfLading);
  }

  /** The latest `count` shipments, oldest first. */
  latest(count: number): readonly Voyage[] {
    return this.#register
      .all()
      .slice(-count)
      .flatMap(({ number }) => this.#voyageOf(number) ?? []);
  }

  #bookedVoyage(number: ShipmentNumber | null, now: number): Voyage | null {
    if (number === null || !findScenario(number.scenario)) return null;
    const isNew = this.#register.find(number.billOfLading) === undefined;
    this.#register.findOrAdd(number.billOfLading, now);
    if (isNew) this.#indexContainers(number.billOfLading);
    return this.#voyageOf(number.billOfLading);
  }

  #voyageOf(billOfLading: string): Voyage | null {
    const cached = this.#voyages.get(billOfLading);
    const voyage = cached ?? this.#createVoyage(billOfLading);
    if (!voyage) return null;
    this.#voyages.delete(billOfLading);
    this.#voyages.set(billOfLading, voyage);
    if (!cached) this.#cachedFacts += voyage.facts.length;
    for (const [oldest, { facts }] of this.#voyages) {
      if (this.#cachedFacts <= cachedFactsMax || oldest === billOfLading) break;
      this.#voyages.delete(oldest);
      this.#cachedFacts -= facts.length;
    }
    return voyage;
  }

  #createVoyage(billOfLading: string): Voyage | null {
    const shipment = this.#shipmentOf(billOfLading);
    if (!shipment) return null;
    const { scenario } = shipment;
    return {
      shipment: shipment.shipment,
      scenario,
      facts: sortByPublication(scenario.timeline(shipment.shipment)),
    };
  }

  #indexContainers(billOfLading: string): void {
    for (const { number } of this.#shipmentOf(billOfLading)?.shipment.containers ?? []) {
      this.#byContainer.set(number, billOfLading);
    }
  }

  #shipmentOf(billOfLading: string): { shipment: Shipment; scenario: Scenario } | null {
    const number = readBillOfLading(billOfLading);
    const found = number && findScenario(number.scenario);
    const registration = this.#register.find(billOfLading);
    if (!number || !found || !registration) return null;
    const { scenario, index } = found;
    return { shipment: createShipment(number, registration.bookedAt, index, scenario.containerCount), scenario };
  }
}
