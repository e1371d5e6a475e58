import { type AnyResource, TrackingError } from "@svc/jsonapi";
import { idInBody, readPlainBody, readWriteDocument, sendsReadOnly } from "@svc/jsonapi/documents";
import { cursorProfile, jsonApiMediaType, jsonMediaType } from "@svc/jsonapi/http";
import { readQuery } from "@svc/jsonapi/query";
import { type Actor, actingAs } from "@svc/persistence/audit-events";
import type { Request, Response } from "express";
import { docsAddress } from "../openapi/published-description.ts";
import type { Services } from "../services.ts";
import { type AdmissionOptions, type AdmittedRequest, createAdmission } from "./admit-request.ts";
import type { Caller } from "./authenticator.ts";
import type { Exchange, Reply, Route } from "./define-route.ts";
import { type OnceResult, runOnce, runOnceWithSideEffect } from "./idempotency.ts";
import { entityTag, isNotModified, namesTag } from "./preconditions.ts";
import type { ReadBody } from "./read-body.ts";
import { isByCursor } from "./replies.ts";
import { errorResponse, type HttpResponse, sendResponse, sendStream, toFaults } from "./send.ts";

export interface ServeOptions extends AdmissionOptions {
  readonly services: Services;
  /** Runs an operation that reads, whose statements may run on a replica. */
  readonly reading: <T>(work: () => Promise<T>) => Promise<T>;
  /** All that is served, to find the operation that reads what another one writes. */
  readonly routes: readonly Route[];
}

/** Serves one route: admits the request, performs the operation and sends its response. */
export function serveRoute(route: Route, options: ServeOptions) {
  const { services, reading } = options;
  const admit = createAdmission(route, options);
  const perform = createOperation(route, options.routes);
  const docsUrl = docsAddress(services.settings.baseUrl);

  /** Reads change nothing, so the audit log needs no actor for them. */
  const asCaller = <T>(caller: Caller, work: () => Promise<T>): Promise<T> =>
    route.method === "get" ? reading(work) : actingAs(toActor(caller), work);

  /** Performs a write once for all requests with its key. */
  async function performIdempotently(
    admitted: AdmittedRequest,
    request: Request,
    header: string,
  ): Promise<HttpResponse> {
    const { caller, body, log } = admitted;
    const { accountId } = caller;
    const idempotent = {
      accountId,
      operationId: route.operationId,
      url: request.originalUrl,
      header,
      body: body.bytes,
    };
    const once = route.hasSideEffect ? runOnceWithSideEffect : runOnce;
    const act = async (through: Services): Promise<HttpResponse> => {
      try {
        if (route.hasSideEffect) return await perform(admitted, through);
        // Writes of a request that is refused later are rolled back; only its response is kept.
        return await through.transaction(accountId, (_sql, part) => perform(admitted, part));
      } catch (error) {
        // A refusal is stored as the response to the key. Any other error is reported and not stored.
        if (!(error instanceof TrackingError)) throw error;
        return errorResponse(toFaults(error), { requestId: log.requestId, docsUrl, accept: request.headers.accept });
      }
    };
    return withReplayHeader(await asCaller(caller, () => once(services, idempotent, act)));
  }

  async function serve(request: Request, response: Response, releases: (() => void)[]): Promise<void> {
    const admitted = await admit(request, response, releases);
    const key = request.headers["idempotency-key"];
    if (route.method !== "get" && typeof key === "string") {
      return sendResponse(response, await performIdempotently(admitted, request, key));
    }
    const result = await asCaller(admitted.caller, () => perform(admitted, services));
    const { stream } = result;
    if (stream) return asCaller(admitted.caller, () => sendStream(request, response, stream, result));
    sendResponse(response, await conditionalResponse(admitted, request, result));
  }

  return async (request: Request, response: Response): Promise<void> => {
    const releases: (() => void)[] = [];
    try {
      await serve(request, response, releases);
    } finally {
      for (const release of releases) release();
    }
  };
}

/** Performs the operation of a route with the given services, which may be those of a transaction. */
function createOperation(route: Route, routes: readonly Route[]) {
  const readRoute = routes.find(({ method, path }) => method === "get" && path === readAt(route));

  return async (admitted: AdmittedRequest, services: Services): Promise<HttpResponse> => {
    const { log, caller, mediaType, params, query, ifVersions, body } = admitted;
    const { requestId, traceparent } = log;
    const common = { services, caller, ifVersions, requestId, traceparent, mediaType };
    const readRecord = (reader: Route): Promise<Reply> => {
      const recordInput = {
        params: recordParams(route, params, body.json),
        query: readQuery(reader.request.query ?? {}, ""),
      };
      return reader.handle({ ...common, ...recordInput, body: null });
    };
    const present = readRoute && needsPresent(route, body.json) ? await readRecord(readRoute) : null;
    const checked = checkBody(route, body, params, present) as Exchange<object, undefined>["body"];
    const reply = await route.handle({ ...common, params, query, body: checked });
    return toHttpResponse(route, reply, mediaType, isByCursor(query));
  };
}

const withReplayHeader = ({ response, replayed }: OnceResult): HttpResponse =>
  replayed ? { ...response, headers: { ...response.headers, "Idempotency-Replayed": "true" } } : response;

/** Returns 304 if the client holds the response to a read, otherwise the response itself. */
async function conditionalResponse(
  admitted: AdmittedRequest,
  request: Request,
  response: HttpResponse,
): Promise<HttpResponse> {
  const isRead = request.method === "GET" || request.method === "HEAD";
  const tag = response.headers.ETag;
  const ifNoneMatch = request.headers["if-none-match"];
  if (!isRead || tag === undefined || !isNotModified(ifNoneMatch, tag)) return response;
  // A client that holds the response pays a fraction of a request. A client that sends "*" need not hold it.
  if (namesTag(ifNoneMatch, tag)) await admitted.chargeNotModified();
  const { "Content-Type": _type, ...headers } = response.headers;
  return { status: 304, headers, body: "" };
}

/** A session of the web application acts for its user. */
function toActor({ tokenId, userId }: Caller): Actor {
  if (tokenId !== null) return { type: "api_token", tokenId };
  if (userId === null) throw new Error("A session has a user.");
  return { type: "user", userId };
}

const hasIdInBody = ({ request: { body } }: Route): boolean =>
  body !== undefined && "document" in body && body.hasId === true;

/** The path at which the record that the route writes is read. */
const readAt = (route: Route): string => (hasIdInBody(route) ? `${route.path}/{id}` : route.path);

/** The parameters that name the record. */
function recordParams(route: Route, params: Readonly<Record<string, string>>, json: unknown) {
  return hasIdInBody(route) ? { ...params, id: idInBody(json) } : params;
}

/** A body that sends read-only members along is compared with the record, which is read only then. */
function needsPresent({ method, request: { body } }: Route, json: unknown): boolean {
  return method === "patch" && body !== undefined && "document" in body && sendsReadOnly(body.document, json);
}

const isEmptyObject = (json: unknown): boolean =>
  typeof json === "object" && json !== null && !Array.isArray(json) && Object.keys(json).length === 0;

/** `present`: the reply that shows the record, where the body must be compared with it. */
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
  const named = recordParams(route, params, json);
  const pathId = route.method === "post" || idParameter === null ? null : (named[idParameter] ?? null);
  const record = present?.document as { readonly data: AnyResource } | undefined;
  return readWriteDocument(body.document, json, pathId, record?.data);
}

function toHttpResponse(route: Route, reply: Reply, mediaType: string, byCursor: boolean): HttpResponse {
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
