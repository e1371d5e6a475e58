import { exceptionStatuses } from "@svc/domain/exceptions";
import { isUuid } from "@svc/domain/identifiers";
import type { ContainerResource, ShipmentResource } from "@svc/sdk";
import type { Html } from "@svc/views";
import type { Request } from "express";
import type { SignedInCaller } from "../access/api-clients.ts";
import { readConditionCounts } from "../containers/condition-counts.ts";
import { readContainerQuery } from "../containers/list-query.ts";
import { nullIfNotFound } from "../http/find-record.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { orNull } from "../http/or-null.ts";
import { queryText } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { applyToRows } from "../rows/apply-to-rows.ts";
import { rowsResultPage } from "../rows/rows-result-page.ts";
import { checkPort } from "../saved-views/port-choice.ts";
import { readListViews } from "../saved-views/read-views.ts";
import { findConnectionProblems } from "../tracking-requests/connection-problems.ts";
import { attentionPage } from "./attention-page.ts";
import {
  type AttentionQuery,
  apiFilterOf,
  apiPageOf,
  attentionPath,
  hasShipmentFilters,
  readAttentionQuery,
} from "./attention-query.ts";
import { readCostOfDelay } from "./cost-of-delay.ts";
import { doneNote } from "./exception-actions.ts";
import { editOf } from "./exception-edits.ts";
import type { ExceptionServices } from "./exception-handlers.ts";
import { queueRequests } from "./queue-requests.ts";
import { backOf, listPathOf, withDone } from "./return-path.ts";
import { doneParameters, doneText, ownedBefore, rowsNote } from "./rows-note.ts";

const include = ["shipment", "container", "tracking_request", "tracking_request.customer"];

/** By filters of shipments only these are counted: each of the resolved exceptions of months would be looked up. */
const openStatuses = exceptionStatuses.filter((status) => status !== "resolved");

async function readPage({ api, user }: SignedInCaller, query: AttentionQuery) {
  const filter = apiFilterOf(query, user.email);
  const [page, kinds, statuses] = await Promise.all([
    api.exceptions.list(apiPageOf(query, user.email), { include }),
    api.exceptions.count("kind", { ...filter, kind: undefined }),
    api.exceptions.count("status", {
      ...filter,
      resolution: undefined,
      superseded: false,
      status: hasShipmentFilters(query) ? openStatuses : undefined,
    }),
  ]);
  const countsOf = ({ data }: typeof kinds) => new Map(data.map(({ attributes: { value, count } }) => [value, count]));
  const included = page.included ?? [];
  const requests = queueRequests(included);
  const shipments = included.filter((one): one is ShipmentResource => one.type === "shipment");
  const containers = included.filter((one): one is ContainerResource => one.type === "container");
  return {
    items: page.data,
    shipments: new Map(shipments.map((one) => [one.id, one])),
    containers: new Map(containers.map((one) => [one.id, one])),
    requests,
    problems: await findConnectionProblems(api, [...requests.values()]),
    hasMore: page.links?.next !== undefined,
    isWhole: page.meta?.search?.is_complete !== false,
    kinds: countsOf(kinds),
    statuses: countsOf(statuses),
  };
}

/**
 * Reads the note about the last action, by `?done=` and either `?on=`, the id of an exception, or `?count=` of rows.
 */
async function readNote(request: Request, { api }: SignedInCaller, query: AttentionQuery): Promise<Html | null> {
  const [done, on] = [queryText(request, "done"), queryText(request, "on")];
  const back = attentionPath(query, query);
  const rowsOutcome = rowsNote(request.query, back);
  if (rowsOutcome !== null) return rowsOutcome;
  const exception = isUuid(on) ? await nullIfNotFound(api.exceptions.get(on)) : null;
  return exception && doneNote(exception.data, done, back);
}

/** `GET /attention` */
export const queueHandler =
  ({ members, apiBaseUrl, clock }: ExceptionServices): PageHandler =>
  async (request, response, caller) => {
    const query = readAttentionQuery(request.query);
    const redirectToPort = (port: string) => response.redirect(302, attentionPath(query, { port }));
    const portName = await checkPort(caller.api, query.port, false);
    if (portName.otherLocode) return redirectToPort(portName.otherLocode);
    const [{ views, redirectTo }, found, cost, containerCounts, note, emails, lines] = await Promise.all([
      readListViews(request, caller, "exceptions"),
      readPage(caller, query),
      orNull(readCostOfDelay(caller.api, query, caller.user.email)),
      orNull(readConditionCounts(caller.api, readContainerQuery({}), clock.now())),
      readNote(request, caller, query),
      members.list(caller.accountId, "handle_exceptions"),
      caller.api.shippingLines.list({}, { format: "mapped" }),
    ]);
    if (redirectTo !== null) return response.redirect(302, redirectTo);
    const port = portName.isUnknown ? portName : await checkPort(caller.api, query.port, found.items.length === 0);
    if (port.otherLocode) return redirectToPort(port.otherLocode);
    const pageOptions = {
      caller,
      apiBaseUrl,
      now: clock.now(),
      query,
      views,
      cost,
      containerCounts,
      note,
      members: emails,
    };
    const filters = { lines: lines.items, isUnknownPort: port.isUnknown };
    sendLivePage(request, response, attentionPage({ ...pageOptions, ...filters, ...found }));
  };

/** `POST /attention/rows` */
export const rowsHandler =
  ({ clock }: ExceptionServices): FormHandler =>
  async (_request, response, caller, form) => {
    const action = form.text("action");
    const path = listPathOf(backOf(form, "/attention"));
    const edit = editOf(form, caller.user.email, clock.now());
    const ids = form.all("id");
    if (edit === null || ids.length === 0) return response.redirect(303, path);
    const owned = await ownedBefore(caller.api, action, ids);
    const results = await applyToRows(ids, (id) => caller.api.exceptions.update(id, edit));
    const done = doneText(action, results.done.length) ?? "";
    if (results.failed.length === 0) {
      const released = ids.filter((id) => results.done.includes(id) && !owned.has(id));
      return response.redirect(303, withDone(path, doneParameters(action, results.done.length, released)));
    }
    const failed = results.failed.map(({ id }) => nullIfNotFound(caller.api.exceptions.get(id)));
    const found = (await Promise.all(failed)).filter((one) => one !== null);
    const names = new Map(found.map(({ data }) => [data.id, data.attributes.number]));
    sendPage(response, 422, rowsResultPage({ caller, section: "attention", results, names, done, back: path }));
  };
