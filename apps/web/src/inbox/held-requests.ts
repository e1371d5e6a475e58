import type { Response } from "express";

/** A sender that has not given up by then is left without a connection. */
const heldMs = 30_000;
/** Of all accounts in this process; each is an open connection. */
const heldAtMost = 60;
const heldOfAccountAtMost = 6;

/** Requests that get no answer, so that their sender gives up: few, for a short time, and none once the process stops. */
export interface HeldRequests {
  /** Leaves the request open. False where there is no room for it: then it is to be answered. */
  hold(response: Response, accountId: string): boolean;
}

/** `stopping` is aborted when the process stops, which does not wait for what is held. */
export function createHeldRequests(stopping?: AbortSignal, longestMs: number = heldMs): HeldRequests {
  const accounts = new Map<Response, string>();
  stopping?.addEventListener("abort", () => {
    for (const response of accounts.keys()) response.destroy();
  });

  const hasRoomFor = (accountId: string): boolean => {
    const own = [...accounts.values()].filter((one) => one === accountId).length;
    return !stopping?.aborted && accounts.size < heldAtMost && own < heldOfAccountAtMost;
  };

  return {
    hold(response, accountId) {
      if (response.closed || !hasRoomFor(accountId)) return false;
      accounts.set(response, accountId);
      const timer = setTimeout(() => response.destroy(), longestMs).unref();
      response.once("close", () => {
        clearTimeout(timer);
        accounts.delete(response);
      });
      return true;
    },
  };
}
