import type { EmissionFactorResource } from "@svc/jsonapi/emissions";
import type { ListDocument } from "../documents/document.ts";
import { writeDocument } from "../documents/write-document.ts";
import type { Format } from "../format.ts";
import type { CallOptions } from "../http/transport.ts";
import { plainRecordCalls } from "./plain-records.ts";
import { type CreateOptions, type Reader, segment, type WriteOptions } from "./reader.ts";
import { emissionFactorKind } from "./record-kinds.ts";

/** Changes of a factor. An absent member is not changed. In the criteria of legs, null or an empty list matches any. */
export interface EmissionFactorEdit {
  readonly name?: string;
  /** well_to_wake: production and combustion of the fuel; tank_to_wake: its combustion on board. */
  readonly energyScope?: "well_to_wake" | "tank_to_wake";
  /** Grams of CO2 equivalent. */
  readonly gramsPerTeuKm?: number;
  /** Distance the factor applies to: as sailed, or the shortest feasible one, where the factor is adjusted to it. */
  readonly distanceBasis?: "actual_distance" | "shortest_feasible_distance";
  /** Publication of the value, with edition and year. */
  readonly source?: string;
  /** SCAC of the shipping line. */
  readonly carrierScac?: string | null;
  /** Countries (`CN`) and ports (`CNSHA`) in which a leg begins. */
  readonly origins?: readonly string[];
  readonly destinations?: readonly string[];
  /** Whether the factor also applies to legs from a destination to an origin. */
  readonly bothDirections?: boolean;
  readonly vesselImo?: string | null;
  /** dry: every container that is no reefer. */
  readonly equipment?: "dry" | "reefer" | null;
  /** YYYY-MM-DD: the first day on which a leg may depart. */
  readonly validFrom?: string | null;
  /** YYYY-MM-DD: the last day on which a leg may depart. */
  readonly validUntil?: string | null;
}

export interface NewEmissionFactor extends EmissionFactorEdit {
  readonly name: string;
  readonly energyScope: "well_to_wake" | "tank_to_wake";
  readonly gramsPerTeuKm: number;
  readonly distanceBasis: "actual_distance" | "shortest_feasible_distance";
  readonly source: string;
}

/** Emissions per TEU and km, from sources of the account. */
export function emissionFactorsResource<F extends Format>(reader: Reader<F>) {
  const path = (id: string) => `/emission_factors/${segment(id)}`;
  return {
    ...plainRecordCalls(reader, emissionFactorKind, "/emission_factors"),
    create<G extends Format = F>(factor: NewEmissionFactor, options?: CreateOptions<G>) {
      const body = writeDocument("emission_factor", undefined, factor);
      return reader.one(emissionFactorKind, { method: "POST", path: "/emission_factors", body }, options);
    },
    update<G extends Format = F>(id: string, edit: EmissionFactorEdit, options?: WriteOptions<G>) {
      const body = writeDocument("emission_factor", id, edit);
      return reader.one(emissionFactorKind, { method: "PATCH", path: path(id), body }, options);
    },
    /**
     * Imports factors from a CSV text with the names of the attributes in its first line: all of them or none. A
     * ValidationError names each row that is wrong.
     * @returns the factors that were created.
     */
    async import(
      csv: string,
      options?: CallOptions & { readonly idempotencyKey?: string | undefined },
    ): Promise<readonly EmissionFactorResource[]> {
      const { idempotencyKey } = options ?? {};
      const request = { method: "POST", path: "/emission_factor_imports", body: { csv }, idempotencyKey } as const;
      return ((await reader.send({ ...request, options })).body as ListDocument<EmissionFactorResource>).data;
    },
  };
}
