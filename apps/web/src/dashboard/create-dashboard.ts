import type { Database } from "@svc/persistence";
import type { SecondFactorRepository } from "@svc/persistence/access";
import type { SessionRepository } from "@svc/persistence/sessions";
import { createAccountTokenRepository } from "@svc/persistence/tokens";
import type { Router } from "express";
import type { Callers } from "../access/callers.ts";
import type { LoginLimits } from "../access/login-limits.ts";
import type { OfferedProvider } from "../access/login-page.ts";
import type { SessionCookie } from "../access/session-cookie.ts";
import { createMailboxMessages } from "../account/mailbox-messages.ts";
import { createMemberEmails } from "../account/member-emails.ts";
import { addMemberRoutes } from "../account/member-routes.ts";
import { createMentionSettings } from "../account/mention-settings.ts";
import { addOwnAccountRoutes } from "../account/own-accounts.ts";
import { addSessionRoutes } from "../account/session-routes.ts";
import { addSignInRuleRoutes } from "../account/sign-in-rules.ts";
import { addAlertRoutes } from "../alerts/alert-routes.ts";
import { addAuditRoute } from "../audit/audit-route.ts";
import { addCalendarRoutes } from "../calendar/calendar-routes.ts";
import { addCustomFieldRoutes } from "../custom-fields/custom-field-routes.ts";
import { addCustomerRoutes } from "../customers/customer-routes.ts";
import { addDemurrageRoutes } from "../demurrage/demurrage-routes.ts";
import { readHealth } from "../developers/health.ts";
import { overviewPage } from "../developers/overview-page.ts";
import { addDisplayRoutes } from "../display/display-routes.ts";
import { addEmissionRoutes } from "../emissions/emission-routes.ts";
import { addEventRoutes } from "../events/event-routes.ts";
import { queryText } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { addInboxRoutes } from "../inbox/inbox-routes.ts";
import { addMailRoutes } from "../mail/mail-routes.ts";
import { addMcpRoutes } from "../mcp/mcp-routes.ts";
import { addNotificationRoutes } from "../notifications/notification-routes.ts";
import { addTokenRoutes } from "../tokens/token-routes.ts";
import { addTwoFactorRoutes } from "../two-factor/two-factor-routes.ts";
import { readPeriod } from "../webhooks/delivery-charts.ts";
import { addWebhookRoutes } from "../webhooks/webhook-routes.ts";
import { createDashboardRoutes } from "./dashboard-routes.ts";

export interface DashboardOptions {
  readonly database: Database;
  readonly appUrl: string;
  readonly apiBaseUrl: string;
  readonly internalApiBaseUrl: string;
  readonly mcpUrl: string;
  readonly caughtMailFolder?: string | undefined;
  readonly callers: Callers;
  readonly cookie: SessionCookie;
  readonly sessions: SessionRepository;
  readonly limits: LoginLimits;
  readonly factors: SecondFactorRepository | null;
  readonly providers: readonly OfferedProvider[];
  readonly sendsMail: boolean;
}

/** Pages under /developers and /account. */
export function createDashboard(options: DashboardOptions): Router {
  const routes = createDashboardRoutes({ ...options, home: "/developers" });
  const tokens = createAccountTokenRepository(options.database.sql);
  routes.page("/developers", "read", async (request, response, caller) => {
    const period = readPeriod(queryText(request, "period"));
    const [made, health] = await Promise.all([tokens.list(caller.accountId), readHealth(caller.api, period)]);
    const { apiBaseUrl, mcpUrl } = options;
    const used = { total: made.length, isAnyUsed: made.some(({ lastUsedAt }) => lastUsedAt !== null) };
    sendPage(response, 200, overviewPage({ caller, apiBaseUrl, mcpUrl, tokens: used, health, period }));
  });
  addTokenRoutes(routes, options);
  addWebhookRoutes(routes, options);
  addNotificationRoutes(routes, options);
  addEventRoutes(routes, options);
  addInboxRoutes(routes, options);
  addMcpRoutes(routes, options);
  routes.page("/account", "read", async (_request, response) => response.redirect(302, "/account/members"));
  const { apiBaseUrl, caughtMailFolder, sendsMail } = options;
  const mail = caughtMailFolder === undefined ? (sendsMail ? "sent" : "none") : "kept";
  const members = createMemberEmails(options.database);
  addAlertRoutes(routes, { mentions: createMentionSettings(options.database), members, apiBaseUrl, mail });
  addDisplayRoutes(routes, options.database);
  addCalendarRoutes(routes, options);
  addDemurrageRoutes(routes, apiBaseUrl);
  addEmissionRoutes(routes, apiBaseUrl);
  addCustomerRoutes(routes, apiBaseUrl);
  addCustomFieldRoutes(routes, apiBaseUrl);
  if (caughtMailFolder !== undefined) {
    const mailboxMessages = createMailboxMessages(options.database);
    addMailRoutes(routes, { folder: caughtMailFolder, appUrl: options.appUrl, mailboxMessages });
  }
  addMemberRoutes(routes, options);
  addAuditRoute(routes, { apiBaseUrl, members });
  addOwnAccountRoutes(routes, options);
  addTwoFactorRoutes(routes, options);
  addSignInRuleRoutes(routes, options);
  addSessionRoutes(routes, options);
  return routes.router;
}
