import {
  type DerivedShipmentAttributes,
  deriveShipment,
  etaSampleChanges,
  type Instant,
  type Observation,
  type PlaceDirectory,
} from "@svc/domain";
import type { ReplayShipment, StoredEtaSample } from "@svc/persistence";
import type { Difference } from "./difference.ts";
import { canonicalJson } from "./reply-facts.ts";

/** What was heard of one subject at one time: the shipment was folded anew after each. */
interface Hearing {
  readonly at: Instant;
  readonly observations: readonly Observation[];
}

/**
 * Recomputes the ETA samples of a shipment from the observations of its subjects. The state is derived again for each
 * time of receipt, because samples follow from its changes.
 */
export function etaSamplesOf(
  { scac, createdAt }: Pick<ReplayShipment, "scac" | "createdAt">,
  bySubject: readonly (readonly Observation[])[],
  places: PlaceDirectory,
): readonly StoredEtaSample[] {
  let samples: readonly StoredEtaSample[] = [];
  let before: DerivedShipmentAttributes = {};
  const known: Observation[] = [];
  for (const { at: heardAt, observations } of hearings(bySubject, createdAt)) {
    known.push(...observations);
    const { attributes } = deriveShipment(known, places);
    const { told, arrival } = etaSampleChanges(changedFields(before, attributes), attributes);
    if (told !== null) samples = [...samples, { scac, heardAt, ...told, arrivedAt: null }];
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

/** In their order. What was heard before the shipment was made is known from the moment when it was. */
function hearings(bySubject: readonly (readonly Observation[])[], createdAt: Instant): Hearing[] {
  const all = bySubject
    .flatMap((observations) => [...Map.groupBy(observations, ({ observedAt }) => observedAt)])
    .map(([at, observations]) => ({ at, observations, firstId: observations.map(({ id }) => id).toSorted()[0] ?? "" }))
    .toSorted((a, b) => (a.at === b.at ? (a.firstId < b.firstId ? -1 : 1) : a.at < b.at ? -1 : 1));
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
  const take = (isWanted: (sample: StoredEtaSample) => boolean): StoredEtaSample | null => {
    const at = missing.findIndex(isWanted);
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
        take(({ heardAt }) => heardAt === sample.heardAt),
      ),
    ),
    ...missing.map((sample) => difference(null, sample)),
  ];
}
