import { type EmissionFactor, type FactorSettings, factorProblem, factorSettings } from "@svc/domain/emissions";
import { isLocode } from "@svc/domain/identifiers";
import { invalidAttribute, toDomainValue, toWireName } from "@svc/jsonapi";
import type { editEmissionFactorDocument } from "@svc/jsonapi/emissions";
import type { Services } from "../services.ts";
import { canonicalScacs } from "../tracking-requests/number-forms.ts";

type Attributes = ReturnType<typeof editEmissionFactorDocument.attributes.parse>;

/** Reads the settings of documents, with each port looked up once. */
export function createFactorReader(services: Services) {
  const locodes = new Map<string, string | null>();

  /**
   * Returns the UN/LOCODE of a place in the directory of ports; its aliases name the same place. Null: unknown.
   */
  const canonicalLocode = async (locode: string): Promise<string | null> => {
    const known = locodes.get(locode);
    if (known !== undefined) return known;
    const canonical = (await services.referenceData.findPort(locode))?.locode ?? null;
    locodes.set(locode, canonical);
    return canonical;
  };

  const readPlaces = async (name: "origins" | "destinations", written: readonly string[]): Promise<string[]> => {
    const places = new Set<string>();
    for (const [index, place] of written.entries()) {
      const canonical = isLocode(place) ? await canonicalLocode(place) : place;
      if (canonical === null) {
        const detail = `No port with the UN/LOCODE ${place} is known. GET /v2/ports/{locode} shows a port.`;
        throw invalidAttribute(`${name}/${index}`, detail);
      }
      places.add(canonical);
    }
    return [...places].toSorted();
  };

  /** Merges the attributes into `present`. Throws `TrackingError` for contradictory settings. */
  return async (attributes: Attributes, present: EmissionFactor | null): Promise<FactorSettings> => {
    const written = toDomainValue(attributes);
    const { carrierScac: scac, origins, destinations } = written;
    const [carrierScac] = scac ? canonicalScacs([scac], await services.shippingLines()) : [];
    const codes = {
      ...(carrierScac && { carrierScac }),
      ...(origins && { origins: await readPlaces("origins", origins) }),
      ...(destinations && { destinations: await readPlaces("destinations", destinations) }),
    };
    const settings = factorSettings({ ...written, ...codes }, present);
    const problem = factorProblem(settings);
    if (problem === null) return settings;
    const place = problem.index === undefined ? "" : `/${problem.index}`;
    throw invalidAttribute(`${toWireName(problem.setting)}${place}`, problem.detail);
  };
}
