import { exceptionStatuses } from "@svc/domain/exceptions";
import { notFound } from "@svc/jsonapi";
import {
  ConflictError,
  type ExceptionResource,
  NotFoundError,
  type ShipmentResource,
  ValidationError,
  withEntityTag,
} from "@svc/sdk";
import type { Html } from "@svc/views";
import type { Request, Response } from "express";
import type { SignedInCaller } from "../access/api-clients.ts";
import { readConditionCounts } from "../containers/condition-counts.ts";
import { readContainerQuery } from "../containers/list-query.ts";
import type { FormValues } from "../forms/form-values.ts";
import { conflictProblem, saveOverChanges } from "../forms/merge-edit.ts";
import { get, post, type Route, redirectTo } from "../http/define-route.ts";
import { findRecord, nullIfNotFound } from "../http/find-record.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { localPath } from "../http/local-path.ts";
import { isUuid, queryText } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { mentionNotice } from "../notes/note-markup.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { noticeOf } from "../pages/notice-of.ts";
import { applyToRows } from "../rows/apply-to-rows.ts";
import { rowsResultPage } from "../rows/rows-result-page.ts";
import { checkPort } from "../saved-views/port-choice.ts";
import { readListViews } from "../saved-views/read-views.ts";
import type { Services } from "../services.ts";
import { toContainerRecord, toShipmentRecord } from "../shipments/api-records.ts";
import { dayByRule } from "../shipments/last-free-day.ts";
import { findConnectionProblems } from "../tracking-requests/connection-problems.ts";
import { attentionPage } from "./attention-page.ts";
import {
  type AttentionQuery,
  apiFilterOf,
  attentionPath,
  hasShipmentFilters,
  readAttentionQuery,
} from "./attention-query.ts";
import { readCostOfDelay } from "./cost-of-delay.ts";
import { doneNote, type ExceptionAction, type snoozeDays } from "./exception-actions.ts";
import { editOf, mergePageEdit, savedEdit } from "./exception-edits.ts";
import { exceptionPage } from "./exception-page.ts";
import type { ExceptionPageOptions } from "./exception-page-options.ts";
import { queueRequests } from "./queue-requests.ts";
import { readActivity } from "./read-activity.ts";
import { doneParameters, doneText, ownedBefore, rowsNote } from "./rows-note.ts";

/** Exceptions on a page: so many that a group of many containers leaves room for others. */
const pageSize = 100;

const notices = {
  take: "Assigned to you.",
  take_over: "Assigned to you.",
  assign: "Assigned.",
  assign_over: "Assigned.",
  release: "Without an owner again.",
  snooze: "Snoozed for a day.",
  snooze_3: "Snoozed for 3 days.",
  snooze_7: "Snoozed for 7 days.",
  resolve: "Resolved.",
  open: "Open again.",
  save: "Saved.",
  note: "Saved.",
  none: "Nothing was changed.",
} as const satisfies Record<
  | ExceptionAction
  | keyof typeof snoozeDays
  | "take_over"
  | "assign"
  | "assign_over"
  | "release"
  | "save"
  | "note"
  | "none",
  string
>;

/** Sorts resolved exceptions by resolution, latest first, so that recent work is at hand; others by urgency. */
const sortOf = ({ status }: AttentionQuery) => (status === "resolved" ? "-resolved_at" : "-priority");

const include = ["shipment", "tracking_request", "tracking_request.customer"];

/** By filters of shipments only these are counted: each of the resolved exceptions of months would be looked up. */
const openStatuses = exceptionStatuses.filter((status) => status !== "resolved");

async function readPage({ api, user }: SignedInCaller, query: AttentionQuery) {
  const filter = apiFilterOf(query, user.email);
  const { kind: _, ...ofAllKinds } = filter;
  const { status: __, resolution: ___, ...ofAllStatuses } = ofAllKinds;
  const [page, kinds, statuses] = await Promise.all([
    api.exceptions.list({ filter, page: query.page, pageSize, sort: sortOf(query) }, { include }),
    api.exceptions.count("kind", ofAllKinds),
    api.exceptions.count("status", {
      ...ofAllStatuses,
      superseded: false,
      ...(hasShipmentFilters(query) && { status: openStatuses }),
    }),
  ]);
  const countsOf = ({ data }: typeof kinds) => new Map(data.map(({ attributes: { value, count } }) => [value, count]));
  const included = page.included ?? [];
  const requests = queueRequests(included);
  const shipments = included.filter((one): one is ShipmentResource => one.type === "shipment");
  return {
    items: page.data,
    shipments: new Map(shipments.map((one) => [one.id, one])),
    requests,
    problems: await findConnectionProblems(api, [...requests.values()]),
    hasMore: page.links?.next !== undefined,
    isWhole: page.meta?.search?.is_complete !== false,
    kinds: countsOf(kinds),
    statuses: countsOf(statuses),
  };
}

/** URL of the page with the form, with the action for the notice. Redirects only to pages of this section. */
function backTo(form: FormValues, id: string, done: string): string {
  const back = new URL(localPath(form.text("back"), `/attention/${id}`), "http://localhost");
  if (back.pathname !== "/attention") return `/attention/${id}?done=${done}`;
  const row = /^#row-[0-9a-f-]{36}$/.test(back.hash) ? back.hash : "";
  return `${withDone(attentionPath(...sameQuery(back.searchParams)), { done, on: id })}${row}`;
}

const withDone = (path: string, parameters: Readonly<Record<string, string>>): string =>
  `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams(parameters)}`;

function sameQuery(parameters: URLSearchParams): [AttentionQuery, AttentionQuery] {
  const query = readAttentionQuery(Object.fromEntries(parameters));
  return [query, query];
}

/** Reads the subject of an exception: a shipment and perhaps one of its containers, or a tracking request. */
async function readSubject({ api }: SignedInCaller, { relationships }: ExceptionResource) {
  const [shipmentId, containerId] = [relationships.shipment.data?.id, relationships.container.data?.id];
  const requestId = shipmentId === undefined ? relationships.tracking_request.data?.id : undefined;
  const [shipment, container, demurrage, request] = await Promise.all([
    shipmentId === undefined ? null : nullIfNotFound(api.shipments.get(shipmentId, { include: [] })),
    containerId === undefined ? null : nullIfNotFound(api.containers.get(containerId, { include: [] })),
    containerId === undefined ? null : nullIfNotFound(api.containers.demurrage(containerId)),
    requestId === undefined
      ? null
      : nullIfNotFound(api.trackingRequests.get(requestId, { format: "mapped", include: ["customer"] })),
  ]);
  return {
    shipment: shipment && toShipmentRecord(shipment.data),
    container: container && {
      ...toContainerRecord(container.data),
      lastFreeDayByRule: demurrage && dayByRule(demurrage.data),
    },
    request: request && { request, problem: (await findConnectionProblems(api, [request])).get(request.id) },
  };
}

/** `GET /attention` and `POST /attention/rows`; `GET` and `POST /attention/{id}`. */
export function attentionRoutes(
  services: Pick<Services, "members" | "apiBaseUrl" | "clock" | "sendsMail">,
): readonly Route[] {
  const { members, apiBaseUrl, clock, sendsMail } = services;
  const idOf = (request: Request): string => String(request.params.id);

  const readException = async ({ api }: SignedInCaller, id: string) => {
    const { read, entityTag } = await withEntityTag((options) =>
      findRecord("exception", id, (known) => nullIfNotFound(api.exceptions.get(known, options))),
    );
    return { exception: read.data, entityTag };
  };

  const show = async (caller: SignedInCaller, id: string) => {
    const { exception, entityTag } = await readException(caller, id);
    const [subject, emails, activity] = await Promise.all([
      readSubject(caller, exception),
      members.list(caller.accountId),
      readActivity(caller, exception, members),
    ]);
    const pageOptions = { exception, entityTag, ...subject, members: emails, activity };
    return { caller, apiBaseUrl, now: clock.now(), sendsMail, ...pageOptions };
  };

  /**
   * Reads the note about the last action, by `?done=` and either `?on=`, the id of an exception, or `?count=` of rows.
   */
  const readNote = async (request: Request, { api }: SignedInCaller, query: AttentionQuery): Promise<Html | null> => {
    const [done, on] = [queryText(request, "done"), queryText(request, "on")];
    const back = attentionPath(query, query);
    const rowsOutcome = rowsNote(request.query, back);
    if (rowsOutcome !== null) return rowsOutcome;
    const exception = isUuid(on) ? await nullIfNotFound(api.exceptions.get(on)) : null;
    return exception && doneNote(exception.data, done, back);
  };

  const list: PageHandler = async (request, response, caller) => {
    const query = readAttentionQuery(request.query);
    const redirectToPort = (port: string) => response.redirect(302, attentionPath(query, { port }));
    const portName = await checkPort(caller.api, query.port, false);
    if (portName.otherLocode) return redirectToPort(portName.otherLocode);
    const [{ views, redirectTo }, found, cost, containers, note, emails, lines] = await Promise.all([
      readListViews(request, caller, "exceptions"),
      readPage(caller, query),
      readCostOfDelay(caller.api, query, caller.user.email),
      readConditionCounts(caller.api, readContainerQuery({}), clock.now()),
      readNote(request, caller, query),
      members.list(caller.accountId),
      caller.api.shippingLines.list({}, { format: "mapped" }),
    ]);
    if (redirectTo !== null) return response.redirect(302, redirectTo);
    const port = portName.isUnknown ? portName : await checkPort(caller.api, query.port, found.items.length === 0);
    if (port.otherLocode) return redirectToPort(port.otherLocode);
    const pageOptions = { caller, apiBaseUrl, now: clock.now(), query, views, cost, containers, note, members: emails };
    const filters = { lines: lines.items, isUnknownPort: port.isUnknown };
    sendLivePage(request, response, attentionPage({ ...pageOptions, ...filters, ...found }));
  };

  const showOne: PageHandler = async (request, response, caller) => {
    const pageOptions = await show(caller, idOf(request));
    const isNoteSaved = sendsMail && queryText(request, "done") === "note";
    const notice = isNoteSaved ? mentionNotice(pageOptions.exception.attributes.note, pageOptions.members) : null;
    const note = noticeOf(request, notices);
    sendPage(response, 200, exceptionPage({ ...pageOptions, note, mentionNotice: notice, problems: {} }));
  };

  const changeRows: FormHandler = async (_request, response, caller, form) => {
    const action = form.text("action");
    const back = new URL(localPath(form.text("back"), "/attention"), "http://localhost");
    const path = attentionPath(...sameQuery(back.searchParams));
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

  const sendProblem = async (
    response: Response,
    status: 412 | 422,
    pageOptions: Omit<ExceptionPageOptions, "note" | "problems">,
    problem: string,
  ) => sendPage(response, status, exceptionPage({ ...pageOptions, note: undefined, problems: { "": problem } }));

  /** The message of a refusal; throws other errors. */
  const refusalMessage = (error: unknown, id: string): string => {
    if (error instanceof NotFoundError) throw notFound("exception", id);
    if (!(error instanceof ValidationError || error instanceof ConflictError)) throw error;
    return error.faults[0]?.detail ?? error.message;
  };

  /** Saves the note of the page of an exception, and does what the button says. */
  const save = async (id: string, response: Response, caller: SignedInCaller, form: FormValues) => {
    const { entityTag, ...shown } = await show(caller, id);
    const action = form.text("action");
    const wasOwned = shown.exception.attributes.owner !== null;
    const edit =
      action === "save" ? savedEdit(shown.exception, form, clock.now()) : editOf(form, caller.user.email, clock.now());
    const { texts, changed, conflicts } = mergePageEdit(shown.exception, form, edit);
    if (conflicts.length > 0) {
      return sendProblem(response, 412, { ...shown, texts }, conflictProblem("exception", conflicts));
    }
    try {
      const update = { ...(changed.has("note") && { note: texts.get("note") || null }), ...edit };
      const isEmpty = Object.keys(update).length === 0;
      if (!isEmpty) await caller.api.exceptions.update(id, update, { ifMatch: entityTag });
      const saved = changed.has("note") ? "note" : "save";
      const isAssignment = action === "take" || action === "assign";
      const done = isAssignment && wasOwned ? `${action}_over` : action;
      const savedOrNone = isEmpty ? "none" : saved;
      response.redirect(303, backTo(form, id, action === "save" ? savedOrNone : done));
    } catch (error) {
      await sendProblem(response, 422, { ...shown, texts }, refusalMessage(error, id));
    }
  };

  const changeOne: FormHandler = async (request, response, caller, form) => {
    const id = idOf(request);
    let done = form.text("action");
    if (form.all("note").length > 0) return saveOverChanges(() => save(id, response, caller, form));
    const edit = editOf(form, caller.user.email, clock.now());
    if (edit === null) done = "";
    try {
      const isAssignment = done === "take" || done === "assign";
      const wasOwned = isAssignment && (await readException(caller, id)).exception.attributes.owner !== null;
      if (wasOwned) done = `${done}_over`;
      if (edit !== null) await caller.api.exceptions.update(id, edit);
    } catch (error) {
      const problem = refusalMessage(error, id);
      return sendProblem(response, 422, await show(caller, id), problem);
    }
    response.redirect(303, backTo(form, id, done));
  };

  return [
    get("/", "anyone", redirectTo("/attention")),
    get("/attention", "read", list),
    post("/attention/rows", "handle_exceptions", changeRows),
    get("/attention/:id", "read", showOne),
    post("/attention/:id", "handle_exceptions", changeOne),
  ];
}
