import type { Instant, Page, PageRequest } from "@svc/domain";
import { type Condition, type ListSource, listRows } from "../lists/list-rows.ts";
import type { AccountSql } from "../sql.ts";

/** How far estimates were off that were heard so long before the arrival; hours, positive when the vessel came later. */
export interface LeadTimeAccuracy {
  /** The bounds in days; null: no upper bound. */
  readonly fromDays: number;
  readonly untilDays: number | null;
  readonly estimates: number;
  readonly meanErrorHours: number | null;
  readonly meanAbsoluteErrorHours: number | null;
}

/** What the estimates of one line on one lane were worth. */
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
  readonly lastArrivedAt: Instant;
}

const leadTimes: readonly (readonly [number, number | null])[] = [
  [0, 1],
  [1, 3],
  [3, 7],
  [7, 14],
  [14, null],
];

const hours = (expression: string): string => `round((${expression})::numeric, 1)::float8`;

function leadTime([from, until]: readonly [number, number | null]): string {
  const within = `FILTER (WHERE lead_days >= ${from}${until === null ? "" : ` AND lead_days < ${until}`})`;
  return `jsonb_build_object('fromDays', ${from}, 'untilDays', ${until ?? "NULL"}, 'estimates', count(*) ${within},
    'meanErrorHours', ${hours(`avg(error_hours) ${within}`)},
    'meanAbsoluteErrorHours', ${hours(`avg(abs(error_hours)) ${within}`)})`;
}

const percentile = (share: number): string =>
  hours(`percentile_cont(${share}) WITHIN GROUP (ORDER BY abs(error_hours))`);

// What was heard after the arrival foretold nothing.
const accuracies = `(
  SELECT account_id, overlay(overlay(md5(concat_ws(' ', scac, from_port, to_port)) PLACING '8' FROM 13) PLACING '8' FROM 17)::uuid AS id, scac, from_port, to_port,
    count(DISTINCT shipment_id)::int AS shipments, count(*)::int AS estimates, ${hours("avg(error_hours)")} AS mean_error,
    ${hours("avg(abs(error_hours))")} AS mean_absolute_error, ${percentile(0.5)} AS median_absolute_error,
    ${percentile(0.9)} AS p90_absolute_error, jsonb_build_array(${leadTimes.map(leadTime).join(", ")}) AS by_lead_time,
    max(arrived_at) AS last_arrived_at
  FROM (
    SELECT account_id, shipment_id, shipping_line_scac AS scac, port_of_lading_locode AS from_port,
      port_of_discharge_locode AS to_port, arrived_at,
      extract(epoch FROM arrived_at - eta_at) / 3600 AS error_hours,
      extract(epoch FROM arrived_at - heard_at) / 86400 AS lead_days
    FROM eta_samples WHERE arrived_at > heard_at) AS closed
  GROUP BY account_id, scac, from_port, to_port)`;

const source: ListSource = {
  name: "eta-accuracy",
  table: accuracies,
  alias: "a",
  scope: "a.account_id = $1",
  columns: `a.id, a.scac, a.from_port AS "portOfLadingLocode", a.to_port AS "portOfDischargeLocode", a.shipments, a.estimates,
    a.mean_error AS "meanErrorHours", a.mean_absolute_error AS "meanAbsoluteErrorHours",
    a.median_absolute_error AS "medianAbsoluteErrorHours", a.p90_absolute_error AS "p90AbsoluteErrorHours",
    a.by_lead_time AS "byLeadTime", a.last_arrived_at AS "lastArrivedAt"`,
  joins: "",
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
  /** One record for each line and lane on which shipments of the account have arrived. */
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
