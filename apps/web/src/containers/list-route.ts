import type { Clock } from "@svc/domain";
import type { Database } from "@svc/persistence";
import type { DashboardRoutes } from "../dashboard/dashboard-routes.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { createLineCatalogue } from "../shipments/line-catalogue.ts";
import { containerListPage } from "./list-page.ts";
import { containerFiltersOf, pageSize, readContainerQuery } from "./list-query.ts";

/** `GET /containers?view=&tracking=&status=&number=&carrier=&port=&customer=&tag=&sort=&page=`. */
export function addContainerListRoute(
  routes: DashboardRoutes,
  options: { readonly database: Database; readonly apiBaseUrl: string; readonly clock: Clock },
): void {
  const { database, apiBaseUrl, clock } = options;
  const readLines = createLineCatalogue(database.sql);
  routes.page("/containers", async (request, response, caller) => {
    const query = readContainerQuery(request.query);
    const now = clock.now();
    const sort = `${query.descending ? "-" : ""}${query.sortBy}`;
    const [{ data, meta }, lines] = await Promise.all([
      caller.api.overviews.containers({ filter: containerFiltersOf(query, now), sort, page: query.page, pageSize }),
      readLines(),
    ]);
    const total = meta?.page?.total ?? null;
    sendLivePage(request, response, containerListPage({ caller, apiBaseUrl, now, query, items: data, total, lines }));
  });
}
