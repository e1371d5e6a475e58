import { cacheLookups, type ReadinessCheck } from "@svc/service-kit";
import { createCaller } from "./caller.ts";

const timeoutMs = 2_000;
/** Accepted tokens are checked again after this time; refused ones at each check, so that a new token works at once. */
const acceptedForMs = 60_000;

/** Readiness: the API responds and, where the server lends a token, accepts it. */
export function apiChecks(apiBaseUrl: string, ownToken?: string): Readonly<Record<string, ReadinessCheck>> {
  const health = new URL("/healthz", apiBaseUrl);
  const api: ReadinessCheck = async () => {
    const response = await fetch(health, { signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) throw new Error(`the API's health is ${response.status}`);
  };
  if (ownToken === undefined) return { api };
  const checkToken = cacheLookups(
    async (token) => {
      const signal = AbortSignal.timeout(timeoutMs);
      const caller = createCaller({ apiBaseUrl, token, transport: "http", isReadOnly: true, signal });
      try {
        await caller.client.containers.list({ pageSize: 1 });
      } catch (error) {
        // A rate limit, for example, does not mean that the token is invalid.
        if (!caller.isAccepted()) throw error;
      }
      return true;
    },
    { forMs: acceptedForMs, atMost: 1 },
  );
  return { api, token: () => checkToken(ownToken) };
}
