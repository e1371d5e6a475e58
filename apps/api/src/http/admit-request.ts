import { uuidShape } from "@svc/domain/identifiers";
import { mayDo, refusalMessage } from "@svc/domain/members";
import { notFound, TrackingError } from "@svc/jsonapi";
import { negotiate } from "@svc/jsonapi/http";
import { type Query, type QueryDefinition, readQuery } from "@svc/jsonapi/query";
import { clientAddress, networkOf } from "@svc/service-kit";
import type { Request, Response } from "express";
import { type RateLimits, rateLimitHeaders } from "../rate-limits/rate-limits.ts";
import type { Authenticate, Caller } from "./authenticator.ts";
import type { Route } from "./define-route.ts";
import { deprecationHeaders } from "./deprecation.ts";
import { parseIfMatch } from "./preconditions.ts";
import { checkBytesType, hasBody, isLarge, type ReadBody, readBytes, readJsonBody } from "./read-body.ts";
import type { RequestLog } from "./request-log.ts";
import { headersAhead } from "./send.ts";
import type { TransferSlots } from "./transfer-slots.ts";

export interface AdmissionOptions {
  readonly authenticate: Authenticate;
  readonly rateLimits: RateLimits;
  readonly slots: { readonly exports: TransferSlots; readonly uploads: TransferSlots };
  /** Reverse proxies in front whose X-Forwarded-For is trusted. */
  readonly trustedProxyCount: number;
}

/** A request that passed every check before the operation. */
export interface AdmittedRequest {
  readonly log: RequestLog;
  readonly caller: Caller;
  /** The offered media type that Accept prefers. */
  readonly mediaType: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query<QueryDefinition>;
  /** Versions of the record that If-Match allows a write to start from; null: any. */
  readonly ifVersions: readonly number[] | null;
  /** The body as it was sent; the operation's definition checks it. */
  readonly body: ReadBody;
  /** The response is 304: charges its fraction of a request, and corrects the rate limit headers. */
  chargeNotModified(): Promise<void>;
}

const pathShapes = {
  uuid: uuidShape,
  code: /^[a-z0-9-]{2,36}$/i,
  slug: /^[a-z][a-z0-9_]{0,62}$/,
} as const;

const emptyBody: ReadBody = { bytes: Buffer.alloc(0), json: undefined };

/**
 * Admits requests to one route: every check in the order of its cost, then the body. `releases` gets what frees the
 * transfer slots of a request, also if it is refused later. Rejects with the `TrackingError` of a refusal.
 */
export function createAdmission(route: Route, options: AdmissionOptions) {
  const { authenticate, rateLimits, slots, trustedProxyCount } = options;
  const deprecatedRouteHeaders = route.deprecated ? deprecationHeaders(route.deprecated) : [];

  return async (request: Request, response: Response, releases: (() => void)[]): Promise<AdmittedRequest> => {
    const log = response.locals.log as RequestLog;
    const headers = headersAhead(response);
    headers.push(...deprecatedRouteHeaders);
    const network = networkOf(clientAddress(request, trustedProxyCount));
    const caller = await authenticate(request.headers.authorization, network);
    log.accountId = caller.accountId;
    log.tokenId = caller.tokenId;
    const limit = await takeLimit(rateLimits, route, caller);
    const firstLimitHeader = headers.length;
    headers.push(...rateLimitHeaders(limit));
    if (!limit.accepted) {
      throw TrackingError.of(
        "rate_limited",
        `Rate limit of ${limit.limit} requests per minute exceeded. Retry after the time in Retry-After, or subscribe to a webhook instead of polling.`,
      );
    }
    checkRights(route, caller);
    const mediaType = negotiate(request.headers.accept, route.mediaTypes);
    if (mediaType === null) throw notAcceptable(route.mediaTypes);
    const params = readParams(route, request.params as Record<string, string>);
    const query = readQuery(route.request.query ?? {}, extractQueryString(request.url));
    const ifVersions = route.request.conditional ? parseIfMatch(request.headers["if-match"]) : null;
    if (route.streams) releases.push(slots.exports.take(caller.accountId));
    const body = await readBody(route, request, () => releases.push(slots.uploads.take(caller.accountId)));
    return {
      log,
      caller,
      mediaType,
      params,
      query,
      ifVersions,
      body,
      async chargeNotModified() {
        const charged = rateLimitHeaders(await limit.chargeNotModified());
        headers.splice(firstLimitHeader, Number.POSITIVE_INFINITY, ...charged);
      },
    };
  };
}

function extractQueryString(url: string): string {
  const questionMark = url.indexOf("?");
  return questionMark < 0 ? "" : url.slice(questionMark + 1);
}

function takeLimit(rateLimits: RateLimits, { rateLimit }: Route, { tokenId, userId, accountId }: Caller) {
  const isPerson = tokenId === null && userId !== null;
  return isPerson && rateLimit === undefined
    ? rateLimits.take("session", userId)
    : rateLimits.take(rateLimit ?? "default", accountId);
}

function checkRights(route: Route, caller: Caller): void {
  const { action = "read" } = route;
  if (!mayDo(caller.role, action)) throw TrackingError.of("forbidden", refusalMessage(caller.role, action));
  if (!caller.scopes.includes(route.scope)) {
    throw TrackingError.of("forbidden", `This token lacks the scope "${route.scope}". Create a token with that scope.`);
  }
}

function notAcceptable(mediaTypes: readonly string[] | undefined): TrackingError {
  const offered =
    mediaTypes?.join(" or ") ?? "application/vnd.api+json (with no parameter but profile) or application/json";
  return TrackingError.of("not_acceptable", `Accept must admit ${offered}.`, { source: { header: "Accept" } });
}

/**
 * Reads the path parameters, UUIDs in lower case. Throws `not_found` for a value of another form.
 */
function readParams(route: Route, params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const read = { ...params };
  for (const [name, { of, kind }] of Object.entries(route.request.params ?? {})) {
    const value = params[name] ?? "";
    if (!pathShapes[kind].test(value)) throw notFound(of, value);
    if (kind === "uuid") read[name] = value.toLowerCase();
  }
  return read;
}

/** `onLarge` is called before a large body is read. */
async function readBody(route: Route, request: Request, onLarge: () => void): Promise<ReadBody> {
  const { body } = route.request;
  if (!expectsBody(route, request)) return emptyBody;
  if (!(body && "bytes" in body)) return readJsonBody(request);
  checkBytesType(request, body.bytes);
  if (isLarge(request)) onLarge();
  return { bytes: await readBytes(request, body.bytes.maxBytes), json: undefined };
}

function expectsBody(route: Route, request: Request): boolean {
  const { body } = route.request;
  if (body === undefined) return false;
  return !("optional" in body && body.optional) || hasBody(request);
}
