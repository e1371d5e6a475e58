import { containerRoute } from "@svc/domain/container-route";
import { computeEmissions, type EmissionFactor } from "@svc/domain/emissions";
import { findSeaRoute, type SeaRoute } from "@svc/domain/sea-routes";
import type { ShipmentOverviewExportRow } from "@svc/jsonapi/exports";
import type { Services } from "../services.ts";

/** Emissions of all containers of a shipment. */
type ShipmentEmissions = Pick<ShipmentOverviewExportRow, "emissions_grams" | "emissions_unknown_reason">;
type UnknownReason = NonNullable<ShipmentEmissions["emissions_unknown_reason"]>;

const unknown = (reason: UnknownReason): ShipmentEmissions => ({
  emissions_grams: null,
  emissions_unknown_reason: reason,
});

/**
 * Computes what shipments of an export emit, as the API does of one container: with two statements and one for each
 * carrier, however many rows. Factors and distances are read and computed once. Nothing is read for an account without
 * emission factors.
 */
export async function shipmentEmissions(
  { containerRoutes: routes, emissionFactors: factors }: Pick<Services, "containerRoutes" | "emissionFactors">,
  accountId: string,
): Promise<(shipmentIds: readonly string[]) => Promise<(shipmentId: string) => ShipmentEmissions>> {
  const hasFactors = (await factors.count(accountId)) > 0;
  const factorsByCarrier = new Map<string, Promise<EmissionFactor[]>>();
  const distances = new Map<string, Pick<SeaRoute, "distanceNm"> | null>();

  const loadFactors = (scac: string): Promise<EmissionFactor[]> => {
    const known = factorsByCarrier.get(scac) ?? factors.forCarrier(accountId, scac);
    factorsByCarrier.set(scac, known);
    return known;
  };
  const findDistance: Parameters<typeof computeEmissions>[2] = (from, to) => {
    const key = `${from.locode} ${to.locode}`;
    const known = distances.get(key);
    if (known !== undefined) return known;
    const route = findSeaRoute(from, to, []);
    distances.set(key, route && { distanceNm: route.distanceNm });
    return route;
  };

  return async (shipmentIds: readonly string[]): Promise<(shipmentId: string) => ShipmentEmissions> => {
    if (!hasFactors) return () => unknown("no_factor");
    const { sources, records } = await routes.findOfShipments(accountId, shipmentIds);
    const totals = new Map<string, ShipmentEmissions>();
    for (const source of sources) {
      const stops = containerRoute(source, records);
      const { totals: computed } = computeEmissions(
        { ...source, stops },
        await loadFactors(source.carrierScac),
        findDistance,
      );
      const one = computed.find(({ energyScope }) => energyScope === "well_to_wake");
      const before = totals.get(source.shipmentId) ?? { emissions_grams: 0, emissions_unknown_reason: null };
      if (before.emissions_grams === null) continue;
      const sum = before.emissions_grams + (one?.grams ?? 0);
      const isKnown = one !== undefined && one.grams !== null;
      totals.set(
        source.shipmentId,
        isKnown ? { emissions_grams: sum, emissions_unknown_reason: null } : unknown(one?.reason ?? "leg_missing"),
      );
    }
    return (shipmentId) => totals.get(shipmentId) ?? unknown("containers_missing");
  };
}
