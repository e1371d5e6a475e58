import { hash } from "node:crypto";
import { AuthenticationError } from "@svc/sdk";
import type { Caller } from "./caller.ts";

const cachedMs = 60_000;
const cachedTokensMax = 10_000;

/**
 * Tokens that the API accepted lately. A listing does not touch the API, so without this a wrong token would be noticed
 * only at the first call of a tool (docs/contract/specification.md errors.401). Only hashes are kept.
 */
export interface AcceptedTokens {
  /** Whether the API accepts the token, cached for a minute. False only when the API refuses it. */
  confirm(token: string, caller: Caller): Promise<boolean>;
}

export function cacheAcceptedTokens(now: () => number = Date.now): AcceptedTokens {
  const acceptedUntil = new Map<string, number>();
  return {
    async confirm(token, caller) {
      const key = hash("sha256", token, "base64");
      if (!caller.isAccepted()) {
        if ((acceptedUntil.get(key) ?? 0) > now()) return true;
        try {
          await caller.client.webhooks.ips();
        } catch (error) {
          if (error instanceof AuthenticationError) return false;
          // The API is down or busy: requests that do not need it succeed all the same, and tools report it themselves.
          if (!caller.isAccepted()) return true;
        }
      }
      acceptedUntil.delete(key);
      acceptedUntil.set(key, now() + cachedMs);
      if (acceptedUntil.size > cachedTokensMax) {
        const [oldest] = acceptedUntil.keys();
        if (oldest !== undefined) acceptedUntil.delete(oldest);
      }
      return true;
    },
  };
}
