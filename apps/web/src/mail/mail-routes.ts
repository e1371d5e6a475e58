import { mayDo } from "@svc/domain/members";
import type { MailboxMessages } from "../account/mailbox-messages.ts";
import type { DashboardRoutes, SignedInCaller } from "../dashboard/dashboard-routes.ts";
import { found } from "../http/found.ts";
import { sendPage } from "../http/send-page.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { createCaughtMails, type MailReader } from "./caught-mails.ts";
import { mailListPage, mailPage } from "./mail-pages.ts";

/**
 * `/account/mail` and `/account/mail/{id}`, where the installation keeps mails: those to the signed-in member, and for
 * owners those of alerts to mailboxes.
 */
export function addMailRoutes(
  { page }: DashboardRoutes,
  options: { readonly folder: string; readonly appUrl: string; readonly mailboxMessages: MailboxMessages },
): void {
  const { folder, appUrl, mailboxMessages } = options;
  const mails = createCaughtMails(folder);
  const readerOf = async ({ accountId, user }: SignedInCaller): Promise<MailReader> => ({
    email: user.email,
    messageIds: mayDo(user.role, "manage_channel_alerts") ? await mailboxMessages.of(accountId) : new Set(),
  });

  page("/account/mail", "read", async (request, response, caller) =>
    sendLivePage(request, response, mailListPage(caller, await mails.list(await readerOf(caller)))),
  );

  page("/account/mail/:id", "read", async (request, response, caller) => {
    const reader = await readerOf(caller);
    const mail = await found("mail", request.params.id, (id) => mails.read(id.toLowerCase(), reader));
    sendPage(response, 200, mailPage(caller, mail, appUrl));
  });
}
