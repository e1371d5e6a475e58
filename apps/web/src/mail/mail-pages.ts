import { type Html, html, listTable } from "@svc/views";
import type { SignedInCaller } from "../access/api-clients.ts";
import { may } from "../access/callers.ts";
import { accountLayout, accountLivePage } from "../account/account-layout.ts";
import { type LivePage, part } from "../pages/live-page.ts";
import { exactTimestamp, relativeTimestamp } from "../pages/timestamps.ts";
import type { CaughtMail } from "./caught-mails.ts";

const path = "/account/mail";

function row({ id, subject, from, to, sentAt }: CaughtMail, hasRecipient: boolean): Html {
  return html`
    <tr>
      <th scope="row" data-label="Subject"><a class="row-link" href="${path}/${id}">${subject || "No subject"}</a></th>
      <td data-label="From">${from}</td>
      ${hasRecipient && html`<td data-label="To">${to}</td>`}
      <td data-label="Sent">${sentAt && relativeTimestamp(sentAt)}</td>
    </tr>`;
}

/** `GET /account/mail`: the mails that this installation keeps instead of sending them. */
export function mailListPage(caller: SignedInCaller, mails: readonly CaughtMail[]): LivePage {
  const none = html`
    <section class="card empty"><h2>No mail yet</h2>
      <p>Emails of alerts, mentions and assignments to you appear here. ${
        may(caller, "manage_alerts") && html`<a href="/account/alerts/new">New alert</a>`
      }</p></section>`;
  const isToMember = ({ to }: CaughtMail): boolean => to.toLowerCase() === caller.user.email.toLowerCase();
  const hasOthers = !mails.every(isToMember);
  const columns = ["Subject", "From", ...(hasOthers ? ["To"] : []), "Sent"];
  const rows = mails.map((mail) => row(mail, hasOthers));
  return accountLivePage({
    title: "Mail",
    caller,
    part: "mail",
    heading: hasOthers ? "Mail" : `Mail to ${caller.user.email}`,
    content: html`
      <p class="muted">This installation does not send email. It keeps the newest 200 emails here instead.</p>
      ${part("mails", mails.length === 0 ? none : listTable({ caption: "Mails", columns, rows }))}`,
  });
}

/** The text, with links to pages of this application only: other addresses are shown and not linked. */
function linked(text: string, appUrl: string): Html {
  const segments = text.split(/(https?:\/\/[^\s<>"]+)/);
  const isOwn = (segment: string): boolean => segment.startsWith(`${appUrl}/`);
  return html`${segments.map((segment) => (isOwn(segment) ? html`<a href="${segment}">${segment}</a>` : segment))}`;
}

/** `GET /account/mail/{id}`: the plain text of a mail. Its HTML part, which says the same, is not shown. */
export function mailPage(caller: SignedInCaller, mail: CaughtMail, appUrl: string): Html {
  const { subject, from, to, sentAt, text } = mail;
  return accountLayout({
    title: subject || "Mail",
    caller,
    part: "mail",
    heading: subject || "No subject",
    content: html`
      <p class="muted"><a href="${path}">Mail</a></p>
      <p class="muted">From ${from} to ${to}${sentAt && html`, ${exactTimestamp(sentAt)}`}</p>
      <div class="card mail-text">${linked(text, appUrl)}</div>`,
  });
}
