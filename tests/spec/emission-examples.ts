import type { Resource } from "../e2e/harness/api-client.ts";
import type { ExampleRecorder } from "./example-recorder.ts";

const value = { energy_scope: "well_to_wake", grams_per_teu_km: 62.5, distance_basis: "actual_distance" };
export const newFactor = { name: "SandBox Line, 2026", ...value, source: "Report of the line", carrier_scac: "SBXL" };

export const factorFile =
  "name,energy_scope,grams_per_teu_km,distance_basis,source,origins,destinations,both_directions\n" +
  "Asia – North Europe,well_to_wake,55.1,actual_distance,Report of the trade,CN KR JP,NL DE BE,yes\n";

/** The operations on emission factors, and what a container emits by them. */
export async function recordEmissions(api: ExampleRecorder, { id }: Resource): Promise<void> {
  const document = (attributes: object, more: object = {}) => ({
    data: { type: "emission_factor", attributes, ...more },
  });
  const { data } = await api.record("createEmissionFactor", "POST /emission_factors", document(newFactor));
  const path = `/emission_factors/${data.id}`;
  await api.record("getEmissionFactor", `GET ${path}`);
  await api.record("listEmissionFactors", "GET /emission_factors");
  await api.record("editEmissionFactor", `PATCH ${path}`, document({ grams_per_teu_km: 60 }, { id: data.id }));
  await api.record("importEmissionFactors", "POST /emission_factor_imports", { csv: factorFile });
  await api.record("getContainerEmissions", `GET /containers/${id}/emissions`);
}
