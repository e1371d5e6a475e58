import type { Clock } from "@svc/domain";
import { chosenSlugs, readListFields, withDefinedColumns } from "../custom-fields/list-fields.ts";
import type { PageHandler } from "../http/handler.ts";
import { orNull } from "../http/or-null.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { rowsNote } from "../rows/shipment-rows.ts";
import { checkPort } from "../saved-views/port-choice.ts";
import { readListViews } from "../saved-views/read-views.ts";
import { readConditionCounts } from "./condition-counts.ts";
import { findContainers } from "./find-containers.ts";
import { containerListPage } from "./list-page.ts";
import {
  type ContainerQuery,
  containerFiltersOf,
  containersPath,
  pageSize,
  readContainerQuery,
  sortText,
} from "./list-query.ts";

/** `GET /containers` with the parameters of `ContainerQuery`. */
export function listHandler(options: { readonly apiBaseUrl: string; readonly clock: Clock }): PageHandler {
  const { apiBaseUrl, clock } = options;
  return async (request, response, caller) => {
    const given = readContainerQuery(request.query);
    const redirectToPort = (port: string) => response.redirect(302, containersPath(given, { port }));
    const portName = await checkPort(caller.api, given.port, false);
    if (portName.otherLocode) return redirectToPort(portName.otherLocode);
    const now = clock.now();
    const read = (pageQuery: ContainerQuery) =>
      caller.api.overviews.containers({
        filter: containerFiltersOf(pageQuery),
        sort: sortText(pageQuery),
        page: pageQuery.page,
        pageSize,
        customFields: chosenSlugs(pageQuery.columns),
      });
    const [{ views, redirectTo }, fields, { found, shown, named }, counts, lines] = await Promise.all([
      readListViews(request, caller, "containers"),
      readListFields(caller.api, "containers"),
      findContainers(caller.api, given, read, ({ data }) => data.length === 0),
      orNull(readConditionCounts(caller.api, given, now)),
      caller.api.shippingLines.list({}, { format: "mapped" }),
    ]);
    if (redirectTo !== null) return response.redirect(302, redirectTo);
    const { data, meta } = found;
    const port = portName.isUnknown ? portName : await checkPort(caller.api, given.port, data.length === 0);
    if (port.otherLocode) return redirectToPort(port.otherLocode);
    const query = withDefinedColumns(given, fields);
    sendLivePage(
      request,
      response,
      containerListPage({
        caller,
        apiBaseUrl,
        now,
        query,
        shown: shown === given ? query : withDefinedColumns(shown, fields),
        fields,
        named,
        isUnknownPort: port.isUnknown,
        items: data,
        total: meta?.page?.total ?? null,
        isWhole: meta?.search?.is_complete !== false,
        lines: lines.items,
        views,
        // A name that no container has is a filter of its own, with which they are counted.
        counts: shown === given ? counts : await orNull(readConditionCounts(caller.api, shown, now)),
        note: rowsNote(request.query, containersPath(query, { page: query.page })),
      }),
    );
  };
}
