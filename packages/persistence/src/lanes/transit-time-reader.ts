import type { TransitTime } from "@svc/domain/lanes";
import { oneDecimal } from "../eta-predictions/prediction-accuracy-sql.ts";
import { laneReader } from "./lane-reader.ts";

/** Key of a lane, as in the index `shipments_arrived_by_lane`. */
const lane = "s.shipping_line_scac, s.port_of_lading_id, s.port_of_discharge_id";

/** The condition of that index. */
const arrived = `s.account_id = $1 AND s.pol_atd_at IS NOT NULL AND s.pod_ata_at IS NOT NULL
  AND s.port_of_lading_id IS NOT NULL AND s.port_of_discharge_id IS NOT NULL`;

/** The latest arrival of the first lane, or of the next lane after a given one. */
const firstLane = (condition: string): string => `
  SELECT s.shipping_line_scac AS scac, s.port_of_lading_id AS from_id, s.port_of_discharge_id AS to_id,
    s.pod_ata_at AS last_arrived_at
  FROM shipments s WHERE ${arrived} ${condition} ORDER BY ${lane}, s.pod_ata_at DESC LIMIT 1`;

/** A loose index scan from lane to lane: one row of each, however many shipments it has. */
const lanes = `(
  WITH RECURSIVE lanes AS (
    (${firstLane("")})
    UNION ALL
    SELECT next.* FROM lanes CROSS JOIN LATERAL (
      ${firstLane(`AND (${lane}) > (lanes.scac, lanes.from_id, lanes.to_id)`)}) AS next)
  SELECT lanes.*, pol.locode AS from_port, pol.name AS from_name, pod.locode AS to_port, pod.name AS to_name,
    overlay(overlay(md5(concat_ws(' ', scac, from_id, to_id)) PLACING '8' FROM 13) PLACING '8' FROM 17)::uuid AS id
  FROM lanes JOIN ports pol ON pol.id = lanes.from_id JOIN ports pod ON pod.id = lanes.to_id)`;

/**
 * Number of the newest arrivals of a lane that count, so that a page costs no more for an account with a long history
 * and the result follows recent voyages.
 */
export const newestArrivals = 200;

const between = (from: string, until: string): string => `extract(epoch FROM ${until} - ${from}) / 86400`;
const percentile = (share: number, value: string): string =>
  oneDecimal(`percentile_cont(${share}) WITHIN GROUP (ORDER BY ${value})`);

const statistics = (value: string, name: string): string =>
  `${oneDecimal(`avg(${value})`)} AS "mean${name}Days", ${percentile(0.5, value)} AS "median${name}Days",
    ${percentile(0.9, value)} AS "p90${name}Days"`;

/**
 * Computed only for the lanes of the page. `OFFSET 0` keeps the containers of each shipment an index scan: a hash join
 * would read all of the account.
 */
const times = `CROSS JOIN LATERAL (
  WITH newest AS MATERIALIZED (
    SELECT s.id, s.pol_atd_at, s.pod_ata_at FROM shipments s
    WHERE ${arrived} AND (${lane}) = (a.scac, a.from_id, a.to_id)
    ORDER BY s.pod_ata_at DESC LIMIT ${newestArrivals})
  SELECT transit.*, dwell.* FROM (
    SELECT count(*)::int AS shipments, ${statistics(between("n.pol_atd_at", "n.pod_ata_at"), "Transit")}
    FROM newest n WHERE n.pod_ata_at > n.pol_atd_at) AS transit
  CROSS JOIN (
    SELECT count(*)::int AS containers, ${statistics(between("c.pod_discharged_at", "c.pod_full_out_at"), "Dwell")}
    FROM newest n CROSS JOIN LATERAL (
      SELECT container.pod_discharged_at, container.pod_full_out_at FROM containers container
      WHERE container.account_id = $1 AND container.shipment_id = n.id OFFSET 0) AS c
    WHERE c.pod_full_out_at > c.pod_discharged_at) AS dwell) AS times`;

/** Lanes on which shipments of the account have departed and arrived. */
export const createTransitTimeReader = laneReader<TransitTime>({
  name: "transit-times",
  table: lanes,
  columns: `a.id, a.scac AS "shippingLineScac", a.from_port AS "portOfLadingLocode", a.from_name AS "portOfLadingName",
    a.to_port AS "portOfDischargeLocode", a.to_name AS "portOfDischargeName",
    a.last_arrived_at AS "lastArrivedAt", times.*`,
  joins: times,
});
