import { leadTimes } from "@svc/domain/eta-predictions";

/** Number of the newest predictions of a lane that count. */
const newestPredictions = 500;

export const oneDecimal = (expression: string): string => `round((${expression})::numeric, 1)::float8`;

function leadTime([from, until]: readonly [number, number | null]): string {
  const within = `FILTER (WHERE lead_days >= ${from}${until === null ? "" : ` AND lead_days < ${until}`})`;
  return `jsonb_build_object('fromDays', ${from}, 'untilDays', ${until ?? "NULL"}, 'predictions', count(*) ${within},
    'shipments', count(DISTINCT shipment_id) ${within}, 'meanErrorHours', ${oneDecimal(`avg(error_hours) ${within}`)},
    'meanAbsoluteErrorHours', ${oneDecimal(`avg(abs(error_hours)) ${within}`)},
    'carrierMeanAbsoluteErrorHours', ${oneDecimal(`avg(abs(carrier_error_hours)) ${within}`)},
    'intervalCoverage', round(avg(is_within::int) ${within}, 2)::float8)`;
}

/**
 * PredictionAccuracy by lead time of a lane, from the predictions of shipments of the account `$1` that have arrived at
 * the port; null without any. Split shipments do not count: the prediction is of the vessel of the last container, the
 * actual arrival that of the first one.
 *
 * @param lane expressions of the SCAC and of the UN/LOCODEs of both ports.
 */
export function predictionAccuracy(lane: {
  readonly scac: string;
  readonly from: string;
  readonly to: string;
}): string {
  return `(SELECT CASE WHEN count(*) > 0 THEN jsonb_build_array(${leadTimes.map(leadTime).join(", ")}) END
    FROM (
      SELECT p.shipment_id, extract(epoch FROM arrived.pod_ata_at - p.eta_at) / 3600 AS error_hours,
        extract(epoch FROM arrived.pod_ata_at - p.carrier_eta_at) / 3600 AS carrier_error_hours,
        arrived.pod_ata_at BETWEEN p.earliest_at AND p.latest_at AS is_within,
        extract(epoch FROM arrived.pod_ata_at - p.predicted_at) / 86400 AS lead_days
      FROM eta_predictions p
      JOIN shipments arrived ON arrived.account_id = p.account_id AND arrived.id = p.shipment_id
      JOIN ports port ON port.id = arrived.port_of_discharge_id AND port.locode = p.port_of_discharge_locode
      WHERE p.account_id = $1 AND p.shipping_line_scac = ${lane.scac} AND p.port_of_discharge_locode = ${lane.to}
        AND p.port_of_lading_locode IS NOT DISTINCT FROM ${lane.from} AND p.carrier_eta_at IS NOT NULL
        AND arrived.pod_ata_at > p.predicted_at AND NOT EXISTS (SELECT FROM containers c
          WHERE c.account_id = p.account_id AND c.shipment_id = p.shipment_id AND c.pod_eta_at IS NOT NULL)
      ORDER BY p.predicted_at DESC LIMIT ${newestPredictions}) AS newest)`;
}
