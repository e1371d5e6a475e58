import { type Client, createClient } from "@svc/sdk";
import type { Request } from "express";
import { apiTokenOf } from "../http/read-request.ts";
import { waitWhileRunning } from "../http/wait-while-running.ts";
import type { Caller } from "./callers.ts";
import type { SecretCookie } from "./secret-cookie.ts";

/** An API client with the credentials of the request; null when it has neither a session nor a token. */
export type ApiClientResolver = (request: Request) => Client | null;

/** An authenticated caller with an API client of the same account, permissions and rate limits. */
export interface ApiCaller extends Caller {
  readonly api: Client;
}

/** A user who is signed in. */
export interface SignedInCaller extends ApiCaller {
  readonly user: NonNullable<Caller["user"]>;
  /** The session of the request: the SHA-256 of its cookie. */
  readonly sessionSha256: Buffer;
}

/** A user waits for the page, so rate limits and errors are shown at once instead of retried. */
const timeoutMs = 15_000;
/** A page is shown without an optional part whose API call does not respond within this time. */
export const optionalPartMs = 4_000;

export function createApiClients(options: {
  readonly internalApiBaseUrl: string;
  readonly cookie: SecretCookie;
}): ApiClientResolver {
  const { internalApiBaseUrl: baseUrl, cookie } = options;
  return (request) => {
    const token = apiTokenOf(request) ?? cookie.secret(request);
    return token ? createClient({ token, baseUrl, maxRetries: 0, timeoutMs, fetch: waitWhileRunning }) : null;
  };
}
