import { addressRanges } from "@svc/egress";
import { createSecretBox } from "@svc/persistence";
import { createSecondFactorRepository } from "@svc/persistence/access";
import { readChangeVersions } from "@svc/persistence/live-changes";
import type { SessionRepository } from "@svc/persistence/sessions";
import { createAccountTokenRepository } from "@svc/persistence/tokens";
import type { Request, Response } from "express";
import type { Callers } from "./access/callers.ts";
import { joinRoutes } from "./access/join-routes.ts";
import { llmsText } from "./access/llms-text.ts";
import { createLoginLimits } from "./access/login-limits.ts";
import { loginRoutes } from "./access/login-routes.ts";
import { passwordResetRoutes } from "./access/password-reset-routes.ts";
import type { SessionCookie } from "./access/session-cookie.ts";
import { createSetup } from "./access/setup-routes.ts";
import { createStartSession } from "./access/start-session.ts";
import { createMailboxMessages } from "./account/mailbox-messages.ts";
import { createMemberEmails } from "./account/member-emails.ts";
import { memberRoutes } from "./account/member-routes.ts";
import { createMentionSettings } from "./account/mention-settings.ts";
import { ownAccountRoutes } from "./account/own-accounts.ts";
import { sessionRoutes } from "./account/session-routes.ts";
import { signInRuleRoutes } from "./account/sign-in-rules.ts";
import { alertRoutes } from "./alerts/alert-routes.ts";
import { mailLinkRoutes } from "./alerts/mail-link-routes.ts";
import { attentionRoutes } from "./attention/attention-route.ts";
import { auditRoute } from "./audit-events/audit-route.ts";
import { calendarRoutes } from "./calendar-feeds/calendar-routes.ts";
import { feedRoutes } from "./calendar-feeds/feed-route.ts";
import { carrierRoutes } from "./carriers/carrier-routes.ts";
import { containerRoutes } from "./containers/container-routes.ts";
import { containerEditRoutes } from "./containers/edit-routes.ts";
import { containerListRoute } from "./containers/list-route.ts";
import { customFieldRoutes } from "./custom-fields/custom-field-routes.ts";
import { customerRoutes } from "./customers/customer-routes.ts";
import { demurrageRoutes } from "./demurrage/demurrage-routes.ts";
import { overviewRoute, referenceRoute } from "./developers/overview-route.ts";
import { displayRoutes } from "./display/display-routes.ts";
import { ediRoutes } from "./edi-files/edi-routes.ts";
import { emissionRoutes } from "./emissions/emission-routes.ts";
import { eventRoutes } from "./events/event-routes.ts";
import { exportRoutes } from "./exports/export-routes.ts";
import { createHangingRequests } from "./inbox/hanging-requests.ts";
import { inboxRoutes } from "./inbox/inbox-routes.ts";
import { inboxReceiver } from "./inbox/receive-route.ts";
import { performanceRoutes } from "./insight/performance-routes.ts";
import { createChangeFeed } from "./live-changes/change-feed.ts";
import { createEventStreams } from "./live-changes/event-streams.ts";
import { eventsRoute } from "./live-changes/events-route.ts";
import { mailRoutes } from "./mail/mail-routes.ts";
import { mapRoutes } from "./map/map-routes.ts";
import { mcpRoutes } from "./mcp/mcp-routes.ts";
import { notificationRoutes } from "./notifications/notification-routes.ts";
import { oauthRoutes } from "./oauth/oauth-routes.ts";
import { changeShipmentRows } from "./rows/shipment-rows.ts";
import { viewRoutes } from "./saved-views/view-routes.ts";
import { searchRoute } from "./search/search-route.ts";
import { shareRoutes } from "./share-links/share-routes.ts";
import { sharedPageRoutes } from "./share-links/shared-page-route.ts";
import { shipmentEditRoutes } from "./shipments/edit-routes.ts";
import { jsonRoute } from "./shipments/json-route.ts";
import { listRoute } from "./shipments/list-route.ts";
import { refreshRoute } from "./shipments/refresh.ts";
import { shipmentRoute } from "./shipments/shipment-route.ts";
import { singleSignOnRoutes } from "./single-sign-on/single-sign-on-routes.ts";
import { statusRoute } from "./status/status-route.ts";
import { themeRoute } from "./theme/theme-routes.ts";
import { timesRoutes } from "./times/times-routes.ts";
import { tokenRoutes } from "./tokens/token-routes.ts";
import { bulkRoutes } from "./tracking-requests/bulk-routes.ts";
import { importRoutes } from "./tracking-requests/import-routes.ts";
import { requestRoutes } from "./tracking-requests/requests-route.ts";
import { trackRoutes } from "./tracking-requests/track-routes.ts";
import { createSecondStep } from "./two-factor/code-routes.ts";
import { twoFactorRoutes } from "./two-factor/two-factor-routes.ts";
import type { WebOptions } from "./web-options.ts";
import { webhookRoutes } from "./webhooks/webhook-routes.ts";

export type Handlers = Awaited<ReturnType<typeof createHandlers>>;

/** The handlers of all routes, by the feature that they belong to. */
export async function createHandlers(
  options: WebOptions & {
    readonly callers: Callers;
    readonly cookie: SessionCookie;
    readonly sessions: SessionRepository;
  },
) {
  const { database, appUrl, apiBaseUrl, internalApiBaseUrl, clock, logger, stopping, sendsMail } = options;
  const { caughtMailFolder, sessions, cookie } = options;
  const { sql } = database;
  const providers = options.providers ?? [];
  const limits = createLoginLimits(database, "password");
  const startSession = createStartSession(sessions, cookie);
  const factors = options.secretKey ? createSecondFactorRepository(database, createSecretBox(options.secretKey)) : null;
  const codeLimits = createLoginLimits(database, "code");
  const secondStep = createSecondStep({ appUrl, sql, sessions, factors, limits: codeLimits, startSession });
  const setup = createSetup({ database, appUrl, logger, startSession, firstOwner: options.firstOwner });
  // Logs the setup code at startup. If the database is unavailable, the next request retries.
  setup.isOpen().catch(() => undefined);
  const denied = options.deniedNetworks ?? addressRanges([]);
  const feed = createChangeFeed({
    readVersions: (records) => readChangeVersions(sql, records),
    onFailure: (error) => stopping?.aborted || logger.warn({ err: error }, "live_changes.not_read"),
  });
  const members = createMemberEmails(database);
  const guide = llmsText(options);
  const access = { ...options, sql, limits, startSession, secondStep, providers, factors };

  return {
    events: eventsRoute(feed, createEventStreams(options.metrics, stopping), cookie),
    status: statusRoute(database, internalApiBaseUrl),
    llmsText: (_request: Request, response: Response): void => void response.type("text/plain").send(guide),

    login: await loginRoutes({ ...access, isSetupOpen: setup.isOpen }),
    secondStep,
    singleSignOn: singleSignOnRoutes({ ...access, denied, stopping }),
    forgotten: passwordResetRoutes({ ...access, limits: createLoginLimits(database, "reset"), loginLimits: limits }),
    setup,
    join: joinRoutes(access),
    oauth: oauthRoutes(options),

    sharedPage: sharedPageRoutes(database, clock),
    calendarFeed: feedRoutes({ database, appUrl, clock }),
    mailLinks: mailLinkRoutes(database),
    inboxReceiver: inboxReceiver(database, createHangingRequests(stopping)),

    attention: attentionRoutes({ members, apiBaseUrl, clock, sendsMail }),
    shipments: {
      list: listRoute(apiBaseUrl, clock),
      changeRows: changeShipmentRows,
      show: shipmentRoute({ members, apiBaseUrl, clock, sendsMail }),
      showJson: jsonRoute(apiBaseUrl),
      refresh: refreshRoute(appUrl),
    },
    shipmentEdit: shipmentEditRoutes({ sendsMail, members }),
    containers: { list: containerListRoute({ apiBaseUrl, clock }), ...containerRoutes(apiBaseUrl, clock) },
    containerEdit: containerEditRoutes(),
    exports: exportRoutes(clock),
    map: mapRoutes({ apiBaseUrl, clock }),
    share: shareRoutes(apiBaseUrl),
    views: viewRoutes(apiBaseUrl),

    track: trackRoutes(apiBaseUrl),
    bulk: bulkRoutes(apiBaseUrl),
    imports: importRoutes(apiBaseUrl),
    edi: ediRoutes(apiBaseUrl),
    requests: requestRoutes({ apiBaseUrl, clock }),
    search: searchRoute(apiBaseUrl),
    carriers: carrierRoutes({ apiBaseUrl, clock }),
    performance: performanceRoutes(apiBaseUrl),

    times: timesRoutes(appUrl),
    theme: themeRoute(appUrl),

    overview: overviewRoute({ ...options, listTokens: createAccountTokenRepository(sql).list }),
    apiReference: referenceRoute(apiBaseUrl),
    tokens: tokenRoutes(options),
    webhooks: webhookRoutes(options),
    notifications: notificationRoutes(options),
    eventCatalogue: eventRoutes(options),
    inbox: inboxRoutes(options),
    mcp: mcpRoutes(options),

    members: memberRoutes(options),
    signInRules: signInRuleRoutes(access),
    audit: auditRoute({ apiBaseUrl, members }),
    alerts: alertRoutes({
      apiBaseUrl,
      members,
      mentions: createMentionSettings(database),
      mail: caughtMailFolder === undefined ? (sendsMail ? "sent" : "none") : "kept",
    }),
    demurrage: demurrageRoutes(apiBaseUrl),
    emissions: emissionRoutes(apiBaseUrl),
    customers: customerRoutes(apiBaseUrl),
    customFields: customFieldRoutes(apiBaseUrl),
    calendar: calendarRoutes({ database, appUrl }),
    mail:
      caughtMailFolder === undefined
        ? null
        : mailRoutes({ folder: caughtMailFolder, appUrl, mailboxMessages: createMailboxMessages(database) }),
    display: displayRoutes(database, appUrl),
    ownAccounts: ownAccountRoutes(options),
    sessions: sessionRoutes(access),
    twoFactor: twoFactorRoutes(access),
  };
}
