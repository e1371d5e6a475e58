import type { CookieOptions, Request, Response } from "express";
import { randomNonce, randomPKCECodeVerifier, randomState } from "openid-client";
import { z } from "zod";
import { localPath } from "../http/local-path.ts";
import { cookieValue } from "../http/read-request.ts";

const lastsMs = 10 * 60_000;
/** A longer path would not fit into a cookie. */
const nextMax = 2_000;

const Attempt = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  begunMs: z.number(),
});

/** A sign-in that continues at a provider, kept in the browser that began it. */
export type SignInAttempt = z.output<typeof Attempt>;

export interface AttemptCookie {
  /** Begins an attempt, in place of another one of the browser. */
  begin(response: Response, provider: string, next: string): SignInAttempt;
  /** Ends the attempt of the browser with a provider. Null: there is none, or it took too long. */
  take(request: Request, response: Response, provider: string): SignInAttempt | null;
}

/**
 * State, nonce and PKCE verifier have 256 bits. The cookie is sent with the redirect of the provider because of
 * SameSite=Lax; over https its prefix binds it to this host, so that no other site can plant an attempt of its own.
 */
export function createAttemptCookie(appUrl: string, home: string): AttemptCookie {
  const secure = appUrl.startsWith("https:");
  const name = secure ? "__Host-svc_single_sign_on" : "svc_single_sign_on";
  const options: CookieOptions = { httpOnly: true, sameSite: "lax", path: "/", secure };

  const read = (request: Request): SignInAttempt | null => {
    try {
      const text = Buffer.from(cookieValue(request, name) ?? "", "base64url").toString();
      return Attempt.safeParse(JSON.parse(text)).data ?? null;
    } catch {
      return null;
    }
  };

  return {
    begin(response, provider, next) {
      const attempt = {
        provider,
        state: randomState(),
        nonce: randomNonce(),
        verifier: randomPKCECodeVerifier(),
        next: next.length > nextMax ? home : next,
        begunMs: Date.now(),
      };
      const value = Buffer.from(JSON.stringify(attempt)).toString("base64url");
      response.cookie(name, value, { ...options, maxAge: lastsMs });
      return attempt;
    },
    take(request, response, provider) {
      const attempt = read(request);
      response.clearCookie(name, options);
      const isOver = attempt === null || attempt.provider !== provider || Date.now() - attempt.begunMs > lastsMs;
      return isOver ? null : { ...attempt, next: localPath(attempt.next, home) };
    },
  };
}
