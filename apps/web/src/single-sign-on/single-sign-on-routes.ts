import type { addressRanges } from "@svc/egress";
import type { Database } from "@svc/persistence";
import type { SessionRepository } from "@svc/persistence/sessions";
import type { Logger } from "@svc/service-kit";
import type { Request, RequestHandler, Response } from "express";
import { createLoginLimits } from "../access/login-limits.ts";
import { loginPage } from "../access/login-page.ts";
import type { StartSession } from "../access/start-session.ts";
import { localPath } from "../http/local-path.ts";
import { sendPage } from "../http/send-page.ts";
import type { SecondStep } from "../two-factor/code-routes.ts";
import { createAttemptCookie } from "./attempt-cookie.ts";
import { logoutRoute } from "./logout-routes.ts";
import { createOpenIdProvider, type OpenIdProvider } from "./openid-provider.ts";
import type { ProviderConfig } from "./provider-config.ts";
import { providerFailure, type SignInFailure } from "./provider-failure.ts";
import { signInByProvider } from "./sign-in-by-provider.ts";

const home = "/shipments";

export interface SingleSignOnOptions {
  readonly providers: readonly ProviderConfig[];
  readonly database: Database;
  readonly sessions: SessionRepository;
  readonly appUrl: string;
  /** Networks to which no request goes. */
  readonly denied: ReturnType<typeof addressRanges>;
  readonly startSession: StartSession;
  readonly secondStep: SecondStep;
  readonly stopping?: AbortSignal | undefined;
  readonly logger: Logger;
}

/** `/login/single-sign-on/{provider}`: sign-in by OpenID Connect (docs/single-sign-on.md). */
export function singleSignOnRoutes(options: SingleSignOnOptions) {
  const { database, sessions, appUrl, denied, startSession, secondStep, stopping, logger } = options;
  const cookie = createAttemptCookie(appUrl, home);
  const limits = createLoginLimits(database, "provider");
  const logout = logoutRoute(database.sql, logger);
  const providers = new Map(
    options.providers.map((config) => {
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
    sendPage(response, status, loginPage({ next, problem, providers: options.providers }));
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
      response.set("Retry-After", String(waitSeconds));
      const problem = `Too many attempts. Try again in ${Math.ceil(waitSeconds / 60)} minutes.`;
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

  return {
    begin: withProvider(begin),
    finish: withProvider(finish),
    logOut: [withProvider(() => (_request, _response, next) => next()), ...logout.read, withProvider(logout.end)],
  };
}
