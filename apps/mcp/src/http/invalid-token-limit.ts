import { clientAddress, MemoryWindow, networkOf } from "@svc/service-kit";
import type { Request } from "express";
import { type SignIn, signInAt } from "./protected-resource.ts";
import { type Rejection, tooManyUnauthorized, unauthorized } from "./rejection.ts";

const windowMs = 60_000;

export interface InvalidTokenLimitOptions {
  /** Requests without a valid token a minute and client address (networkOf), in this process. */
  readonly invalidTokensPerMinute: number;
  /** Reverse proxies in front whose X-Forwarded-For is trusted. */
  readonly trustedProxyCount: number;
  readonly signIn?: SignIn | undefined;
}

/** Counts a request without a valid token and rejects it. */
export type RejectToken = (request: Request, token: "absent" | "rejected") => Rejection;

/**
 * The API counts invalid tokens by the address of this server. A limit per client address keeps one client from
 * exhausting that limit for all others. Valid tokens are not affected.
 */
export function limitInvalidTokens({
  invalidTokensPerMinute,
  trustedProxyCount,
  signIn,
}: InvalidTokenLimitOptions): RejectToken {
  const window = new MemoryWindow({ limit: invalidTokensPerMinute, windowMs });
  return (request, token) => {
    const { accepted, resetMs } = window.take(networkOf(clientAddress(request, trustedProxyCount)));
    if (accepted) return unauthorized(token, signIn && signInAt(signIn, request.path));
    return tooManyUnauthorized(invalidTokensPerMinute, Math.max(1, Math.ceil(resetMs / 1_000)));
  };
}
