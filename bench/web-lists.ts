import { containerConditions } from "@svc/domain/saved-views";
import { overviewStatuses } from "@svc/domain/shipments";
import type { Database } from "@svc/persistence";
import { insertSailingContainers } from "./map/sailing-containers.ts";
import { median, type Rate } from "./rounds.ts";
import { type PageServices, startPageServices } from "./web/page-services.ts";

const shipments = 10_000;
const containers = 3 * shipments;
const requestsPerPage = 5;
const responseMaxMs = 300;

/** Every sort key and every filter of both lists, each alone, and what is often combined. */
const lists: Readonly<Record<string, readonly string[]>> = {
  "/shipments?page_size=50": [
    "",
    ...["created_at", "-last_changed_at", "last_changed_at", "-updated_at", "updated_at", "arrival", "-arrival"].map(
      (sort) => `sort=${sort}`,
    ),
    ...overviewStatuses.map((status) => `status=${status}`),
    ...["next_7_days", "next_30_days", "past_7_days", "past_30_days"].map((arrival) => `arrival=${arrival}`),
    "carrier=SBXL",
    "carrier=MAEU",
    "port=NLRTM",
    "vessel=vessel%2012",
    "vessel=8000012",
    "tag=urgent",
    "customer=customer%201",
    "tracking=active",
    "tracking=stopped",
    "updated_after=2026-01-01",
    "q=SBXMAP0012",
    "q=SBXM0000123",
    "q=rotterdam",
    "port=NLRTM&sort=-last_changed_at",
    "vessel=vessel%2012&sort=arrival",
    "tag=urgent&sort=-arrival",
  ],
  "/containers": [
    "",
    ...["last_free_day", "arrival", "delay", "number", "last_changed_at", "updated_at", "created_at"].flatMap(
      (sort) => [`sort=${sort}`, `sort=-${sort}`],
    ),
    ...containerConditions.map((view) => `view=${view}`),
    "tracking=any",
    "tracking=stopped",
    "returned=any",
    "status=on_ship",
    "number=SBXM0000123",
    "carrier=SBXL",
    "port=NLRTM",
    "vessel=vessel%2012",
    "vessel=8000012",
    "customer=customer%201",
    "tag=urgent",
    "late_days=3",
    "last_free_day_from=2026-01-01",
    "last_free_day_to=2027-12-31",
    "arrival_from=2026-01-01",
    "arrival_to=2027-12-31",
    "vessel=vessel%2012&sort=arrival",
    "port=NLRTM&sort=-last_changed_at",
    "sort=arrival&page=100",
  ],
};

/**
 * Statements for the values that lists are filtered and sorted by, besides voyages. Of fifty shipments nine are
 * returned and one is cancelled.
 */
const details = [
  `INSERT INTO parties (account_id, id, company_name, created_at, updated_at)
   SELECT $1, gen_random_uuid(), 'Customer ' || n, now(), now() FROM generate_series(1, 50) AS n`,
  `UPDATE tracking_subjects SET last_changed_at = now() - random() * interval '20 days' WHERE account_id = $1`,
  `WITH customers AS (SELECT array_agg(id) AS ids FROM parties WHERE account_id = $1)
   UPDATE shipments SET tags = CASE WHEN random() < 0.05 THEN '{urgent}' ELSE '{}' END::text[],
     customer_id = ids[1 + floor(random() * 50)::int], updated_at = now() - random() * interval '20 days'
   FROM customers WHERE account_id = $1`,
  `UPDATE shipments SET line_tracking_stopped_at = now(), line_tracking_stopped_reason = CASE
     WHEN random() < 0.1 THEN 'booking_cancelled' ELSE 'all_containers_terminated' END
   WHERE account_id = $1 AND random() < 0.2`,
  `UPDATE containers SET pickup_lfd = now() + (random() * 20 - 5) * interval '1 day',
     available_for_pickup = random() < 0.1 WHERE account_id = $1 AND random() < 0.4`,
];

async function fill(database: Database, accountId: string): Promise<void> {
  await insertSailingContainers(database, accountId, containers);
  for (const statement of details) await database.pool.query(statement, [accountId]);
  await database.pool.query("VACUUM ANALYZE");
}

/** The median and the worst of a few whole requests. */
async function timesOf({ url, cookie }: PageServices, path: string): Promise<{ medianMs: number; worstMs: number }> {
  const tookMs: number[] = [];
  for (let index = 0; index < requestsPerPage; index++) {
    const startedMs = performance.now();
    const response = await fetch(`${url}${path}`, { headers: { cookie: cookie.join("=") } });
    await response.text();
    if (response.status !== 200) throw new Error(`${path} answers ${response.status}.`);
    tookMs.push(performance.now() - startedMs);
  }
  return { medianMs: median(tookMs), worstMs: Math.max(...tookMs) };
}

/**
 * The lists of shipments and of containers with every sort key and filter, as whole requests without a browser, over
 * 10,000 shipments with 30,000 containers.
 */
export async function benchmarkWebLists({ postgresUrl }: { readonly postgresUrl: string }): Promise<Rate[]> {
  const services = await startPageServices(postgresUrl, fill);
  const rates: Rate[] = [];
  for (const [path, queries] of Object.entries(lists)) {
    const times = [];
    for (const query of queries) {
      const address = query === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${query}`;
      times.push({ query: query || "unfiltered", ...(await timesOf(services, address)) });
    }
    times.sort((one, other) => other.medianMs - one.medianMs);
    const slowest = times.slice(0, 3).map(({ query, medianMs }) => `${query} ${medianMs.toFixed(0)}`);
    const note = `median of ${requestsPerPage} for each of ${queries.length} queries; slowest: ${slowest.join(", ")}`;
    const worst = Math.max(...times.map(({ worstMs }) => worstMs));
    rates.push(
      {
        name: `${path}, ${shipments.toLocaleString("en-US")} shipments: whole request`,
        unit: "ms",
        rates: times.map(({ medianMs }) => medianMs),
        note,
      },
      {
        name: `${path}: slowest request of all`,
        unit: "ms",
        rates: [worst],
        note: "",
        aim: { atMost: responseMaxMs },
      },
    );
  }
  await services.stop();
  return rates;
}
