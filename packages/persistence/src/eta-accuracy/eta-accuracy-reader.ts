import type { Instant } from "@svc/domain";
import type { Page, PageRequest } from "@svc/domain/lists";
import { leadTimes, type PredictionAccuracy } from "@svc/domain/predicted-arrivals";
import { predictionAccuracy } from "../eta-predictions/prediction-accuracy-sql.ts";
import { type Condition, type ListSource, listRows } from "../lists/list-rows.ts";
import type { AccountSql } from "../sql.ts";

/** Errors of estimates received within a range of lead times; in hours, positive when the vessel arrived later. */
export interface LeadTimeAccuracy {
  /** Bounds of the lead time in days; null: no upper bound. */
  readonly fromDays: number;
  readonly untilDays: number | null;
  readonly estimates: number;
  readonly meanErrorHours: number | null;
  readonly meanAbsoluteErrorHours: number | null;
}

/** Accuracy of the newest estimates of one shipping line on one lane. */
export interface EtaAccuracyRecord {
  readonly id: string;
  readonly scac: string;
  readonly portOfLadingLocode: string | null;
  readonly portOfDischargeLocode: string;
  readonly shipments: number;
  readonly estimates: number;
  readonly meanErrorHours: number;
  readonly meanAbsoluteErrorHours: number;
  readonly medianAbsoluteErrorHours: number;
  readonly p90AbsoluteErrorHours: number;
  readonly byLeadTime: readonly LeadTimeAccuracy[];
  /** Of predictions from vessel positions; null: no shipment that has one has arrived. */
  readonly predictions: readonly PredictionAccuracy[] | null;
  readonly lastArrivedAt: Instant;
}

const hours = (expression: string): string => `round((${expression})::numeric, 1)::float8`;

function leadTime([from, until]: readonly [number, number | null]): string {
  const within = `FILTER (WHERE lead_days >= ${from}${until === null ? "" : ` AND lead_days < ${until}`})`;
  return `jsonb_build_object('fromDays', ${from}, 'untilDays', ${until ?? "NULL"}, 'estimates', count(*) ${within},
    'meanErrorHours', ${hours(`avg(error_hours) ${within}`)},
    'meanAbsoluteErrorHours', ${hours(`avg(abs(error_hours)) ${within}`)})`;
}

const percentile = (share: number): string =>
  hours(`percentile_cont(${share}) WITHIN GROUP (ORDER BY abs(error_hours))`);

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
    ${hours("avg(error_hours)")} AS "meanErrorHours",
    ${hours("avg(abs(error_hours))")} AS "meanAbsoluteErrorHours", ${percentile(0.5)} AS "medianAbsoluteErrorHours",
    ${percentile(0.9)} AS "p90AbsoluteErrorHours",
    jsonb_build_array(${leadTimes.map(leadTime).join(", ")}) AS "byLeadTime"
  FROM (
    SELECT s.shipment_id, extract(epoch FROM s.arrived_at - s.eta_at) / 3600 AS error_hours,
      extract(epoch FROM s.arrived_at - s.observed_at) / 86400 AS lead_days
    FROM eta_samples s WHERE ${closed} AND (${lane}) = (a.scac, a.from_key, a.to_port)
    ORDER BY s.arrived_at DESC LIMIT ${newestEstimates}) AS newest) AS accuracy`;

const source: ListSource = {
  name: "eta-accuracy",
  table: lanes,
  alias: "a",
  scope: "true",
  columns: `a.id, a.scac, a.from_port AS "portOfLadingLocode", a.to_port AS "portOfDischargeLocode",
    a.last_arrived_at AS "lastArrivedAt", accuracy.*,
    ${predictionAccuracy({ scac: "a.scac", from: "a.from_port", to: "a.to_port" })} AS predictions`,
  joins: accuracy,
  sortKeys: { last_arrived_at: { column: "a.last_arrived_at", type: "timestamptz" } },
};

export interface EtaAccuracyFilters {
  /** SCACs. */
  readonly carrier?: readonly string[] | undefined;
  /** UN/LOCODEs. */
  readonly portOfLading?: readonly string[] | undefined;
  readonly portOfDischarge?: readonly string[] | undefined;
}

const columnOf: Readonly<Record<keyof EtaAccuracyFilters, string>> = {
  carrier: "a.scac",
  portOfLading: "a.from_port",
  portOfDischarge: "a.to_port",
};

export interface EtaAccuracyReader {
  /** One record for each shipping line and lane on which shipments of the account have arrived. */
  list(
    accountId: string,
    filters: EtaAccuracyFilters,
    page: PageRequest<"last_arrived_at">,
  ): Promise<Page<EtaAccuracyRecord>>;
}

export function createEtaAccuracyReader(sql: AccountSql): EtaAccuracyReader {
  return {
    list(accountId, filters, page) {
      const keys = Object.keys(columnOf) as (keyof EtaAccuracyFilters)[];
      const conditions = keys.flatMap((key): Condition[] =>
        filters[key] === undefined
          ? []
          : [{ key, sql: (p) => `${columnOf[key]} = ANY(${p}::text[])`, value: filters[key] }],
      );
      return listRows<EtaAccuracyRecord>(sql, source, accountId, conditions, page);
    },
  };
}
