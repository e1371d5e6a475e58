import type { Instant } from "@svc/domain";
import type { PredictedArrival } from "@svc/domain/eta-predictions";
import type { SeaPort } from "@svc/domain/sea-routes";
import { uuidV7 } from "../ids.ts";
import type { Sql, Statement } from "../sql.ts";

/** A new prediction follows the previous one of its shipment after this time. */
const predictEveryHours = 6;
export const shipmentBatchMax = 500;

/** A shipment whose vessel is on its way to the port of discharge. */
export interface ShipmentUnderWay {
  readonly accountId: string;
  readonly shipmentId: string;
  readonly shippingLineScac: string;
  readonly portOfLadingLocode: string | null;
  readonly carrierEtaAt: Instant | null;
  readonly vesselId: string;
  /** Last port that the vessel departed from. */
  readonly from: SeaPort;
  readonly to: SeaPort;
  readonly departedAt: Instant;
}

/** Selects shipments whose vessel has reported a position since its departure, without a recent prediction. */
const shipmentsUnderWay: Statement = {
  name: "eta-predictions.shipments-under-way",
  text: `
    SELECT s.account_id AS "accountId", s.id AS "shipmentId", s.shipping_line_scac AS "shippingLineScac",
      (SELECT locode FROM ports WHERE id = s.port_of_lading_id) AS "portOfLadingLocode",
      s.pod_eta_at AS "carrierEtaAt", vessels.id AS "vesselId",
      json_build_object('locode', origin.locode,
        'position', json_build_array(origin.longitude, origin.latitude)) AS "from",
      json_build_object('locode', pod.locode, 'position', json_build_array(pod.longitude, pod.latitude)) AS "to",
      COALESCE(departure.occurred_at, s.pol_atd_at) AS "departedAt"
    FROM shipments s
    JOIN ports pod ON pod.id = s.port_of_discharge_id
    JOIN vessels ON vessels.id = s.pod_vessel_id
    CROSS JOIN LATERAL (
      SELECT e.port_id, e.occurred_at FROM transport_events e
      WHERE e.account_id = s.account_id AND e.shipment_id = s.id AND e.vessel_id = s.pod_vessel_id
        AND e.invalidated_at IS NULL AND e.port_id IS NOT NULL AND e.occurred_at IS NOT NULL
        AND e.event IN ('vessel_departed', 'transshipment_departed', 'feeder_departed')
      ORDER BY e.occurred_at DESC LIMIT 1) AS departure
    JOIN ports origin ON origin.id = departure.port_id
    WHERE s.pod_ata_at IS NULL AND s.line_tracking_stopped_at IS NULL AND s.superseded_at IS NULL
      AND s.pol_atd_at IS NOT NULL AND origin.id <> pod.id
      AND pod.longitude IS NOT NULL AND pod.latitude IS NOT NULL
      AND origin.longitude IS NOT NULL AND origin.latitude IS NOT NULL
      AND EXISTS (SELECT FROM vessel_positions p WHERE p.vessel_id = s.pod_vessel_id AND p.at > departure.occurred_at
        AND p.at > $1::timestamptz - interval '12 hours' AND p.at <= $1)
      AND NOT EXISTS (SELECT FROM eta_predictions p WHERE p.account_id = s.account_id AND p.shipment_id = s.id
        AND p.predicted_at > $1::timestamptz - interval '${predictEveryHours} hours')
      AND ($2::uuid IS NULL OR (s.account_id, s.id) > ($2, $3::uuid))
    ORDER BY s.account_id, s.id LIMIT ${shipmentBatchMax}`,
};

/** Reads a page of shipments of all accounts, after the given one. The last page has fewer than `shipmentBatchMax`. */
export function readShipmentsUnderWay(
  sql: Sql,
  now: Instant,
  after: ShipmentUnderWay | null,
): Promise<ShipmentUnderWay[]> {
  return sql.rows<ShipmentUnderWay>(shipmentsUnderWay, [now, after?.accountId ?? null, after?.shipmentId ?? null]);
}

const insert: Statement = {
  name: "eta-predictions.insert",
  text: `
    INSERT INTO eta_predictions (account_id, id, shipment_id, shipping_line_scac, port_of_lading_locode,
      port_of_discharge_locode, predicted_at, eta_at, earliest_at, latest_at, carrier_eta_at, position_at,
      distance_left_nm, speed_knots)
    SELECT s.account_id, r.id, s.id, r."shippingLineScac", r."portOfLadingLocode", r."portOfDischargeLocode", $2,
      r."etaAt", r."earliestAt", r."latestAt", r."carrierEtaAt", r."positionAt", r."distanceLeftNm", r."speedKnots"
    FROM jsonb_to_recordset($1::jsonb) AS r(id uuid, "accountId" uuid, "shipmentId" uuid, "shippingLineScac" text,
      "portOfLadingLocode" text, "portOfDischargeLocode" text, "etaAt" timestamptz, "earliestAt" timestamptz,
      "latestAt" timestamptz, "carrierEtaAt" timestamptz, "positionAt" timestamptz, "distanceLeftNm" float8,
      "speedKnots" float8)
    JOIN shipments s ON s.account_id = r."accountId" AND s.id = r."shipmentId" AND s.pod_ata_at IS NULL`,
};

/** A shipment that has arrived or was deleted meanwhile gets none. */
export async function storePredictions(
  sql: Sql,
  predictions: readonly (readonly [ShipmentUnderWay, PredictedArrival])[],
  now: Instant,
): Promise<void> {
  if (predictions.length === 0) return;
  const rows = predictions.map(
    ([{ to, from: _from, departedAt: _departedAt, vesselId: _vesselId, ...shipment }, arrival]) => ({
      id: uuidV7.next(),
      ...shipment,
      portOfDischargeLocode: to.locode,
      ...arrival,
    }),
  );
  await sql.execute(insert, [JSON.stringify(rows), now]);
}
