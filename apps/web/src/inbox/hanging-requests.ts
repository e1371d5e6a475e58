import type { Response } from "express";

/** The connection of a sender that has not given up by then is closed. */
const hangMaxMs = 30_000;
/** Maximum number of held requests of all accounts in this process; each is an open connection. */
const hangingMax = 60;
const hangingPerAccountMax = 6;

/** Requests without a response, to test timeouts of senders. Their number and duration are limited. */
export interface HangingRequests {
  /** Holds the request open. Returns false at the limit: the request must be answered. */
  hold(response: Response, accountId: string): boolean;
}

/** `stopping` is aborted when the process shuts down, which does not wait for held requests. */
export function createHangingRequests(stopping?: AbortSignal, holdMaxMs: number = hangMaxMs): HangingRequests {
  const accounts = new Map<Response, string>();
  stopping?.addEventListener("abort", () => {
    for (const response of accounts.keys()) response.destroy();
  });

  const hasRoomFor = (accountId: string): boolean => {
    const own = [...accounts.values()].filter((one) => one === accountId).length;
    return !stopping?.aborted && accounts.size < hangingMax && own < hangingPerAccountMax;
  };

  return {
    hold(response, accountId) {
      if (response.closed || !hasRoomFor(accountId)) return false;
      accounts.set(response, accountId);
      const timer = setTimeout(() => response.destroy(), holdMaxMs).unref();
      response.once("close", () => {
        clearTimeout(timer);
        accounts.delete(response);
      });
      return true;
    },
  };
}
