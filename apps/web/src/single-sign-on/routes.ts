import type { Request, RequestHandler, Response } from "express";
import { createLoginLimits, refuseAttempts } from "../access/login-limits.ts";
import { loginPage } from "../access/login-page.ts";
import { get, post, type Route } from "../http/define-route.ts";
import { localPath } from "../http/local-path.ts";
import { sendPage } from "../http/send-page.ts";
import type { Services } from "../services.ts";
import { createAttemptCookie } from "./attempt-cookie.ts";
import { logoutHandlers } from "./logout-handlers.ts";
import { createOpenIdProvider, type OpenIdProvider } from "./openid-provider.ts";
import { providerFailure, type SignInFailure } from "./provider-failure.ts";
import { signInByProvider } from "./sign-in-by-provider.ts";

const home = "/shipments";

type SingleSignOnServices = Pick<
  Services,
  | "providers"
  | "database"
  | "sessions"
  | "appUrl"
  | "deniedNetworks"
  | "startSession"
  | "secondStep"
  | "stopping"
  | "logger"
>;

/** `/login/single-sign-on/{provider}`: sign-in by OpenID Connect (docs/single-sign-on.md). */
export function singleSignOnRoutes(services: SingleSignOnServices): readonly Route[] {
  const { database, sessions, appUrl, deniedNetworks: denied, startSession, secondStep, stopping, logger } = services;
  const cookie = createAttemptCookie(appUrl, home);
  const limits = createLoginLimits(database, "provider");
  const logout = logoutHandlers(database.sql, logger);
  const providers = new Map(
    services.providers.map((config) => {
      const provider = createOpenIdProvider(config, { appUrl, denied });
      stopping?.addEventListener("abort", () => void provider.destroy());
      return [config.name, provider];
    }),
  );

  /** Handles a request with the provider that its path names. Without one there is no such page. */
  const withProvider =
    (createHandler: (provider: OpenIdProvider) => RequestHandler): RequestHandler =>
    (request, response, next) => {
      const provider = providers.get(String(request.params.provider));
      return provider ? createHandler(provider)(request, response, next) : next("route");
    };

  const refuse = (response: Response, { config }: OpenIdProvider, failure: SignInFailure, next: string): void => {
    const { status, reason, problem } = failure;
    logger.warn({ provider: config.name, reason }, "single_sign_on.failed");
    sendPage(response, status, loginPage({ next, problem, providers: services.providers }));
  };

  const begin = (provider: OpenIdProvider) => async (request: Request, response: Response) => {
    const next = localPath(request.query.next, home);
    const attempt = cookie.begin(response, provider.config.name, next);
    try {
      response.redirect(302, String(await provider.authorizationUrl(attempt)));
    } catch (error) {
      refuse(response, provider, providerFailure(provider.config.label, error), next);
    }
  };

  const finish = (provider: OpenIdProvider) => async (request: Request, response: Response) => {
    const { config } = provider;
    const attempt = cookie.take(request, response, config.name);
    if (!attempt) {
      const problem = "This sign-in took longer than 10 minutes, or was begun in another tab or browser. Start again.";
      return refuse(response, provider, { status: 400, reason: "attempt_over", problem }, home);
    }
    const { next } = attempt;
    const address = request.ip ?? "";
    const waitSeconds = await limits.begin(address, "");
    if (waitSeconds !== null) {
      const problem = refuseAttempts(response, waitSeconds);
      return refuse(response, provider, { status: 429, reason: "limited", problem }, next);
    }
    const claims = await provider
      .readClaims(attempt, new URL(request.originalUrl, appUrl).searchParams)
      .catch((error: unknown) => providerFailure(config.label, error));
    if ("problem" in claims) return refuse(response, provider, claims, next);
    const outcome = await signInByProvider(database, config, claims, next);
    if ("problem" in outcome) return refuse(response, provider, outcome, next);
    const method = config.coversTwoFactor ? "trusted_single_sign_on" : "single_sign_on";
    const user = await sessions.findCredentialsOf(outcome.userId, method);
    if (!user) {
      const problem = "Your account is suspended. Ask the operator of this service.";
      return refuse(response, provider, { status: 403, reason: "suspended", problem }, next);
    }
    await limits.succeed(address, "");
    const firstStep = { method, identity: claims } as const;
    if (!config.coversTwoFactor && (await secondStep.begin(response, user, { next: outcome.next, ...firstStep })))
      return;
    await startSession(request, response, { ...user, ...firstStep });
    response.redirect(303, outcome.next);
  };

  const checkProvider = withProvider(() => (_request, _response, next) => next());

  return [
    get("/login/single-sign-on/:provider", "anyone", withProvider(begin)),
    get("/login/single-sign-on/:provider/callback", "anyone", withProvider(finish)),
    post("/login/single-sign-on/:provider/logout", "anyone", [checkProvider, ...logout.read, withProvider(logout.end)]),
  ];
}
