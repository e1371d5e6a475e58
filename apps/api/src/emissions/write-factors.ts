import type { EmissionFactor, FactorSettings } from "@svc/domain/emissions";
import { limitReached, TrackingError } from "@svc/jsonapi";
import type { EmissionFactorRepository } from "@svc/persistence/emissions";
import type { Services } from "../services.ts";

const factorsMax = 2_000;

/** JSON pointer and details of the faults of written factors. */
interface FaultPlace {
  readonly pointer: string;
  /** Prefix of the fault text of the factor at the index, such as `Row 1: `. */
  readonly placeOf?: (index: number) => string;
  readonly metaOf?: (index: number) => Readonly<Record<string, unknown>>;
}

/** Throws where one of the written factors is for the same legs as another one: which applies would be arbitrary. */
export async function refuseCollision(
  emissionFactors: EmissionFactorRepository,
  accountId: string,
  writtenIds: readonly string[],
  { pointer, placeOf, metaOf }: FaultPlace = { pointer: "/data" },
): Promise<void> {
  const collision = await emissionFactors.findCollision(accountId, writtenIds);
  if (collision === null) return;
  const index = writtenIds.indexOf(collision.writtenId);
  const detail =
    `${placeOf?.(index) ?? ""}The factor ${JSON.stringify(collision.otherName)} is for the same carrier, lane, vessel, equipment, ` +
    "energy scope and days. Change that one, or limit the validity of both.";
  throw TrackingError.of("duplicate", detail, { source: { pointer }, ...(metaOf && { meta: metaOf(index) }) });
}

/** Creates all of the factors, or none. Throws when the account would have too many, or two for the same legs. */
export const writeFactors = (
  services: Services,
  accountId: string,
  factors: readonly FactorSettings[],
  place: FaultPlace = { pointer: "/data" },
): Promise<EmissionFactor[]> =>
  services.transaction(accountId, async (_sql, { emissionFactors }) => {
    await emissionFactors.takeTurn(accountId);
    const written = factors.map((factor) => ({ ...factor, id: services.ids.next() }));
    const created = await emissionFactors.create(accountId, written);
    if ((await emissionFactors.count(accountId)) > factorsMax) {
      throw limitReached(`An account may have ${factorsMax} emission factors. Delete some first.`, place.pointer);
    }
    const ids = written.map(({ id }) => id);
    await refuseCollision(emissionFactors, accountId, ids, place);
    return created;
  });
