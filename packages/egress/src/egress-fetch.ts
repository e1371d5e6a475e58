import { fetch } from "undici";
import { createEgressAgent, type EgressAgentOptions } from "./egress-agent.ts";
import { parseTarget } from "./egress-target.ts";

/** Reads documents at URLs of strangers, which the policy must allow. */
export interface EgressFetch {
  /**
   * GET as by `fetch`, except that redirects are not followed. Rejects with EgressError for a refused URL, else with a
   * TypeError whose cause is the EgressError. `signal` limits the time and the caller the size.
   */
  get(url: string, init?: Pick<RequestInit, "headers" | "signal">): Promise<Response>;
  /** Aborts requests in flight. */
  destroy(): Promise<void>;
}

export function createEgressFetch(options: EgressAgentOptions): EgressFetch {
  const agent = createEgressAgent(options);
  return {
    async get(url, { headers, signal = null } = {}) {
      const target = parseTarget(url, options);
      return fetch(target, {
        headers: [...new Headers(headers)],
        signal,
        redirect: "manual",
        dispatcher: agent.dispatcher,
      });
    },
    destroy: agent.destroy,
  };
}
