import { randomUUID } from "node:crypto";
import { mayDo } from "@svc/domain/members";
import { alertFilterProblem } from "@svc/domain/saved-views";
import { TrackingError } from "@svc/jsonapi";
import { type AlertSubscriptionResource, RateLimitError } from "@svc/sdk";
import type { Request, Response } from "express";
import type { SignedInCaller } from "../access/api-clients.ts";
import { createMentionSettings } from "../account/mention-settings.ts";
import { problemsOfCall } from "../forms/api-problems.ts";
import { hasProblems, type Problems } from "../forms/field.ts";
import { beforeForm } from "../forms/merge-form.ts";
import { saveForm } from "../forms/save-form.ts";
import { findWithEntityTag } from "../http/find-record.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { queryText } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { noticeOf } from "../pages/notice-of.ts";
import { readViews } from "../saved-views/read-views.ts";
import type { Services } from "../services.ts";
import { readCarrierMenu } from "../tracking-requests/carrier-menu.ts";
import {
  fieldOfPointer,
  formFields,
  formOf,
  newForm,
  problemsOfForm,
  problemsOfReceiver,
  queueFilters,
  readAlertForm,
  receiverOf,
  settingsOf,
} from "./alert-form.ts";
import { type AlertFormPageOptions, alertFormPage } from "./alert-form-page.ts";
import { type AlertTest, alertListPage, deleteAlertPage } from "./alert-list-page.ts";
import type { MailDelivery } from "./alert-text.ts";

const path = "/account/alerts";
/** Maximum number of alerts of an account. */
const pageSize = 100;

const notices: Readonly<Record<string, string>> = {
  created: "The alert is created. Send a test message to see how it looks.",
  unconfirmed: "A confirmation request was sent to the mailbox. The alert starts when a reader confirms it.",
  saved: "Saved.",
  paused: "The alert is paused: nothing is sent for it.",
  resumed: "The alert is active.",
  deleted: "The alert is deleted.",
};

export type AlertServices = Pick<Services, "apiBaseUrl" | "caughtMailFolder" | "database" | "members" | "sendsMail">;

type FormPageOptions = Omit<AlertFormPageOptions, "key" | "views" | "others" | "lines" | "mail">;

const isOwn = ({ attributes }: AlertSubscriptionResource, { user }: SignedInCaller): boolean =>
  attributes.member !== null && attributes.member.toLowerCase() === user.email.toLowerCase();

/** Members manage their own alerts; owners also those of channels and of other members. */
async function findVersion(request: Request, caller: SignedInCaller) {
  const found = await findWithEntityTag("alert subscription", request.params.id, (id, options) =>
    caller.api.alertSubscriptions.get(id, options),
  );
  if (isOwn(found.read.data, caller) || caller.user.role === "owner") return found;
  throw TrackingError.of("forbidden", "Only owners of the account manage alerts of channels and other members.");
}

const findAlert = async (request: Request, caller: SignedInCaller): Promise<AlertSubscriptionResource> =>
  (await findVersion(request, caller)).read.data;

/** The test that the address names. It is over when the subscription has another last attempt than before. */
function testOf(request: Request, alerts: readonly AlertSubscriptionResource[]): AlertTest | null {
  const alert = alerts.find(({ id }) => id === queryText(request, "test"));
  if (!alert) return null;
  return { alert, isOver: (alert.attributes.last_attempt_at ?? "") !== queryText(request, "before") };
}

function mailDeliveryOf({ caughtMailFolder, sendsMail }: AlertServices): MailDelivery {
  if (caughtMailFolder !== undefined) return "kept";
  return sendsMail ? "sent" : "none";
}

function createContext(services: AlertServices) {
  const { apiBaseUrl, database, members } = services;
  return { apiBaseUrl, members, mentions: createMentionSettings(database), mail: mailDeliveryOf(services) };
}

type AlertContext = ReturnType<typeof createContext>;

/** Names of the views that the member sees, by id; they are only read when an alert has a view. */
async function readViewNames(caller: SignedInCaller, alerts: readonly AlertSubscriptionResource[]) {
  const hasView = alerts.some(({ attributes }) => attributes.saved_view_id !== null);
  const views = hasView ? await readViews(caller) : [];
  return new Map(views.map(({ id, attributes }) => [id, attributes.name]));
}

async function readList(
  { apiBaseUrl, mail, mentions }: AlertContext,
  request: Request,
  caller: SignedInCaller,
  problem?: string,
) {
  const [{ data }, receivesMentions] = await Promise.all([
    caller.api.alertSubscriptions.list({ pageSize }),
    mentions.receives(caller),
  ]);
  const own = data.filter((one) => isOwn(one, caller));
  const others = caller.user.role === "owner" ? data.filter((one) => !isOwn(one, caller)) : [];
  const viewNames = await readViewNames(caller, [...own, ...others]);
  const test = testOf(request, [...own, ...others]);
  const notice = noticeOf(request, notices);
  const pageOptions = { caller, apiBaseUrl, mail, own, others, viewNames, test, notice, receivesMentions };
  return alertListPage({ ...pageOptions, ...(problem !== undefined && { problem }) });
}

/** Views that can be chosen for any receiver: the API refuses a view that the receiver does not see. */
const readAlertViews = async (caller: SignedInCaller) =>
  (await readViews(caller)).filter(({ attributes }) => alertFilterProblem(attributes) === null);

async function send(
  { mail, members }: AlertContext,
  response: Response,
  status: 200 | 412 | 422,
  pageOptions: FormPageOptions,
): Promise<void> {
  const { caller } = pageOptions;
  const [views, emails, { lines }] = await Promise.all([
    readAlertViews(caller),
    members.list(caller.accountId),
    readCarrierMenu(caller.api),
  ]);
  const others = emails.filter((email) => email !== caller.user.email);
  sendPage(response, status, alertFormPage({ ...pageOptions, mail, views, others, lines, key: randomUUID() }));
}

const refuse = (context: AlertContext, response: Response, pageOptions: FormPageOptions & { problems: Problems }) =>
  send(context, response, 422, pageOptions);

const list =
  (context: AlertContext): PageHandler =>
  async (request, response, caller) =>
    sendLivePage(request, response, await readList(context, request, caller));

const setMentions =
  (context: AlertContext): FormHandler =>
  async (_request, response, caller, values) => {
    await context.mentions.change(caller, values.text("receives") === "yes");
    response.redirect(303, `${path}?done=saved`);
  };

const showNew =
  (context: AlertContext): PageHandler =>
  async (request, response, caller) => {
    const filterText = (parameter: string) => queryText(request, parameter).slice(0, 100).toWellFormed();
    const [customer, customerName] = [filterText("customer"), filterText("customer_name")];
    const blank = newForm({
      kind: queryText(request, "kind"),
      carrier: queryText(request, "carrier").slice(0, 4),
      // The nearest that alerts have: a part of a name.
      customer: customer || customerName,
    });
    const notTaken = Object.entries(queueFilters).flatMap(([parameter, name]) => {
      const value = filterText(parameter);
      const remark = parameter === "customer_name" && customer === "" ? " (longer names match, too)" : "";
      return value === "" ? [] : `${name} ${value}${remark}`;
    });
    // Only owners choose a channel.
    const canChat = mayDo(caller.user.role, "manage_channel_alerts");
    const channel = context.mail === "sent" || !canChat ? blank.channel : "slack";
    await send(context, response, 200, { caller, id: null, form: { ...blank, channel }, before: null, notTaken });
  };

const create =
  (context: AlertContext): FormHandler =>
  async (_request, response, caller, values) => {
    const filled = readAlertForm(values);
    const { channel, frequency } = filled;
    if (channel !== "email" && !mayDo(caller.user.role, "manage_channel_alerts")) {
      throw TrackingError.of("forbidden", "Only owners of the account send alerts to others.");
    }
    const pageOptions = { caller, id: null, form: filled, before: null };
    const problems = { ...problemsOfForm(filled), ...problemsOfReceiver(filled) };
    if (hasProblems(problems)) return refuse(context, response, { ...pageOptions, problems });
    const receiver = receiverOf(filled, caller.user.email);
    const idempotencyKey = values.text("key") || undefined;
    const subscription = { ...settingsOf(filled), frequency, ...receiver };
    const call = caller.api.alertSubscriptions.create(subscription, { idempotencyKey });
    const refused = await problemsOfCall(call, fieldOfPointer);
    if (hasProblems(refused)) await refuse(context, response, { ...pageOptions, problems: refused });
    else response.redirect(303, `${path}?done=${channel === "mailbox" ? "unconfirmed" : "created"}`);
  };

const showEdit =
  (context: AlertContext): PageHandler =>
  async (request, response, caller) => {
    const alert = await findAlert(request, caller);
    const present = formOf(alert);
    await send(context, response, 200, { caller, id: alert.id, form: present, before: beforeForm(present) });
  };

const save =
  (context: AlertContext): FormHandler =>
  (request, response, caller, values) =>
    saveForm({
      kind: "alert",
      values,
      find: () => findVersion(request, caller),
      formOf,
      fields: formFields,
      readForm: ({ channel, member, mailbox }) => ({ ...readAlertForm(values), channel, member, mailbox }),
      problemsOfForm,
      update: (id, form, options) => caller.api.alertSubscriptions.update(id, settingsOf(form), options),
      fieldOf: fieldOfPointer,
      showAgain: (status, shown) => send(context, response, status, { caller, ...shown }),
      onSaved: () => response.redirect(303, `${path}?done=saved`),
    });

const setState: FormHandler = async (request, response, caller, values) => {
  const { id } = await findAlert(request, caller);
  const active = values.text("active") === "true";
  await caller.api.alertSubscriptions.update(id, { active });
  response.redirect(303, `${path}?done=${active ? "resumed" : "paused"}`);
};

const sendTest =
  (context: AlertContext): FormHandler =>
  async (request, response, caller) => {
    const { id, attributes } = await findAlert(request, caller);
    try {
      await caller.api.alertSubscriptions.test(id);
    } catch (error) {
      if (!(error instanceof RateLimitError)) throw error;
      const problem = error.faults[0]?.detail ?? error.message;
      return sendPage(response, 429, (await readList(context, request, caller, problem)).page);
    }
    const before = encodeURIComponent(attributes.last_attempt_at ?? "");
    response.redirect(303, `${path}?test=${id}&before=${before}`);
  };

const showDelete: PageHandler = async (request, response, caller) =>
  sendPage(response, 200, deleteAlertPage(caller, await findAlert(request, caller)));

const remove: FormHandler = async (request, response, caller) => {
  const { id } = await findAlert(request, caller);
  await caller.api.alertSubscriptions.delete(id);
  response.redirect(303, `${path}?done=deleted`);
};

/** Pages under `/account/alerts`. All throw `TrackingError` `not_found` and `forbidden`. */
export function alertHandlers(services: AlertServices) {
  const context = createContext(services);
  return {
    list: list(context),
    setMentions: setMentions(context),
    showNew: showNew(context),
    create: create(context),
    showEdit: showEdit(context),
    save: save(context),
    setState,
    sendTest: sendTest(context),
    showDelete,
    remove,
  };
}
