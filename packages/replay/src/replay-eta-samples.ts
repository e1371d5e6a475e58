import { canonicalJson, compareText, type Instant } from "@svc/domain";
import {
  type DerivedShipmentAttributes,
  deriveShipment,
  etaSampleChanges,
  type PlaceDirectory,
} from "@svc/domain/derivation";
import type { Observation } from "@svc/domain/observations";
import type { ReplayShipment, StoredEtaSample } from "@svc/persistence/replay";
import type { Difference } from "./difference.ts";

/** Observations of one subject received at one time. The shipment was derived again after each. */
interface Receipt {
  readonly at: Instant;
  readonly observations: readonly Observation[];
}

/**
 * Recomputes the ETA samples of a shipment from the observations of its subjects. The state is derived again for each
 * time of receipt, because samples follow from its changes.
 */
export function recomputeEtaSamples(
  { scac, createdAt }: Pick<ReplayShipment, "scac" | "createdAt">,
  bySubject: readonly (readonly Observation[])[],
  places: PlaceDirectory,
): readonly StoredEtaSample[] {
  let samples: readonly StoredEtaSample[] = [];
  let before: DerivedShipmentAttributes = {};
  const known: Observation[] = [];
  for (const { at: observedAt, observations } of receipts(bySubject, createdAt)) {
    known.push(...observations);
    const derived = deriveShipment(known, places);
    const { attributes } = derived;
    const shipment = changedFields(before, attributes);
    const { estimate, arrival } = etaSampleChanges(derived, { shipment, containers: arrivalFields });
    if (estimate !== null) samples = [...samples, { scac, observedAt, ...estimate, arrivedAt: null }];
    if (arrival !== null) {
      samples = samples.map((sample) => {
        const arrivedAt = sample.to === arrival.to ? arrival.arrivedAt : null;
        return sample.arrivedAt === arrivedAt ? sample : { ...sample, arrivedAt, from: arrival.from ?? sample.from };
      });
    }
    before = attributes;
  }
  return samples;
}

/**
 * Changed fields of containers. An arrival that has not changed closes no further sample, so it need not be compared.
 */
const arrivalFields: ReadonlySet<string> = new Set(["podEtaAt"]);

/**
 * Returns receipts in chronological order. Observations before the creation of the shipment count from its creation.
 */
function receipts(bySubject: readonly (readonly Observation[])[], createdAt: Instant): Receipt[] {
  const all = bySubject
    .flatMap((observations) => [...Map.groupBy(observations, ({ observedAt }) => observedAt)])
    .map(([at, observations]) => ({ at, observations, firstId: observations.map(({ id }) => id).toSorted()[0] ?? "" }))
    .toSorted((a, b) => compareText(a.at, b.at) || compareText(a.firstId, b.firstId));
  const early = all.filter(({ at }) => at < createdAt);
  const making = all.find(({ at }) => at === createdAt);
  const first = [...early, ...(making ? [making] : [])].flatMap(({ observations }) => observations);
  return [{ at: createdAt, observations: first }, ...all.filter((one) => one.at >= createdAt && one !== making)];
}

function changedFields(before: DerivedShipmentAttributes, after: DerivedShipmentAttributes): ReadonlySet<string> {
  const valueIn = (attributes: DerivedShipmentAttributes, field: keyof DerivedShipmentAttributes) =>
    canonicalJson(attributes[field]?.value ?? null);
  const fields = ["podEtaAt", "podAtaAt", "portOfDischarge"] as const;
  return new Set(fields.filter((field) => valueIn(before, field) !== valueIn(after, field)));
}

/** Stored samples that differ from the recomputed ones, paired by the time of receipt where possible. */
export function etaSampleDifferences(
  subject: string,
  stored: readonly StoredEtaSample[],
  recomputed: readonly StoredEtaSample[],
): Difference[] {
  const missing = [...recomputed];
  const take = (isMatch: (sample: StoredEtaSample) => boolean): StoredEtaSample | null => {
    const at = missing.findIndex(isMatch);
    return at < 0 ? null : (missing.splice(at, 1)[0] ?? null);
  };
  const wrong = stored.filter((sample) => {
    const text = canonicalJson(sample);
    return take((one) => canonicalJson(one) === text) === null;
  });
  const difference = (one: StoredEtaSample | null, other: StoredEtaSample | null): Difference => ({
    subject,
    attribute: "eta_sample",
    stored: one,
    recomputed: other,
  });
  return [
    ...wrong.map((sample) =>
      difference(
        sample,
        take(({ observedAt }) => observedAt === sample.observedAt),
      ),
    ),
    ...missing.map((sample) => difference(null, sample)),
  ];
}
