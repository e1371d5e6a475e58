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
  readonly name?: string | undefined;
  /** well_to_wake: production and combustion of the fuel; tank_to_wake: its combustion on board. */
  readonly energyScope?: "well_to_wake" | "tank_to_wake" | undefined;
  /** Grams of CO2 equivalent. */
  readonly gramsPerTeuKm?: number | undefined;
  /** Distance the factor applies to: as sailed, or the shortest feasible one, where the factor is adjusted to it. */
  readonly distanceBasis?: "actual_distance" | "shortest_feasible_distance" | undefined;
  /** Publication of the value, with edition and year. */
  readonly source?: string | undefined;
  /** SCAC of the shipping line. */
  readonly carrierScac?: string | null | undefined;
  /** Countries (`CN`) and ports (`CNSHA`) in which a leg begins. */
  readonly origins?: readonly string[] | undefined;
  readonly destinations?: readonly string[] | undefined;
  /** Whether the factor also applies to legs from a destination to an origin. */
  readonly bothDirections?: boolean | undefined;
  readonly vesselImo?: string | null | undefined;
  /** dry: every container that is no reefer. */
  readonly equipment?: "dry" | "reefer" | null | undefined;
  /** YYYY-MM-DD: the first day on which a leg may depart. */
  readonly validFrom?: string | null | undefined;
  /** YYYY-MM-DD: the last day on which a leg may depart. */
  readonly validUntil?: string | null | undefined;
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
