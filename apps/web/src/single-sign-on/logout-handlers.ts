import { type Instant, instant } from "@svc/domain";
import { isDatabaseUnavailable, type Sql } from "@svc/persistence";
import { endSessionsByProvider } from "@svc/persistence/sessions";
import { type Logger, MemoryWindow, networkOf } from "@svc/service-kit";
import type { RequestHandler, Response } from "express";
import { readFields } from "../http/own-forms.ts";
import { LogoutTokenError } from "./logout-token.ts";
import type { OpenIdProvider } from "./openid-provider.ts";
import { providerFailure } from "./provider-failure.ts";

/** Many users may be disabled at a provider at once. */
const limit = { limit: 600, windowMs: 60_000 };

/** The answers of OpenID Connect Back-Channel Logout 1.0, 2.8. */
function refuse(response: Response, status: number, description: string): void {
  response.status(status).json({ error: "invalid_request", error_description: description });
}

/**
 * `POST /login/single-sign-on/{name}/logout`: the provider ends sessions of a user (back-channel logout). It is called
 * by no browser, and has no cookie: the signature of the token says that it is the provider.
 */
export function logoutHandlers(sql: Sql, logger: Logger) {
  const requests = new MemoryWindow(limit);

  const limitRequests: RequestHandler = (request, response, next) => {
    response.set("Cache-Control", "no-store");
    const { accepted, resetMs } = requests.take(networkOf(request.ip ?? ""));
    if (accepted) return next();
    response.set("Retry-After", String(Math.ceil(resetMs / 1_000)));
    refuse(response, 429, "Too many requests.");
  };

  const end =
    (provider: OpenIdProvider): RequestHandler =>
    async (request, response) => {
      const { name, label } = provider.config;
      const token: unknown = request.body?.logout_token;
      try {
        if (typeof token !== "string") throw new LogoutTokenError("missing");
        const { untilMs, ...claims } = await provider.readLogout(token);
        const until: Instant = instant(untilMs);
        const sessions = await endSessionsByProvider(sql, { ...claims, until });
        if (sessions === null) throw new LogoutTokenError("used_before");
        logger.info({ provider: name, sessions }, "single_sign_on.logged_out");
        response.status(200).end();
      } catch (error) {
        // Not refused: the provider repeats the request.
        if (isDatabaseUnavailable(error)) throw error;
        const isTokenError = error instanceof LogoutTokenError;
        const reason = isTokenError ? error.reason : providerFailure(label, error).reason;
        logger.warn({ provider: name, reason }, "single_sign_on.logout_failed");
        refuse(response, 400, isTokenError ? error.message : `The keys of ${label} cannot be read: ${reason}.`);
      }
    };

  return { read: [limitRequests, readFields("16kb", 10)], end };
}
