import { exceptionStatuses, runningChargeKinds } from "@svc/domain/exceptions";
import { notFound } from "@svc/jsonapi";
import { ConflictError, type ExceptionResource, NotFoundError, ValidationError } from "@svc/sdk";
import type { Response } from "express";
import type { SignedInCaller } from "../access/api-clients.ts";
import type { FormValues } from "../forms/form-values.ts";
import { conflictProblem, isEdited, saveOverChanges } from "../forms/merge-edit.ts";
import { findWithEntityTag, nullIfNotFound } from "../http/find-record.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { pathId, queryText } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { mentionNotice } from "../notes/note-markup.ts";
import { noticeOf } from "../pages/notice-of.ts";
import type { Services } from "../services.ts";
import { namesOf, toContainerRecord, toShipmentRecord } from "../shipments/api-records.ts";
import { costsOfContainer } from "../shipments/container-costs.ts";
import { dayByRule } from "../shipments/last-free-day.ts";
import { findConnectionProblems } from "../tracking-requests/connection-problems.ts";
import { type ExceptionAction, type snoozeDays, snoozeUntil } from "./exception-actions.ts";
import { editOf, mergePageEdit, noteField, savedEdit } from "./exception-edits.ts";
import { exceptionPage } from "./exception-page.ts";
import type { ExceptionPageOptions } from "./exception-page-options.ts";
import { readActivity } from "./read-activity.ts";
import { readQueue } from "./read-queue.ts";
import { returnPath } from "./return-path.ts";

const notices = {
  take: "Assigned to you.",
  take_over: "Assigned to you.",
  assign: "Assigned.",
  assign_over: "Assigned.",
  release: "Without an owner again.",
  snooze: "Snoozed for a day.",
  snooze_3: "Snoozed for 3 days.",
  snooze_7: "Snoozed for 7 days.",
  snooze_until: "Snoozed.",
  resolve: "Resolved.",
  open: "Open again.",
  save: "Saved.",
  note: "Saved.",
  none: "Nothing was changed.",
} as const satisfies Record<ExceptionAction | keyof typeof snoozeDays | typeof snoozeUntil, string> &
  Readonly<Record<string, string>>;

/** Reads the subject of an exception: a shipment and perhaps one of its containers, or a tracking request. */
async function readSubject({ api }: SignedInCaller, { relationships }: ExceptionResource) {
  const [shipmentId, containerId] = [relationships.shipment.data?.id, relationships.container.data?.id];
  const requestId = shipmentId === undefined ? relationships.tracking_request.data?.id : undefined;
  const charging = { kind: [...runningChargeKinds], status: [...exceptionStatuses], ended: false };
  const [shipment, container, demurrage, charged, request] = await Promise.all([
    shipmentId === undefined ? null : nullIfNotFound(api.shipments.get(shipmentId, { include: [] })),
    containerId === undefined
      ? null
      : nullIfNotFound(api.containers.get(containerId, { include: ["pod_terminal", "pickup_facility"] })),
    containerId === undefined ? null : nullIfNotFound(api.containers.demurrage(containerId)),
    containerId === undefined ? null : api.exceptions.list({ filter: { container: containerId, ...charging } }),
    requestId === undefined
      ? null
      : nullIfNotFound(api.trackingRequests.get(requestId, { format: "mapped", include: ["customer"] })),
  ]);
  const record = container && toContainerRecord(container.data);
  return {
    shipment: shipment && toShipmentRecord(shipment.data),
    container: record && { ...record, lastFreeDayByRule: demurrage && dayByRule(demurrage.data) },
    names: namesOf(container?.included),
    costs:
      record &&
      costsOfContainer(record.feesAtPodTerminal, demurrage?.data.attributes.charges ?? [], charged?.data ?? []),
    request: request && { request, problem: (await findConnectionProblems(api, [request])).get(request.id) },
  };
}

export type ExceptionServices = Pick<Services, "members" | "apiBaseUrl" | "clock" | "sendsMail">;

async function readException({ api }: SignedInCaller, id: string) {
  const { read, entityTag } = await findWithEntityTag("exception", id, (known, options) =>
    api.exceptions.get(known, options),
  );
  return { exception: read.data, entityTag };
}

/** What the page of an exception shows. */
async function readPage(
  { members, apiBaseUrl, clock, sendsMail }: ExceptionServices,
  caller: SignedInCaller,
  id: string,
  queueAddress: string,
) {
  const { exception, entityTag } = await readException(caller, id);
  const [subject, emails, assignees, activity, queue] = await Promise.all([
    readSubject(caller, exception),
    members.list(caller.accountId),
    members.list(caller.accountId, "handle_exceptions"),
    readActivity(caller, exception, members),
    readQueue(caller, queueAddress, id),
  ]);
  const pageOptions = { exception, entityTag, ...subject, members: emails, assignees, activity, queue };
  return { caller, apiBaseUrl, now: clock.now(), sendsMail, ...pageOptions };
}

/** `GET /attention/{id}` */
export const exceptionHandler =
  (services: ExceptionServices): PageHandler =>
  async (request, response, caller) => {
    const pageOptions = await readPage(services, caller, pathId(request), queryText(request, "queue"));
    const isNoteSaved = services.sendsMail && queryText(request, "done") === "note";
    const notice = isNoteSaved ? mentionNotice(pageOptions.exception.attributes.note, pageOptions.members) : null;
    const note = noticeOf(request, notices);
    sendPage(response, 200, exceptionPage({ ...pageOptions, note, mentionNotice: notice, problems: {} }));
  };

function sendProblem(
  response: Response,
  status: 412 | 422,
  pageOptions: Omit<ExceptionPageOptions, "note" | "problems">,
  problem: string,
): void {
  sendPage(response, status, exceptionPage({ ...pageOptions, note: undefined, problems: { "": problem } }));
}

/** The message of a refusal; throws other errors. */
function refusalMessage(error: unknown, id: string): string {
  if (error instanceof NotFoundError) throw notFound("exception", id);
  if (!(error instanceof ValidationError || error instanceof ConflictError)) throw error;
  return error.faults[0]?.detail ?? error.message;
}

/** The name of the notice about an action: an assignment in place of a colleague cannot be undone. */
const doneOf = (action: string, { attributes: { owner } }: ExceptionResource): string =>
  (action === "take" || action === "assign") && owner !== null ? `${action}_over` : action;

interface Submitted {
  readonly id: string;
  readonly form: FormValues;
  readonly caller: SignedInCaller;
  readonly response: Response;
}

/** Saves the note of the page of an exception, and does what the button says. */
async function saveWithNote(services: ExceptionServices, { id, form, caller, response }: Submitted): Promise<void> {
  const { entityTag, ...shown } = await readPage(services, caller, id, form.text("queue"));
  const { exception, now } = shown;
  const action = form.text("action");
  const isSave = action === "save";
  const edit = isSave ? savedEdit(exception, form, now) : editOf(form, caller.user.email, now);
  const { texts, changed, conflicts } = mergePageEdit(exception, form, edit);
  if (conflicts.length > 0) {
    return sendProblem(response, 412, { ...shown, texts }, conflictProblem("exception", conflicts));
  }
  if (edit === null && action === snoozeUntil) {
    return sendProblem(response, 422, { ...shown, texts }, "Choose the date to snooze until.");
  }
  const hasNote = changed.has("note");
  const update = { ...(hasNote && { note: texts.get("note") || null }), ...edit };
  const isEmpty = Object.keys(update).length === 0;
  // Of a form that was submitted twice, the second has the note that the first saved.
  const isNoteSaved = hasNote || (isEmpty && isEdited(noteField, form));
  try {
    if (!isEmpty) await caller.api.exceptions.update(id, update, { ifMatch: entityTag });
  } catch (error) {
    return sendProblem(response, 422, { ...shown, texts }, refusalMessage(error, id));
  }
  const saved = isNoteSaved ? "note" : "save";
  const savedOrNone = isEmpty && !isNoteSaved ? "none" : saved;
  response.redirect(303, returnPath(form, id, isSave ? savedOrNone : doneOf(action, exception)));
}

/** Does what the button of a row says. */
async function act(services: ExceptionServices, { id, form, caller, response }: Submitted): Promise<void> {
  const edit = editOf(form, caller.user.email, services.clock.now());
  let done = edit === null ? "" : form.text("action");
  try {
    if (edit?.owner) done = doneOf(done, (await readException(caller, id)).exception);
    if (edit !== null) await caller.api.exceptions.update(id, edit);
  } catch (error) {
    const problem = refusalMessage(error, id);
    return sendProblem(response, 422, await readPage(services, caller, id, form.text("queue")), problem);
  }
  response.redirect(303, returnPath(form, id, done));
}

/** `POST /attention/{id}`: from the page of the exception, which has its note, or from a row. */
export const editHandler =
  (services: ExceptionServices): FormHandler =>
  (request, response, caller, form) => {
    const submitted = { id: pathId(request), form, caller, response };
    const hasNote = form.all("note").length > 0;
    return hasNote ? saveOverChanges(() => saveWithNote(services, submitted)) : act(services, submitted);
  };
