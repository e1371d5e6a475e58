import type { AlertSubscriptionResource } from "@svc/sdk";
import { actionsColumn, type Html, html, listTable } from "@svc/views";
import type { SignedInCaller } from "../access/api-clients.ts";
import { may } from "../access/callers.ts";
import { accountLivePage } from "../account/account-layout.ts";
import { withBreakAfterAt } from "../account/email-text.ts";
import { deleteRecordPage } from "../dashboard/record-list-page.ts";
import { checkbox } from "../forms/choices.ts";
import { type LivePage, part } from "../pages/live-page.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import { relativeTimestamp } from "../pages/timestamps.ts";
import {
  awaitsConfirmation,
  filterText,
  type MailDelivery,
  mailNote,
  receiverText,
  scheduleText,
} from "./alert-text.ts";

const path = "/account/alerts";

/** A test message that was asked for. */
export interface AlertTest {
  readonly alert: AlertSubscriptionResource;
  /** Whether its outcome is known. */
  readonly isOver: boolean;
}

function state(attributes: AlertSubscriptionResource["attributes"]): Html {
  const { active, unsubscribed_at: unsubscribedAt } = attributes;
  if (unsubscribedAt === null && awaitsConfirmation(attributes)) return html`<span class="state">Not confirmed</span>`;
  if (active) return html`<span class="state good">Active</span>`;
  if (unsubscribedAt === null) return html`<span class="state">Paused</span>`;
  return html`<span class="state">Unsubscribed</span> <span class="muted">${relativeTimestamp(unsubscribedAt)}</span>`;
}

function lastSent({ last_error: error, last_attempt_at: attemptAt }: AlertSubscriptionResource["attributes"]): Html {
  if (attemptAt === null) return html`<span class="muted">Nothing yet</span>`;
  if (error === null) return html`Sent ${relativeTimestamp(attemptAt)}`;
  return html`<span class="late">Not sent</span> ${relativeTimestamp(attemptAt)}: ${error}`;
}

interface TableOptions {
  readonly hasReceiver: boolean;
  readonly mayManage: boolean;
  /** Names of the views that the member sees, by id. */
  readonly viewNames: ReadonlyMap<string, string>;
}

function row({ id, attributes }: AlertSubscriptionResource, options: TableOptions): Html {
  const { hasReceiver, mayManage, viewNames } = options;
  const { name, active } = attributes;
  const [label, value] = active ? ["Pause", "false"] : ["Resume", "true"];
  const test = (label: string, description: string): Html =>
    html`<button class="quiet" formaction="${path}/${id}/test" aria-label="${description} ${name}">${label}</button>`;
  const buttons = awaitsConfirmation(attributes)
    ? test("Resend confirmation", "Resend confirmation of")
    : html`${test("Test", "Send a test message of")}
        <button class="quiet" name="active" value="${value}" aria-label="${label} ${name}">${label}</button>`;
  return html`
    <tr>
      <th scope="row" data-label="Name">${
        mayManage ? html`<a class="row-link" href="${path}/${id}/edit">${name}</a>` : name
      }</th>
      ${hasReceiver && html`<td data-label="To">${withBreakAfterAt(receiverText(attributes))}</td>`}
      <td class="phrase" data-label="When">${scheduleText(attributes)}</td>
      <td data-label="About">${filterText(attributes, viewNames)}</td>
      <td data-label="Status">${state(attributes)}</td>
      <td data-label="Last message">${lastSent(attributes)}</td>
      <td>${
        mayManage &&
        html`<form class="row-actions" method="post" action="${path}/${id}/state">
        ${buttons}
        <a class="danger" href="${path}/${id}/delete" aria-label="Delete ${name}">Delete</a></form>`
      }</td>
    </tr>`;
}

function testNotice({ alert: { attributes }, isOver }: AlertTest): Html {
  const { name, channel, last_error: error } = attributes;
  const to = channel === "email" ? receiverText(attributes) : `the ${receiverText(attributes)}`;
  const message = awaitsConfirmation(attributes) ? "request to confirm" : "test message of";
  if (!isOver) {
    return noticeBanner("success", html`The ${message} ${name} is being sent. <a href="">Refresh</a>`);
  }
  return error === null
    ? noticeBanner("success", html`The ${message} ${name} was accepted for ${to}.`)
    : noticeBanner("error", html`The ${message} ${name} was not sent. ${error}`);
}

function table(caption: string, alerts: readonly AlertSubscriptionResource[], options: TableOptions): Html {
  const columns = [
    "Name",
    ...(options.hasReceiver ? ["To"] : []),
    "When",
    "About",
    "Status",
    "Last message",
    actionsColumn,
  ];
  return listTable({
    className: "names",
    caption,
    columns,
    rows: alerts.map((one) => row(one, options)),
  });
}

/** A viewer has no alerts, but can be mentioned and assigned to. */
function mentionForm(receives: boolean, mail: MailDelivery): Html {
  const kept = mail === "kept" && html` <span class="below muted">kept under Mail and not sent</span>`;
  const label = html`Email me when a note mentions me or an exception is assigned to me${kept}`;
  return html`
    <form class="card form" method="post" action="${path}/mentions" aria-label="Mentions and assignments">
      <h2>Mentions and assignments</h2>
      ${checkbox("receives", label, { isChecked: receives })}
      <p class="actions"><button class="quiet">Save</button></p>
    </form>`;
}

/** `GET /account/alerts`: the alerts of the member; for owners, also those of channels and other members. */
export function alertListPage(options: {
  readonly caller: SignedInCaller;
  readonly apiBaseUrl: string;
  readonly mail: MailDelivery;
  /** Whether the member gets a mail when a note mentions them or an exception is assigned to them. */
  readonly receivesMentions: boolean;
  readonly own: readonly AlertSubscriptionResource[];
  readonly others: readonly AlertSubscriptionResource[];
  /** Names of the views that the member sees, by id. */
  readonly viewNames: ReadonlyMap<string, string>;
  readonly test: AlertTest | null;
  readonly notice: string | undefined;
  readonly problem?: string;
}): LivePage {
  const { caller, apiBaseUrl, mail, own, others, viewNames, test, notice, problem } = options;
  const mayManage = may(caller, "manage_alerts");
  const mayCreate = mayManage && (mail !== "none" || caller.user.role === "owner");
  const sends = {
    sent: "sends you exceptions by email",
    kept: "sends exceptions to a channel, or writes you emails that are kept under Mail",
    none: "sends exceptions to a channel",
  }[mail];
  const empty = html`
    <section class="card empty"><h2>No alerts yet</h2>
      <p>An alert ${sends}: last free days, holds, fees, delays and silent carriers.</p>
    </section>`;
  const ownTable = table("Alerts that are sent to you", own, { hasReceiver: false, mayManage, viewNames });
  const otherTable = table("Other alerts of the account", others, { hasReceiver: true, mayManage, viewNames });
  return accountLivePage({
    title: "Alerts",
    caller,
    part: "alerts",
    notice,
    isPending: test !== null && !test.isOver,
    aside: mayCreate && html`<a class="button" href="${path}/new">New alert</a>`,
    content: html`
        ${problem !== undefined && noticeBanner("error", problem)}
        ${part("test", test && testNotice(test))}
        ${mailNote(mail)}
        ${part("own", own.length > 0 ? html`<h2>Sent to you</h2>${ownTable}` : others.length === 0 && empty)}
        ${part("others", others.length > 0 && html`<h2>Sent to others</h2>${otherTable}`)}
        ${mail !== "none" && mentionForm(options.receivesMentions, mail)}
        ${sameFromApi(apiBaseUrl, [{ path: "/alert_subscriptions" }])}`,
  });
}

export const deleteAlertPage = (caller: SignedInCaller, { id, attributes }: AlertSubscriptionResource): Html =>
  deleteRecordPage(caller, {
    part: "alerts",
    path,
    id,
    name: attributes.name,
    button: "Delete alert",
    effect: "Nothing more is sent for it, and the log of its messages is removed. Pause it to keep it.",
  });
