import { mayDo } from "@svc/domain/members";
import type { SignedInCaller } from "../access/api-clients.ts";
import { createMailboxMessages } from "../account/mailbox-messages.ts";
import { get, type Route } from "../http/define-route.ts";
import { findRecord } from "../http/find-record.ts";
import type { PageHandler } from "../http/handler.ts";
import { sendPage } from "../http/send-page.ts";
import { sendLivePage } from "../pages/live-page.ts";
import type { Services } from "../services.ts";
import { createCaughtMails, type MailReader } from "./caught-mails.ts";
import { mailListPage, mailPage } from "./mail-pages.ts";

/**
 * `/account/mail` and `/account/mail/{id}`, where the installation keeps mails: those to the signed-in member, and for
 * owners those of alerts to mailboxes.
 */
export function mailRoutes(services: Pick<Services, "caughtMailFolder" | "appUrl" | "database">): readonly Route[] {
  const { caughtMailFolder, appUrl, database } = services;
  if (caughtMailFolder === undefined) return [];
  const mails = createCaughtMails(caughtMailFolder);
  const mailboxMessages = createMailboxMessages(database);
  const readerOf = async ({ accountId, user }: SignedInCaller): Promise<MailReader> => ({
    email: user.email,
    messageIds: mayDo(user.role, "manage_channel_alerts") ? await mailboxMessages.of(accountId) : new Set(),
  });

  const list: PageHandler = async (request, response, caller) =>
    sendLivePage(request, response, mailListPage(caller, await mails.list(await readerOf(caller))));

  const show: PageHandler = async (request, response, caller) => {
    const reader = await readerOf(caller);
    const mail = await findRecord("mail", request.params.id, (id) => mails.read(id.toLowerCase(), reader));
    sendPage(response, 200, mailPage(caller, mail, appUrl));
  };

  return [get("/account/mail", "read", list), get("/account/mail/:id", "read", show)];
}
