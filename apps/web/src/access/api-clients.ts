import { type Client, createClient } from "@svc/sdk";
import type { Request } from "express";
import { apiTokenOf } from "../http/read-request.ts";
import type { SessionCookie } from "./session-cookie.ts";

/** An API client with the credentials of the request; null when it has neither a session nor a token. */
export type ApiOf = (request: Request) => Client | null;

/** A page is shown without a part whose API call does not answer within this time. */
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
