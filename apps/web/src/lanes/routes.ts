import { EtaAccuracyResource, TransitTimeResource } from "@svc/jsonapi/lanes";
import { sendRows } from "../exports/send-rows.ts";
import { get, type Route } from "../http/define-route.ts";
import type { PageHandler } from "../http/handler.ts";
import { queryText } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import type { Services } from "../services.ts";
import { readCarrierMenu } from "../tracking-requests/carrier-menu.ts";
import { allLanes, readLaneFilter, readLanes } from "./lane-query.ts";
import { performancePage } from "./performance-page.ts";

const tables = {
  etaAccuracy: { name: "eta-accuracy", attributes: EtaAccuracyResource.shape.attributes },
  transitTimes: { name: "transit-times", attributes: TransitTimeResource.shape.attributes },
} as const;

type Row = Readonly<Record<string, unknown>>;

/** Each lead time has its own column, such as "mean_absolute_error_hours_0_1_days". */
function flat({ by_lead_time: leadTimes, ...attributes }: Row): Row {
  const buckets = (leadTimes ?? []) as readonly {
    from_days: number;
    until_days: number | null;
    [name: string]: unknown;
  }[];
  const columns = buckets.map(({ from_days: from, until_days: until, mean_absolute_error_hours: error }) => [
    `mean_absolute_error_hours_${from}_${until ?? "more"}_days`,
    error,
  ]);
  return { ...attributes, ...Object.fromEntries(columns) };
}

/** The page and its tables as CSV and Excel files. */
export function laneRoutes({ apiBaseUrl }: Pick<Services, "apiBaseUrl">): readonly Route[] {
  const show: PageHandler = async (request, response, caller) => {
    const filter = await readLaneFilter(request, caller.api);
    const [lanes, { lines }] = await Promise.all([readLanes(caller.api, filter), readCarrierMenu(caller.api)]);
    sendPage(response, 200, performancePage({ caller, apiBaseUrl, filter, lines, ...lanes }));
  };

  const sendTable: PageHandler = async (request, response, { api }) => {
    const table = queryText(request, "table") === "eta_accuracy" ? "etaAccuracy" : "transitTimes";
    const { name, attributes } = tables[table];
    const leadTimes = ["0_1", "1_3", "3_7", "7_14", "14_more"].map((one) => `mean_absolute_error_hours_${one}_days`);
    const columns = Object.keys(attributes.shape).flatMap((column) => (column === "by_lead_time" ? leadTimes : column));
    const filter = await readLaneFilter(request, api);
    async function* rows() {
      for await (const lanes of allLanes(api, table, filter)) {
        for (const { attributes } of lanes) yield flat(attributes);
      }
    }
    await sendRows(request, response, { name, columns, rows: rows() });
  };

  return [
    get("/carriers/performance", "read", show),
    get("/carriers/performance.csv", "read", sendTable),
    get("/carriers/performance.xlsx", "read", sendTable),
  ];
}
