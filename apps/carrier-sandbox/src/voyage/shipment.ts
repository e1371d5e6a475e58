import { containerCheckDigit } from "@svc/domain/identifiers";
import { type Chance, chanceOf } from "../random.ts";
import type { ShipmentNumber } from "../shipment-number.ts";

export interface Container {
  readonly number: string;
  /** ISO 6346 size and type. */
  readonly isoCode: string;
  readonly sealNumber: string;
}

/** One customer's cargo. Everything is derived from the number and `bookedAt`. */
export interface Shipment {
  readonly billOfLading: string;
  readonly booking: string;
  /** Simulated epoch milliseconds of the first request. */
  readonly bookedAt: number;
  readonly containers: readonly [Container, ...Container[]];
  readonly chance: Chance;
}

const isoCodes = ["22G1", "42G1", "45G1", "45R1"] as const;
const containersWithUniqueSerial = 4;
const seedsWithUniqueSerial = 10_000;
/** The first 25 scenarios partition the million serial numbers of the owner code; later ones use random serials. */
const scenariosWithUniqueSerial = 25;

/**
 * Returns the serial number of a container. For seeds below 10,000 the first four containers of a shipment have serials
 * that are unique within the first 25 scenarios. Other serials are random, so two shipments may share a container.
 */
function serialOf(scenarioIndex: number, seed: number, index: number, chance: Chance): number {
  if (scenarioIndex < scenariosWithUniqueSerial && seed < seedsWithUniqueSerial && index < containersWithUniqueSerial) {
    return (scenarioIndex * seedsWithUniqueSerial + seed) * containersWithUniqueSerial + index;
  }
  return Math.floor(chance.between(`container/${index}/serial`, 0, 1_000_000));
}

function createContainer(scenarioIndex: number, seed: number, index: number, chance: Chance): Container {
  const firstTen = `SBXU${String(serialOf(scenarioIndex, seed, index, chance)).padStart(6, "0")}`;
  return {
    number: `${firstTen}${containerCheckDigit(firstTen)}`,
    isoCode: chance.pick(`container/${index}/type`, isoCodes),
    sealNumber: `SB${Math.floor(chance.between(`container/${index}/seal`, 100_000, 1_000_000))}`,
  };
}

/** The shipment of a number, with `containerCount` containers (one to three at random when undefined). */
export function createShipment(
  number: ShipmentNumber,
  bookedAt: number,
  scenarioIndex: number,
  containerCount: number | undefined,
): Shipment {
  const chance = chanceOf(number.billOfLading);
  const count = containerCount ?? Math.floor(chance.between("containers", 1, 4));
  const [first, ...others] = Array.from({ length: count }, (_, index) =>
    createContainer(scenarioIndex, number.seed, index, chance),
  );
  if (!first) throw new RangeError("a shipment has at least one container");
  return {
    billOfLading: number.billOfLading,
    booking: number.booking,
    bookedAt,
    containers: [first, ...others],
    chance,
  };
}
