import type { Clock } from "@svc/domain";
import type { DashboardRoutes } from "../dashboard/dashboard-routes.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { rowsNote } from "../rows/shipment-rows.ts";
import { findPort, isLocode } from "../saved-views/port-choice.ts";
import { readListViews } from "../saved-views/read-views.ts";
import { byReference } from "./find-reference.ts";
import { containerListPage } from "./list-page.ts";
import { containerFiltersOf, containersPath, pageSize, readContainerQuery, sortText } from "./list-query.ts";

/**
 * `GET /containers?view=&tracking=&status=&number=&reference=&carrier=&port=&customer=&tag=&sort=&columns=&saved=
 * &page=`.
 */
export function addContainerListRoute(
  routes: DashboardRoutes,
  options: { readonly apiBaseUrl: string; readonly clock: Clock },
): void {
  const { apiBaseUrl, clock } = options;
  routes.page("/containers", "read", async (request, response, caller) => {
    const query = readContainerQuery(request.query);
    if (query.port !== "" && !isLocode(query.port)) {
      const port = await findPort(caller.api, query.port);
      if (port) return response.redirect(302, containersPath(query, { port: port.locode }));
    }
    const now = clock.now();
    const [{ views, redirectTo }, { data, meta }, lines] = await Promise.all([
      readListViews(request, caller, "containers"),
      caller.api.overviews.containers({
        filter: containerFiltersOf(query),
        sort: sortText(query),
        page: query.page,
        pageSize,
      }),
      caller.api.shippingLines.list({}, { format: "mapped" }),
    ]);
    if (redirectTo !== null) return response.redirect(302, redirectTo);
    const referring = data.length === 0 && query.page === 1 ? await byReference(caller.api, query) : null;
    if (referring) return response.redirect(302, containersPath(referring));
    const total = meta?.page?.total ?? null;
    sendLivePage(
      request,
      response,
      containerListPage({
        caller,
        apiBaseUrl,
        now,
        query,
        items: data,
        total,
        lines: lines.items,
        views,
        note: rowsNote(request.query, containersPath(query, { page: query.page })),
      }),
    );
  });
}
