import { type Client, createClient } from "@svc/sdk";
import type { Request } from "express";
import { apiTokenOf } from "../http/api-token.ts";
import type { SessionCookie } from "./session-cookie.ts";

/** The API in the name of whoever asks; null for who shows neither a session nor a token. */
export type ApiOf = (request: Request) => Client | null;

/** A page says what it has; it does not wait long for a part that is missing. */
const timeoutMs = 4_000;

export function createApiClients(options: {
  readonly internalApiBaseUrl: string;
  readonly cookie: SessionCookie;
}): ApiOf {
  const { internalApiBaseUrl: baseUrl, cookie } = options;
  return (request) => {
    const token = apiTokenOf(request) ?? cookie.secret(request);
    return token ? createClient({ token, baseUrl, maxRetries: 0, timeoutMs }) : null;
  };
}
