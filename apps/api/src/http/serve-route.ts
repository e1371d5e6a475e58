import { mayDo, refusalOf } from "@svc/domain/members";
import { type AnyResource, notFound, TrackingError } from "@svc/jsonapi";
import { idInBody, readPlainBody, readWriteDocument, sendsReadOnly } from "@svc/jsonapi/documents";
import { cursorProfile, jsonApiMediaType, jsonMediaType, negotiate } from "@svc/jsonapi/http";
import { readQuery } from "@svc/jsonapi/query";
import { type Actor, actingAs } from "@svc/persistence/audit";
import { clientAddress, networkOf } from "@svc/service-kit";
import type { Request, Response } from "express";
import { docsAddress } from "../openapi/published-description.ts";
import { type RateLimits, rateLimitHeaders } from "../rate-limits/rate-limits.ts";
import type { Services } from "../services.ts";
import type { Authenticate, Caller } from "./authenticator.ts";
import type { Exchange, Reply, Route } from "./define-route.ts";
import { deprecationHeaders } from "./deprecation.ts";
import { answerOnce, answerOnceElsewhere } from "./idempotency.ts";
import { entityTag, isNotModified, namesTag, versionsOfIfMatch } from "./preconditions.ts";
import { checkBytesType, hasBody, isLarge, type ReadBody, readBytes, readJsonBody } from "./read-body.ts";
import { isByCursor } from "./replies.ts";
import type { RequestLog } from "./request-log.ts";
import { type Answer, errorAnswer, faultsOf, headersAhead, sendAnswer, sendStream } from "./send.ts";
import type { TransferSlots } from "./transfer-slots.ts";

export interface ServeOptions {
  readonly services: Services;
  readonly authenticate: Authenticate;
  readonly rateLimits: RateLimits;
  readonly slots: { readonly exports: TransferSlots; readonly uploads: TransferSlots };
  /** Reverse proxies in front whose X-Forwarded-For is trusted. */
  readonly trustedProxyCount: number;
  /** Runs an operation that reads, whose statements may run on a replica. */
  readonly reading: <T>(work: () => Promise<T>) => Promise<T>;
  /** All that is served, to find the operation that reads what another one writes. */
  readonly routes: readonly Route[];
}

const pathShapes = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  code: /^[a-z0-9-]{2,36}$/i,
  slug: /^[a-z][a-z0-9_]{0,62}$/,
} as const;

const noBody: ReadBody = { bytes: Buffer.alloc(0), json: undefined };

/** Serves one route: every check in the order of its cost, then the operation, then the answer. */
export function serveRoute(route: Route, options: ServeOptions) {
  const { services, authenticate, rateLimits, slots, trustedProxyCount, routes } = options;
  const docsUrl = docsAddress(services.settings.baseUrl);
  const reading = routes.find(({ method, path }) => method === "get" && path === readAt(route));
  const leaving = route.deprecated ? deprecationHeaders(route.deprecated) : [];

  const serve = async (request: Request, response: Response, held: Held): Promise<void> => {
    const log = response.locals.log as RequestLog;
    const ahead = headersAhead(response);
    ahead.push(...leaving);
    const caller = await authenticate(
      request.headers.authorization,
      networkOf(clientAddress(request, trustedProxyCount)),
    );
    log.accountId = caller.accountId;
    log.tokenId = caller.tokenId;
    const limit = await takeLimit(rateLimits, route, caller);
    const limitAt = ahead.length;
    ahead.push(...rateLimitHeaders(limit));
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
    const question = request.url.indexOf("?");
    const query = readQuery(route.request.query ?? {}, question < 0 ? "" : request.url.slice(question + 1));
    const ifVersions = route.request.conditional ? versionsOfIfMatch(request.headers["if-match"]) : null;
    if (route.streams) held.free = slots.exports.take(caller.accountId);
    const body = await readBody(route, request, () => {
      held.free = slots.uploads.take(caller.accountId);
    });
    const act = async (through: Services): Promise<Answer> => {
      const ofRequest = { services: through, caller, params, ifVersions };
      const traced = { requestId: log.requestId, traceparent: log.traceparent, mediaType };
      const read = (reader: Route): Promise<Reply> => {
        const query = readQuery(reader.request.query ?? {}, "");
        return reader.handle({
          ...ofRequest,
          ...traced,
          params: subjectOf(route, params, body.json),
          query,
          body: null,
        });
      };
      const present = reading && needsPresent(route, body.json) ? await read(reading) : null;
      const checked = checkBody(route, body, params, present) as Exchange<object, undefined>["body"];
      const exchange = { ...ofRequest, ...traced, query, body: checked };
      return toAnswer(route, await route.handle(exchange), mediaType, isByCursor(query));
    };

    // Reads change nothing, so the audit log needs no actor for them.
    const byCaller = <T>(work: () => Promise<T>): Promise<T> =>
      route.method === "get" ? options.reading(work) : actingAs(actorOf(caller), work);

    const key = request.headers["idempotency-key"];
    if (route.method !== "get" && typeof key === "string") {
      const idempotent = {
        accountId: caller.accountId,
        operationId: route.operationId,
        url: request.originalUrl,
        header: key,
        body: body.bytes,
      };
      const once = route.actsElsewhere ? answerOnceElsewhere : answerOnce;
      const { answer, replayed } = await byCaller(() =>
        once(services, idempotent, async (through) => {
          try {
            // What a refused request had written before is undone; only its answer stays.
            return await (route.actsElsewhere
              ? act(through)
              : through.transaction(caller.accountId, (_sql, part) => act(part)));
          } catch (error) {
            // A refusal is an answer too; what is no refusal is reported and not kept.
            if (!(error instanceof TrackingError)) throw error;
            return errorAnswer(faultsOf(error), { requestId: log.requestId, docsUrl, accept: request.headers.accept });
          }
        }),
      );
      sendAnswer(
        response,
        replayed ? { ...answer, headers: { ...answer.headers, "Idempotency-Replayed": "true" } } : answer,
      );
      return;
    }
    const answer = await byCaller(() => act(services));
    const { stream } = answer;
    if (stream) {
      await byCaller(() => sendStream(request, response, stream, answer));
      return;
    }
    const isRead = request.method === "GET" || request.method === "HEAD";
    const tag = answer.headers.ETag;
    const ifNoneMatch = request.headers["if-none-match"];
    if (isRead && tag !== undefined && isNotModified(ifNoneMatch, tag)) {
      const { "Content-Type": _type, ...headers } = answer.headers;
      // A client that holds the answer pays a fraction of a request. A client that sends "*" need not hold it.
      if (namesTag(ifNoneMatch, tag)) {
        ahead.splice(limitAt, Number.POSITIVE_INFINITY, ...rateLimitHeaders(await limit.chargeNotModified()));
      }
      sendAnswer(response, { status: 304, headers, body: "" });
    } else sendAnswer(response, answer);
  };
  return async (request: Request, response: Response): Promise<void> => {
    const held: Held = { free: () => undefined };
    try {
      await serve(request, response, held);
    } finally {
      held.free();
    }
  };
}

/** A session of the web application acts for its user. */
function actorOf({ tokenId, userId }: Caller): Actor {
  if (tokenId !== null) return { type: "api_token", tokenId };
  if (userId === null) throw new Error("A session has a user.");
  return { type: "user", userId };
}

/** What a request holds until it is answered. */
interface Held {
  free: () => void;
}

/** `onLarge` is called before a large body is read. */
async function readBody(route: Route, request: Request, onLarge: () => void): Promise<ReadBody> {
  const { body } = route.request;
  if (!expectsBody(route, request)) return noBody;
  if (!(body && "bytes" in body)) return readJsonBody(request);
  checkBytesType(request, body.bytes);
  if (isLarge(request)) onLarge();
  return { bytes: await readBytes(request, body.bytes.maxBytes), json: undefined };
}

function takeLimit(rateLimits: RateLimits, { rateLimit }: Route, { tokenId, userId, accountId }: Caller) {
  const isPerson = tokenId === null && userId !== null;
  return isPerson && rateLimit === undefined
    ? rateLimits.take("session", userId)
    : rateLimits.take(rateLimit ?? "default", accountId);
}

function notAcceptable(mediaTypes: readonly string[] | undefined): TrackingError {
  const offered =
    mediaTypes?.join(" or ") ?? "application/vnd.api+json (with no parameter but profile) or application/json";
  return TrackingError.of("not_acceptable", `Accept must admit ${offered}.`, { source: { header: "Accept" } });
}

function checkRights(route: Route, caller: Caller): void {
  const { action = "read" } = route;
  if (!mayDo(caller.role, action)) throw TrackingError.of("forbidden", refusalOf(caller.role, action));
  if (!caller.scopes.includes(route.scope)) {
    throw TrackingError.of("forbidden", `This token lacks the scope "${route.scope}". Create a token with that scope.`);
  }
}

/** As the operations take them: an id means the same in upper case, and is shown in lower case only. */
function readParams(route: Route, params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const read = { ...params };
  for (const [name, { of, kind }] of Object.entries(route.request.params ?? {})) {
    const value = params[name] ?? "";
    if (!pathShapes[kind].test(value)) throw notFound(of, value);
    if (kind === "uuid") read[name] = value.toLowerCase();
  }
  return read;
}

function expectsBody(route: Route, request: Request): boolean {
  const { body } = route.request;
  if (body === undefined) return false;
  return !("optional" in body && body.optional) || hasBody(request);
}

const hasIdInBody = ({ request: { body } }: Route): boolean =>
  body !== undefined && "document" in body && body.hasId === true;

/** The path at which the record that the route writes is read. */
const readAt = (route: Route): string => (hasIdInBody(route) ? `${route.path}/{id}` : route.path);

/** The parameters that name the record. */
function subjectOf(route: Route, params: Readonly<Record<string, string>>, json: unknown) {
  return hasIdInBody(route) ? { ...params, id: idInBody(json) } : params;
}

/** A body that sends read-only members along is compared with the record, which is read only then. */
function needsPresent({ method, request: { body } }: Route, json: unknown): boolean {
  return method === "patch" && body !== undefined && "document" in body && sendsReadOnly(body.document, json);
}

const isEmptyObject = (json: unknown): boolean =>
  typeof json === "object" && json !== null && !Array.isArray(json) && Object.keys(json).length === 0;

/** `present`: the answer that shows the record, where the body must be compared with it. */
function checkBody(
  route: Route,
  { bytes, json }: ReadBody,
  params: Readonly<Record<string, string>>,
  present: Reply | null,
): unknown {
  const { body } = route.request;
  if (body === undefined) return null;
  if ("bytes" in body) return bytes;
  if ("plain" in body) return readPlainBody(body.plain, json);
  if ("custom" in body) return json;
  if (body.optional && (json === undefined || isEmptyObject(json))) return null;
  const { idParameter = "id" } = body;
  const named = subjectOf(route, params, json);
  const pathId = route.method === "post" || idParameter === null ? null : (named[idParameter] ?? null);
  const record = present?.document as { readonly data: AnyResource } | undefined;
  return readWriteDocument(body.document, json, pathId, record?.data);
}

function toAnswer(route: Route, reply: Reply, mediaType: string, byCursor: boolean): Answer {
  const headers: Record<string, string> = { "Cache-Control": "no-store", ...reply.headers };
  if (reply.stream) return { status: reply.status, headers, body: "", stream: reply.stream };
  if (!reply.document) return { status: reply.status, headers, body: "" };
  const body = JSON.stringify(reply.document);
  const named = byCursor && mediaType === jsonApiMediaType ? `${mediaType}; profile="${cursorProfile}"` : mediaType;
  headers["Content-Type"] = route.plainJson ? jsonMediaType : named;
  if (route.method === "get" || reply.version !== undefined) headers.ETag = entityTag(body, reply.version);
  if (route.method === "get") headers["Cache-Control"] = "private, no-cache";
  return { status: reply.status, headers, body };
}
