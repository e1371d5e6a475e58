import { hash } from "node:crypto";
import {
  type Implementation,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
  specTypeSchemas,
} from "@modelcontextprotocol/server";
import { AuthenticationError } from "@svc/sdk";
import { type Logger, throttleByCause } from "@svc/service-kit";
import type { Caller } from "../api/caller.ts";
import { errorCodes, invalidParams, ProtocolError } from "../protocol/protocol-error.ts";
import { watchAccount } from "./watch-account.ts";
import { type WatchedResource, watchedResource } from "./watched-resource.ts";

/** `subscriptions/listen` of 2026-07-28: the request whose response is a stream of notifications. */
export const listenMethod = "subscriptions/listen";

/** How often the API is polled for changes. */
export const pollEveryMs = 15_000;

/** Resources that one subscription watches. */
export const resourcesMax = 20;
const perTokenMax = 5;
const perProcessMax = 1_000;
/** A lasting failure of the API is logged so often. */
export const logPeriodMs = 60_000;

export interface Subscription {
  readonly request: JSONRPCRequest;
  readonly caller: Caller;
  /** Counts the subscriptions of one client. */
  readonly token: string;
  /** Aborted when the client disconnects. */
  readonly disconnected: AbortSignal;
  readonly notify: (notification: JSONRPCNotification) => Promise<void>;
}

export interface Subscriptions {
  /**
   * Resolves when the server ends the subscription. Rejects with ProtocolError or SvcError when it cannot begin, and
   * with the signal's reason when the client left.
   */
  serve(subscription: Subscription): Promise<JSONRPCResultResponse>;
  /** Ends every subscription, so that clients open them again elsewhere. */
  close(): void;
}

export interface SubscriptionsOptions {
  readonly serverInfo: Implementation;
  /** How often the API is polled. */
  readonly everyMs: number;
  readonly logger: Logger;
}

/** The watched resources of those that are asked for. The lists of this server do not change while it runs. */
export async function findWatchedResources(request: JSONRPCRequest, caller: Caller): Promise<WatchedResource[]> {
  const { value, issues } = specTypeSchemas.SubscriptionsListenRequestParams["~standard"].validate(request.params) as {
    readonly value?: { readonly notifications: { readonly resourceSubscriptions?: readonly string[] | undefined } };
    readonly issues?: readonly unknown[];
  };
  if (issues || !value) throw invalidParams("Invalid params: notifications must be a filter of notifications.");
  const uris = [...new Set(value.notifications.resourceSubscriptions)];
  if (uris.length > resourcesMax) {
    throw invalidParams(`A subscription watches at most ${resourcesMax} resources. Open another for the rest.`);
  }
  const found = await Promise.all(uris.map((uri) => watchedResource(uri, caller)));
  return found.flatMap((resource) => resource ?? []);
}

export const updatedNotification = (uri: string, subscriptionId: JSONRPCRequest["id"]): JSONRPCNotification => ({
  jsonrpc: "2.0",
  method: "notifications/resources/updated",
  params: { uri, _meta: { [SUBSCRIPTION_ID_META_KEY]: subscriptionId } },
});

interface Open {
  readonly tokenHash: string;
  end(): void;
}

export function createSubscriptions({ serverInfo, everyMs, logger }: SubscriptionsOptions): Subscriptions {
  const open = new Set<Open>();
  const logError = throttleByCause(logPeriodMs, (err) => logger.warn({ err }, "mcp.subscription_round_failed"));

  function enforceLimits(tokenHash: string): void {
    const tokenCount = [...open].filter((one) => one.tokenHash === tokenHash).length;
    if (tokenCount < perTokenMax && open.size < perProcessMax) return;
    const message =
      tokenCount >= perTokenMax
        ? `This token has ${perTokenMax} subscriptions. End one, or watch more resources in one: up to ${resourcesMax}.`
        : "This server has no place for another subscription. Call again in 60 s.";
    throw new ProtocolError(errorCodes.rateLimited, message, { retry_after_s: 60 });
  }

  return {
    async serve({ request, caller, token, disconnected, notify }) {
      const { id } = request;
      const tokenHash = hash("sha256", token, "base64");
      enforceLimits(tokenHash);
      const ended = Promise.withResolvers<void>();
      const place: Open = { tokenHash, end: ended.resolve };
      open.add(place);
      let stop: (() => void) | undefined;
      try {
        const watched = await findWatchedResources(request, caller);
        const isWatching = watched.length > 0;
        if (isWatching) {
          stop = await watchAccount({
            caller,
            watched,
            everyMs,
            onUpdated: (uri) => void notify(updatedNotification(uri, id)),
            onError(error) {
              // The token was revoked: the client learns why when it subscribes again.
              if (error instanceof AuthenticationError) place.end();
              else if (!disconnected.aborted) logError(error);
            },
          });
        }
        const notifications = isWatching ? { resourceSubscriptions: watched.map(({ uri }) => uri) } : {};
        const _meta = { [SUBSCRIPTION_ID_META_KEY]: id };
        const method = "notifications/subscriptions/acknowledged";
        await notify({ jsonrpc: "2.0", method, params: { notifications, _meta } });
        disconnected.addEventListener("abort", place.end, { once: true });
        if (isWatching && !disconnected.aborted) await ended.promise;
        disconnected.throwIfAborted();
      } finally {
        stop?.();
        open.delete(place);
      }
      const _meta = { [SUBSCRIPTION_ID_META_KEY]: id, [SERVER_INFO_META_KEY]: serverInfo };
      return { jsonrpc: "2.0", id, result: { resultType: "complete", _meta } };
    },
    close() {
      for (const { end } of open) end();
    },
  };
}
