import { type EmissionFactor, type FactorSettings, factorProblem } from "@svc/domain/emissions";
import { isLocode } from "@svc/domain/identifiers";
import { TrackingError } from "@svc/jsonapi";
import type { createEmissionFactorDocument } from "@svc/jsonapi/emissions";
import type { Services } from "../services.ts";
import { canonicalScacs } from "../tracking-requests/number-forms.ts";

type Attributes = ReturnType<typeof createEmissionFactorDocument.attributes.parse>;
/** Of a creation or a change: absent attributes keep what is present. */
export type WrittenFactor = { readonly [Name in keyof Attributes]?: Attributes[Name] | undefined };

const refuse = (detail: string, name: string): TrackingError =>
  TrackingError.of("invalid", detail, { source: { pointer: `/data/attributes/${name}` } });

const wireNames: Partial<Readonly<Record<string, string>>> = {
  bothDirections: "both_directions",
  vesselImo: "vessel_imo",
  validUntil: "valid_until",
};

const orPresent = <Value>(written: Value | undefined, present: Value | undefined): Value | null =>
  written === undefined ? (present ?? null) : written;

/** Reads the settings that documents ask for, with each port looked up once. */
export function createFactorReader(services: Services) {
  const locodes = new Map<string, string | null>();

  /** By the directory of ports, whose aliases name one place. Null: no such port is known. */
  const canonicalLocode = async (locode: string): Promise<string | null> => {
    const known = locodes.get(locode);
    if (known !== undefined) return known;
    const canonical = (await services.referenceData.findPort(locode))?.locode ?? null;
    locodes.set(locode, canonical);
    return canonical;
  };

  const placesOf = async (name: "origins" | "destinations", written: readonly string[]): Promise<string[]> => {
    const places = new Set<string>();
    for (const [index, place] of written.entries()) {
      const canonical = isLocode(place) ? await canonicalLocode(place) : place;
      if (canonical === null) {
        const detail = `No port with the UN/LOCODE ${place} is known. GET /v2/ports/{locode} shows a port.`;
        throw refuse(detail, `${name}/${index}`);
      }
      places.add(canonical);
    }
    return [...places].toSorted();
  };

  /** The settings that the attributes ask for, over those of `present`. Throws for settings that make no sense. */
  return async (written: WrittenFactor, present: EmissionFactor | null): Promise<FactorSettings> => {
    const { carrier_scac: scac, origins, destinations } = written;
    const [carrierScac] = scac ? canonicalScacs([scac], await services.shippingLines()) : [scac];
    const settings: FactorSettings = {
      name: written.name ?? present?.name ?? "",
      energyScope: written.energy_scope ?? present?.energyScope ?? "well_to_wake",
      gramsPerTeuKm: written.grams_per_teu_km ?? present?.gramsPerTeuKm ?? 0,
      distanceBasis: written.distance_basis ?? present?.distanceBasis ?? "actual_distance",
      source: written.source ?? present?.source ?? "",
      carrierScac: orPresent(carrierScac, present?.carrierScac),
      origins: origins ? await placesOf("origins", origins) : (present?.origins ?? []),
      destinations: destinations ? await placesOf("destinations", destinations) : (present?.destinations ?? []),
      bothDirections: written.both_directions ?? present?.bothDirections ?? false,
      vesselImo: orPresent(written.vessel_imo, present?.vesselImo),
      equipment: orPresent(written.equipment, present?.equipment),
      validFrom: orPresent(written.valid_from, present?.validFrom),
      validUntil: orPresent(written.valid_until, present?.validUntil),
    };
    const problem = factorProblem(settings);
    if (problem === null) return settings;
    const place = problem.index === undefined ? "" : `/${problem.index}`;
    throw refuse(problem.detail, `${wireNames[problem.setting] ?? problem.setting}${place}`);
  };
}
