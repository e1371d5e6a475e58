import { isUuid } from "@svc/domain/identifiers";
import { notFound } from "@svc/jsonapi";
import { createMemberRepository, type OwnAccount } from "@svc/persistence/members";
import { actionsColumn, type Html, html, listTable } from "@svc/views";
import type { SignedInCaller } from "../access/api-clients.ts";
import { switchSession } from "../access/switch-session.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { sendPage } from "../http/send-page.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import type { Services } from "../services.ts";
import { accountLayout } from "./account-layout.ts";
import { roleLabels } from "./role-labels.ts";

const path = "/account/accounts";

function row({ accountId, companyName, role }: OwnAccount, isPresent: boolean): Html {
  const action = html`
    <form method="post" action="${path}/switch">
      <input type="hidden" name="account" value="${accountId}">
      <button class="quiet" aria-label="Switch to ${companyName}">Switch</button>
    </form>`;
  return html`
    <tr>
      <th scope="row" data-label="Company">${companyName}${isPresent && html` <span class="tag">current</span>`}</th>
      <td data-label="Your role">${roleLabels[role]}</td>
      <td>${!isPresent && action}</td>
    </tr>`;
}

function ownAccountsPage(caller: SignedInCaller, accounts: readonly OwnAccount[], problem?: string): Html {
  return accountLayout({
    title: "Your accounts",
    caller,
    part: "accounts",
    content: html`
      ${problem && noticeBanner("error", problem)}
      ${listTable({
        caption: "Accounts of which you are a member",
        columns: ["Company", "Your role", actionsColumn],
        rows: accounts.map((account) => row(account, account.accountId === caller.accountId)),
      })}
      <p class="muted">You work in one account at a time; switching applies to all tabs of this browser.
        To join another account, open the invite link of one of its owners.</p>`,
  });
}

/** `/account/accounts`: the accounts of the signed-in user, and the form that switches between them. */
export function ownAccountHandlers(services: Pick<Services, "database" | "sessions" | "cookie">) {
  const members = createMemberRepository(services.database.sql);

  const list: PageHandler = async (_request, response, caller) => {
    const accounts = await members.listAccounts(caller.user.userId);
    sendPage(response, 200, ownAccountsPage(caller, accounts));
  };

  const switchTo: FormHandler = async (_request, response, caller, values) => {
    const accountId = values.text("account");
    const change = { userId: caller.user.userId, from: caller.sessionSha256, accountId };
    if (!(isUuid(accountId) && (await switchSession(services, response, change)))) {
      const accounts = await members.listAccounts(caller.user.userId);
      const requested = accounts.find((account) => account.accountId === accountId);
      if (!requested) throw notFound("caller", accountId);
      const problem = `${requested.companyName} requires single sign-on. Sign out, and sign in with your provider.`;
      return sendPage(response, 403, ownAccountsPage(caller, accounts, problem));
    }
    response.redirect(303, "/attention");
  };

  return { list, switchTo };
}
