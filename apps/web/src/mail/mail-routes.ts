import type { DashboardRoutes } from "../dashboard/dashboard-routes.ts";
import { found } from "../http/found.ts";
import { sendPage } from "../http/send-page.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { createCaughtMails } from "./caught-mails.ts";
import { mailListPage, mailPage } from "./mail-pages.ts";

/** `/account/mail` and `/account/mail/{id}`, where the installation keeps mails: those to the signed-in member. */
export function addMailRoutes({ page }: DashboardRoutes, folder: string, appUrl: string): void {
  const mails = createCaughtMails(folder);

  page("/account/mail", "read", async (request, response, caller) =>
    sendLivePage(request, response, mailListPage(caller, await mails.list(caller.user.email))),
  );

  page("/account/mail/:id", "read", async (request, response, caller) => {
    const mail = await found("mail", request.params.id, (id) => mails.read(id.toLowerCase(), caller.user.email));
    sendPage(response, 200, mailPage(caller, mail, appUrl));
  });
}
