import { leadTimes } from "@svc/domain/eta-predictions";
import type { EtaAccuracy } from "@svc/domain/lanes";
import { oneDecimal, predictionAccuracy } from "../eta-predictions/prediction-accuracy-sql.ts";
import { laneReader } from "./lane-reader.ts";

function leadTime([from, until]: readonly [number, number | null]): string {
  const within = `FILTER (WHERE lead_days >= ${from}${until === null ? "" : ` AND lead_days < ${until}`})`;
  return `jsonb_build_object('fromDays', ${from}, 'untilDays', ${until ?? "NULL"}, 'estimates', count(*) ${within},
    'meanErrorHours', ${oneDecimal(`avg(error_hours) ${within}`)},
    'meanAbsoluteErrorHours', ${oneDecimal(`avg(abs(error_hours)) ${within}`)})`;
}

const percentile = (share: number): string =>
  oneDecimal(`percentile_cont(${share}) WITHIN GROUP (ORDER BY abs(error_hours))`);

/** The expression of the index `eta_samples_closed`. */
const fromKey = "CASE WHEN s.port_of_lading_locode IS NULL THEN '' ELSE s.port_of_lading_locode END";

/** Key of a lane. */
const lane = `s.shipping_line_scac, ${fromKey}, s.port_of_discharge_locode`;

/** Estimates received after the arrival do not count. */
const closed = "s.account_id = $1 AND s.arrived_at > s.observed_at";

/** The latest arrival of the first lane, or of the next lane after a given one. */
const firstLane = (condition: string): string => `
  SELECT s.shipping_line_scac AS scac, ${fromKey} AS from_key, s.port_of_discharge_locode AS to_port,
    s.arrived_at AS last_arrived_at
  FROM eta_samples s WHERE ${closed} ${condition} ORDER BY ${lane}, s.arrived_at DESC LIMIT 1`;

/** A loose index scan from lane to lane: one row of each, however many estimates it has. */
const lanes = `(
  WITH RECURSIVE lanes AS (
    (${firstLane("")})
    UNION ALL
    SELECT next.* FROM lanes CROSS JOIN LATERAL (
      ${firstLane(`AND (${lane}) > (lanes.scac, lanes.from_key, lanes.to_port)`)}) AS next)
  SELECT scac, from_key, NULLIF(from_key, '') AS from_port, to_port, last_arrived_at,
    overlay(overlay(md5(concat_ws(' ', scac, NULLIF(from_key, ''), to_port)) PLACING '8' FROM 13)
      PLACING '8' FROM 17)::uuid AS id
  FROM lanes)`;

/**
 * Number of the newest estimates of a lane that count, so that a page costs no more for an account with a long history
 * and the result follows recent accuracy.
 */
export const newestEstimates = 200;

/** Computed only for the lanes of the page. */
const accuracy = `CROSS JOIN LATERAL (
  SELECT count(DISTINCT shipment_id)::int AS shipments, count(*)::int AS estimates,
    ${oneDecimal("avg(error_hours)")} AS "meanErrorHours",
    ${oneDecimal("avg(abs(error_hours))")} AS "meanAbsoluteErrorHours",
    ${percentile(0.5)} AS "medianAbsoluteErrorHours", ${percentile(0.9)} AS "p90AbsoluteErrorHours",
    jsonb_build_array(${leadTimes.map(leadTime).join(", ")}) AS "byLeadTime"
  FROM (
    SELECT s.shipment_id, extract(epoch FROM s.arrived_at - s.eta_at) / 3600 AS error_hours,
      extract(epoch FROM s.arrived_at - s.observed_at) / 86400 AS lead_days
    FROM eta_samples s WHERE ${closed} AND (${lane}) = (a.scac, a.from_key, a.to_port)
    ORDER BY s.arrived_at DESC LIMIT ${newestEstimates}) AS newest) AS accuracy`;

/** Lanes on which shipments of the account have arrived. */
export const createEtaAccuracyReader = laneReader<EtaAccuracy>({
  name: "eta-accuracy",
  table: lanes,
  columns: `a.id, a.scac, a.from_port AS "portOfLadingLocode", a.to_port AS "portOfDischargeLocode",
    a.last_arrived_at AS "lastArrivedAt", accuracy.*,
    ${predictionAccuracy({ scac: "a.scac", from: "a.from_port", to: "a.to_port" })} AS predictions`,
  joins: accuracy,
});
