import type { ShipmentRegister } from "./register/shipment-register.ts";
import { scenarioOf } from "./scenarios/catalogue.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import { readBillOfLading, readBooking, type ShipmentNumber } from "./shipment-number.ts";
import { type Fact, inOrderOfPublication } from "./voyage/fact.ts";
import { type Shipment, shipmentOf } from "./voyage/shipment.ts";

/** A registered shipment with all that will ever be said about it. */
export interface Voyage {
  readonly shipment: Shipment;
  readonly scenario: Scenario;
  /** In order of publication. */
  readonly facts: readonly Fact[];
}

/** About 50 MB. A timeline that is forgotten is made again when it is asked for. */
const factsKept = 40_000;

/** The line's shipments: the register tells which exist, everything else follows from their numbers. */
export class SandboxLine {
  readonly #register: ShipmentRegister;
  /** The one asked for last is the last. */
  readonly #voyages = new Map<string, Voyage>();
  #factsHeld = 0;
  /** Bill of lading by container number; the latest shipment of a box that is in two. */
  readonly #byContainer = new Map<string, string>();

  constructor(register: ShipmentRegister) {
    this.#register = register;
    for (const { number } of register.all()) this.#indexContainers(number);
  }

  /** By bill of lading, with or without SCAC. A documented number is booked by its first question. */
  byBillOfLading(text: string, now: number): Voyage | null {
    return this.#bookedVoyage(readBillOfLading(text), now);
  }

  /** By booking number, with or without SCAC. A documented number is booked by its first question. */
  byBooking(text: string, now: number): Voyage | null {
    return this.#bookedVoyage(readBooking(text), now);
  }

  /** By a container of a shipment that was asked about before. */
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
    if (number === null || !scenarioOf(number.scenario)) return null;
    const isNew = this.#register.find(number.billOfLading) === undefined;
    this.#register.findOrAdd(number.billOfLading, now);
    if (isNew) this.#indexContainers(number.billOfLading);
    return this.#voyageOf(number.billOfLading);
  }

  #voyageOf(billOfLading: string): Voyage | null {
    const kept = this.#voyages.get(billOfLading);
    const voyage = kept ?? this.#makeVoyage(billOfLading);
    if (!voyage) return null;
    this.#voyages.delete(billOfLading);
    this.#voyages.set(billOfLading, voyage);
    if (!kept) this.#factsHeld += voyage.facts.length;
    for (const [oldest, { facts }] of this.#voyages) {
      if (this.#factsHeld <= factsKept || oldest === billOfLading) break;
      this.#voyages.delete(oldest);
      this.#factsHeld -= facts.length;
    }
    return voyage;
  }

  #makeVoyage(billOfLading: string): Voyage | null {
    const shipment = this.#shipmentOf(billOfLading);
    if (!shipment) return null;
    const { scenario } = shipment;
    return {
      shipment: shipment.shipment,
      scenario,
      facts: inOrderOfPublication(scenario.timeline(shipment.shipment)),
    };
  }

  #indexContainers(billOfLading: string): void {
    for (const { number } of this.#shipmentOf(billOfLading)?.shipment.containers ?? []) {
      this.#byContainer.set(number, billOfLading);
    }
  }

  #shipmentOf(billOfLading: string): { shipment: Shipment; scenario: Scenario } | null {
    const number = readBillOfLading(billOfLading);
    const found = number && scenarioOf(number.scenario);
    const registration = this.#register.find(billOfLading);
    if (!number || !found || !registration) return null;
    const { scenario, index } = found;
    return { shipment: shipmentOf(number, registration.bookedAt, index, scenario.boxes), scenario };
  }
}
