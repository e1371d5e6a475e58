import { fetch } from "undici";
import { createEgressAgent, type EgressAgentOptions } from "./egress-agent.ts";
import { parseTarget } from "./egress-target.ts";

/** Sends requests to addresses that the policy must allow. */
export interface EgressFetch {
  /**
   * GET as by `fetch`, except that redirects are not followed. Rejects with EgressError for a refused URL, else with a
   * TypeError whose cause is the EgressError. `signal` limits the time and the caller the size.
   */
  get(url: string, init?: Pick<RequestInit, "headers" | "signal">): Promise<Response>;
  /** Sends a request with a method and a body, otherwise like `get`. */
  send(url: string, init: EgressRequest): Promise<Response>;
  /** Aborts requests in flight. */
  destroy(): Promise<void>;
}

export interface EgressRequest extends Pick<RequestInit, "headers" | "signal"> {
  readonly method: string;
  readonly body?: string | null;
}

export function createEgressFetch(options: EgressAgentOptions): EgressFetch {
  const agent = createEgressAgent(options);
  const send: EgressFetch["send"] = async (url, { headers, signal = null, method, body = null }) => {
    const target = parseTarget(url, options);
    return fetch(target, {
      method,
      body,
      headers: [...new Headers(headers)],
      signal,
      redirect: "manual",
      dispatcher: agent.dispatcher,
    });
  };
  return { send, get: (url, init = {}) => send(url, { ...init, method: "GET" }), destroy: agent.destroy };
}
