import { type Instant, instantOrNull, toEpochMs } from "@svc/domain";
import { type AlertSchedule, type AlertSubscription, alertSettings, nextDigestMs } from "@svc/domain/alerts";
import { isCurrencyCode } from "@svc/domain/demurrage";
import { alertFilterProblem } from "@svc/domain/saved-views";
import { attributeSource, invalidAttribute, limitReached, TrackingError, toDomainValue } from "@svc/jsonapi";
import {
  AlertSubscriptionResource,
  alertSubscriptionResource,
  createAlertSubscriptionDocument,
  editAlertSubscriptionDocument,
} from "@svc/jsonapi/alerts";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import type { AlertSettings } from "@svc/persistence/alerts";
import type { Caller } from "../http/authenticator.ts";
import { defineRoute } from "../http/define-route.ts";
import {
  createRoute,
  defineRecord,
  deleteRoute,
  editRoute,
  findRecord,
  getRoute,
  listRoute,
} from "../http/record-routes.ts";
import { recordDocument } from "../http/replies.ts";
import { findMemberByEmail, readMemberEmails, unknownMember } from "../members/find-members.ts";
import type { Services } from "../services.ts";
import { canonicalScacs } from "../tracking-requests/number-forms.ts";
import { readWebhookTarget } from "../webhooks/webhook-target.ts";

const type = "alert_subscription";
const tag = "Alerts";
const subscriptionsMax = 100;
/** Within an hour: other members read what is sent. */
const testsMax = { ofAccount: 20, ofSubscription: 5 };

/** The wire form of subscriptions. */
async function subscriptionResources(services: Services, { accountId }: Caller, all: readonly AlertSubscription[]) {
  const userIds = all.map(({ userId }) => userId);
  const emailOf = await readMemberEmails(services, accountId, userIds);
  return (one: AlertSubscription, baseUrl: string) =>
    alertSubscriptionResource({ ...one, member: emailOf(one.userId) }, baseUrl);
}

const record = defineRecord({
  type,
  tag,
  path: "/alert_subscriptions/{id}",
  params: { id: { of: "alert subscription", kind: "uuid", description: "The subscription's id." } },
  shown: { description: "The alert subscription.", schema: documentSchema(AlertSubscriptionResource) },
  find: ({ alertSubscriptions }, { accountId }, { id }) => alertSubscriptions.find(accountId, id),
  resource: subscriptionResources,
});

const list = listRoute(record, {
  path: "/alert_subscriptions",
  operationId: "listAlertSubscriptions",
  summary: "List alert subscriptions",
  query: { type, list: { sortKeys: { created_at: "instant" } } },
  page: { description: "A page of alert subscriptions, newest first.", schema: pageSchema(AlertSubscriptionResource) },
  list: ({ alertSubscriptions }, { accountId }, { page }) => alertSubscriptions.list(accountId, page),
});

/**
 * The view that filters the alerts, which is kept as it is until the transaction ends. A personal view filters only
 * what is sent to its member.
 */
async function checkView(services: Services, accountId: string, id: string, userId: string | null): Promise<void> {
  const view = await services.savedViews.lockShared(accountId, id, userId);
  const whose = "shared with the account, or belongs to the member who receives the alerts";
  if (view === null) throw invalidAttribute("saved_view_id", `There is no saved view ${id} that is ${whose}.`);
  const problem = alertFilterProblem(view);
  if (problem !== null) throw invalidAttribute("saved_view_id", problem);
}

type Attributes = ReturnType<typeof editAlertSubscriptionDocument.attributes.parse>;

/** Merges the document into `present`. Throws `TrackingError` for contradictory settings. */
async function readSettings(
  services: Services,
  attributes: Attributes,
  channel: AlertSubscription["channel"],
  present: AlertSubscription | null,
): Promise<AlertSettings> {
  const { webhookUrl, ...written } = toDomainValue(attributes);
  const carriers = written.carriers && canonicalScacs(written.carriers, await services.shippingLines());
  const settings = alertSettings({ ...written, ...(carriers && { carriers }) }, present);
  const isDigest = settings.frequency !== "at_once";
  if (!isDigest && settings.minimumAmount !== null) {
    const why = "Immediate alerts are sent when an exception opens, before its price has grown";
    throw invalidAttribute("minimum_amount", `${why}. Choose daily or weekly, or leave minimum_amount out.`);
  }
  const { minimumAmountCurrency: currency } = written;
  if (currency && settings.minimumAmount === null) {
    throw invalidAttribute("minimum_amount_currency", "Give minimum_amount, too, or leave its currency out.");
  }
  if (currency && !isCurrencyCode(currency)) {
    throw invalidAttribute("minimum_amount_currency", `${currency} is no currency of ISO 4217, such as USD.`);
  }
  if (isDigest && settings.includesResolved) {
    throw invalidAttribute(
      "includes_resolved",
      "Digests list what is open. Choose at_once, or includes_resolved false.",
    );
  }
  if (channel === "email" && webhookUrl !== undefined) {
    throw invalidAttribute("webhook_url", "E-mail is sent to the member's address. Leave webhook_url out.");
  }
  const source = attributeSource("webhook_url");
  return {
    ...settings,
    nextDigestAt: nextDigestAt(settings, settings.active ? present : null),
    url: webhookUrl === undefined ? null : readWebhookTarget(webhookUrl, services.settings, source),
  };
}

/** When the next digest is due. One that is due already stays due, unless it was paused or has another frequency. */
function nextDigestAt(schedule: AlertSchedule, present: AlertSubscription | null): Instant | null {
  const nowMs = Date.now();
  if (present?.active && present.nextDigestAt !== null && schedule.frequency === present.frequency) {
    if (toEpochMs(present.nextDigestAt) <= nowMs) return present.nextDigestAt;
  }
  const nextMs = nextDigestMs(schedule, nowMs);
  return instantOrNull(nextMs);
}

type NewAttributes = ReturnType<typeof createAlertSubscriptionDocument.attributes.parse>;
type Receiver = Pick<AlertSubscription, "userId" | "mailbox">;

/** The id of the member, or the mailbox, that receives e-mail; neither for a chat channel. */
async function readReceiver(services: Services, accountId: string, attributes: NewAttributes): Promise<Receiver> {
  const { channel, member, mailbox, webhook_url: url } = attributes;
  if (channel !== "email") {
    if (member !== undefined) {
      throw invalidAttribute("member", "A chat channel belongs to no member. Leave member out.");
    }
    if (mailbox !== undefined) throw invalidAttribute("mailbox", "A chat channel has no mailbox. Leave mailbox out.");
    if (url === undefined) throw invalidAttribute("webhook_url", "webhook_url is required for a chat channel.");
    return { userId: null, mailbox: null };
  }
  if (!services.settings.sendsMail) {
    const why = "This service sends no e-mail, because its operator has not set SVC_SMTP_URL and SVC_MAIL_FROM";
    throw invalidAttribute("channel", `${why}. Choose slack or teams.`);
  }
  if ((member === undefined) === (mailbox === undefined)) {
    throw invalidAttribute("member", "E-mail is sent to a member or to a mailbox. Give one of member and mailbox.");
  }
  const email = member ?? mailbox ?? "";
  const receiver = findMemberByEmail(await services.members.list(accountId), email);
  if (mailbox !== undefined) {
    if (receiver) throw invalidAttribute("mailbox", "This is the address of a member. Give it as member.");
    return { userId: null, mailbox };
  }
  if (receiver) return { userId: receiver.userId, mailbox: null };
  throw unknownMember("member", email);
}

/** Sends a test message, or the request to confirm a mailbox. Throws `rate_limited`. */
async function sendTest(
  { alertSubscriptions }: Pick<Services, "alertSubscriptions">,
  accountId: string,
  subscription: AlertSubscription,
): Promise<void> {
  const waitSeconds = await alertSubscriptions.enqueueTest(accountId, subscription, testsMax);
  if (waitSeconds === null) return;
  const { ofSubscription, ofAccount } = testsMax;
  const limits = `${ofSubscription} test messages of a subscription and ${ofAccount} of an account may be sent in an hour`;
  const detail = `${limits}. Try again in ${Math.ceil(waitSeconds / 60)} min.`;
  throw TrackingError.of("rate_limited", detail, { meta: { retry_after: waitSeconds } });
}

const create = createRoute(record, {
  path: "/alert_subscriptions",
  operationId: "createAlertSubscription",
  summary: "Create an alert subscription",
  description:
    "Creates a subscription that sends exceptions by e-mail to a member, or to a channel of Slack or Teams, when " +
    "they match all of its filters: immediately (changes within 20 seconds are one message), or as a daily or " +
    "weekly digest of open exceptions. A `mailbox` of no member receives a request to confirm it, and the " +
    "subscription is not active until the request is confirmed.",
  action: "manage_alerts",
  document: createAlertSubscriptionDocument,
  async create(services, { accountId }, attributes) {
    const receiver = await readReceiver(services, accountId, attributes);
    const isMailbox = receiver.mailbox !== null;
    const settings = await readSettings(services, attributes, attributes.channel, null);
    const active = settings.active && !isMailbox;
    const draft = { ...settings, active, ...receiver, id: services.ids.next(), channel: attributes.channel };
    const created = await services.transaction(accountId, async (_sql, inTransaction) => {
      const { savedViewId } = draft;
      if (savedViewId !== null) await checkView(inTransaction, accountId, savedViewId, receiver.userId);
      const stored = await inTransaction.alertSubscriptions.create(accountId, draft, subscriptionsMax);
      if (isMailbox && typeof stored !== "string") await sendTest(inTransaction, accountId, stored);
      return stored;
    });
    if (created === "no_such_member") throw unknownMember("member", attributes.member ?? "");
    if (created === "limit_reached") {
      throw limitReached(`An account may have ${subscriptionsMax} alert subscriptions. Delete one first.`);
    }
    return created;
  },
});

const get = getRoute(record, { operationId: "getAlertSubscription", summary: "Get an alert subscription" });

const edit = editRoute(record, {
  operationId: "editAlertSubscription",
  summary: "Update an alert subscription",
  description:
    "Changes the given attributes. Pausing the subscription (`active` false) or changing its frequency discards " +
    "alerts that have not been sent yet.",
  action: "manage_alerts",
  document: editAlertSubscriptionDocument,
  lock: ({ alertSubscriptions }, { accountId }, { id }) => alertSubscriptions.lock(accountId, id),
  async edit(services, { accountId }, present, attributes) {
    const settings = await readSettings(services, attributes, present.channel, present);
    if (settings.active && present.mailbox !== null && present.confirmedAt === null) {
      const how = "Request another confirmation email with `POST /alert_subscriptions/{id}/test`";
      const detail = `No reader of ${present.mailbox} has confirmed that it receives alerts. ${how}.`;
      throw invalidAttribute("active", detail);
    }
    const { savedViewId } = settings;
    if (savedViewId !== null) await checkView(services, accountId, savedViewId, present.userId);
    return services.alertSubscriptions.edit(accountId, present, settings);
  },
});

const remove = deleteRoute(record, {
  action: "manage_alerts",
  operationId: "deleteAlertSubscription",
  summary: "Delete an alert subscription",
  description: "Deletes the subscription with its unsent alerts and the log of its messages.",
  response: { status: 204, description: "Deleted." },
  remove: ({ alertSubscriptions }, { accountId }, { id }, ifVersions) =>
    alertSubscriptions.delete(accountId, id, ifVersions),
});

const test = defineRoute({
  method: "post",
  path: "/alert_subscriptions/{id}/test",
  operationId: "testAlertSubscription",
  summary: "Send a test alert",
  description:
    "Sends one test message within seconds. Then `last_attempt_at` of the subscription changes, and " +
    `\`last_error\` shows the outcome. Up to ${testsMax.ofSubscription} tests of a subscription and ` +
    `${testsMax.ofAccount} of an account in an hour; further requests get 429 with \`Retry-After\`. An unconfirmed ` +
    "mailbox receives the request to confirm it instead.",
  tag,
  scope: "write",
  action: "manage_alerts",
  request: { params: record.params, query: { type } },
  responses: { 202: record.shown },
  async handle(exchange) {
    const { services, caller } = exchange;
    const one = await findRecord(record, exchange);
    await services.transaction(caller.accountId, (_sql, inTransaction) =>
      sendTest(inTransaction, caller.accountId, one),
    );
    const resource = (await subscriptionResources(services, caller, [one]))(one, services.settings.baseUrl);
    return { status: 202, document: await recordDocument(exchange, resource) };
  },
});

export const alertSubscriptionRoutes = [list, create, get, edit, remove, test];
