import { type Html, html } from "@svc/views";
import { layout } from "../pages/layout.ts";

interface NamedAlert {
  readonly name: string;
  readonly companyName: string;
  /** Null: it is sent to a member. */
  readonly mailbox: string | null;
}

const mailLinkPage = (title: string, content: Html): Html =>
  layout({ title, caller: null, section: null, content: html`<section class="narrow card">${content}</section>` });

export function unsubscribePage(
  { name, companyName, mailbox, isSubscribed }: NamedAlert & { readonly isSubscribed: boolean },
  action: string,
): Html {
  const resuming =
    mailbox === null
      ? "Members of the account can resume it."
      : `It is sent to ${mailbox} again only if you confirm that again.`;
  const question = html`
    <h1>Unsubscribe from “${name}”?</h1>
    <p>This alert of ${companyName} is then not sent any more. Other alerts are not affected.</p>
    <form method="post" action="${action}"><button>Unsubscribe</button></form>`;
  const done = html`
    <h1>You are unsubscribed</h1>
    <p>${name} of ${companyName} is paused: nothing more is sent for it. ${resuming}</p>`;
  return mailLinkPage("Unsubscribe", isSubscribed ? question : done);
}

export function confirmPage(
  { name, companyName, mailbox, isConfirmed }: NamedAlert & { readonly mailbox: string; readonly isConfirmed: boolean },
  action: string,
): Html {
  const question = html`
    <h1>Receive “${name}”?</h1>
    <p>${companyName} sends this alert about its ocean shipments to ${mailbox}.
      Each email has a link to unsubscribe.</p>
    <form method="post" action="${action}"><button>Confirm</button></form>`;
  const done = html`
    <h1>The address is confirmed</h1>
    <p>${name} of ${companyName} is sent to ${mailbox}. Each email has a link to unsubscribe.</p>`;
  return mailLinkPage("Confirm an alert", isConfirmed ? done : question);
}
