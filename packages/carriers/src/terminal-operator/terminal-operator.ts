import type { CarrierCredentials } from "@svc/domain/carrier-connections";
import { type Authorization, type AuthorizedHeaders, authorizationBy, queryAuthorized } from "../authorization.ts";
import type { Carrier, CarrierQuery, CarrierReply, PolledReply } from "../carrier.ts";
import type { CarrierConnection } from "../carrier-connection.ts";
import { HttpExchange, type HttpResponse } from "../http-exchange.ts";
import { toRefusal, unrecognized } from "../http-refusal.ts";
import { parseJsonBody } from "../json-body.ts";
import { facilityAt, readDocuments, storedDocuments } from "./operator-reply.ts";
import type { FacilityQuery, TerminalApi, TerminalOptions, TerminalRequest } from "./terminal-api.ts";

/** Refusals after which the operator must not be called again for a while, whichever request they are of. */
const waits: ReadonlySet<CarrierReply["outcome"]> = new Set(["rate_limited", "unreachable"]);

/** An operator of terminals with an API of its own, polled for one container at one of its facilities. */
export class TerminalOperator implements Carrier {
  readonly scac: string;
  readonly #connection: CarrierConnection;
  readonly #options: TerminalOptions;
  readonly #api: TerminalApi;
  readonly #http: HttpExchange;
  readonly #authorization: Authorization;

  constructor(
    connection: CarrierConnection,
    api: TerminalApi,
    shared: { readonly http: HttpExchange; readonly credentials: CarrierCredentials } | null = null,
  ) {
    if (connection.terminal === null) throw new Error(`${connection.scac} has no facilities.`);
    this.scac = connection.scac;
    this.#connection = connection;
    this.#options = connection.terminal;
    this.#api = api;
    this.#http = shared?.http ?? new HttpExchange({ timeoutMs: connection.timeoutMs });
    this.#authorization = authorizationBy(shared?.credentials ?? connection.credentials, connection, this.#http);
  }

  /** Returns the operator with other credentials. It shares the connections and need not be closed. */
  withCredentials(credentials: CarrierCredentials): Carrier {
    return new TerminalOperator(this.#connection, this.#api, { http: this.#http, credentials });
  }

  async track(query: CarrierQuery, signal: AbortSignal): Promise<PolledReply> {
    const facilityQuery = this.#facilityQuery(query);
    if (facilityQuery === null) {
      // The port of discharge has changed to one that the operator does not serve.
      return {
        outcome: "not_found",
        body: new Uint8Array(),
        url: this.#connection.baseUrl,
        httpStatus: 404,
        requests: 0,
      };
    }
    return queryAuthorized(this.#authorization, (authorized) => this.#query(facilityQuery, authorized, signal), signal);
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  /** A test call has no place: it is made at the first facility. */
  #facilityQuery({ number: containerNumber, places }: CarrierQuery): FacilityQuery | null {
    const served = places ?? this.#options.facilities.slice(0, 1).flatMap(({ locodes }) => locodes);
    for (const place of served) {
      const facility = facilityAt(this.#options, place);
      if (facility !== undefined) return { facility, place, containerNumber };
    }
    return null;
  }

  async #query(query: FacilityQuery, authorized: AuthorizedHeaders, signal: AbortSignal): Promise<CarrierReply> {
    const [first, ...later] = this.#api.requests(query, this.#options);
    let { requests } = authorized;
    let unread = 0;
    const responses: HttpResponse[] = [];
    const documents: unknown[] = [];
    const url = this.#addressOf(first);
    for (const request of [first, ...later]) {
      const bytesLeft = this.#connection.maxBodyBytes - responses.reduce((sum, { body }) => sum + body.byteLength, 0);
      const response = await this.#send(request, authorized, bytesLeft, signal);
      requests++;
      if ("failure" in response)
        return { outcome: "unreachable", detail: response.failure, fault: response.fault, requests };
      const refusal = toRefusal(response, url.href);
      // The state is worth more than the events, which an operator may not offer with these credentials.
      if (refusal !== null && responses.length > 0 && !waits.has(refusal.outcome)) break;
      if (refusal !== null) return { ...refusal, requests };
      if (!response.isComplete) {
        return {
          ...unrecognized(response, url.href, `larger than ${this.#connection.maxBodyBytes} bytes`),
          requests,
        };
      }
      const document = parseJsonBody(response.body);
      if (document === undefined && responses.length > 0) {
        unread++;
        break;
      }
      responses.push(response);
      documents.push(document);
      const reading = readDocuments(this.#api, documents, query);
      if (reading === null) {
        const detail = `document ${responses.length} is no report of a container`;
        return { ...unrecognized(response, url.href, detail), requests };
      }
      if (reading.drafts.length === 0) break;
    }
    const body = storedDocuments(
      query.place,
      responses.map((response) => response.body),
    );
    const received = { body, url: url.href, httpStatus: responses[0]?.status ?? 200, requests };
    const reading = readDocuments(this.#api, documents, query);
    return reading === null || reading.drafts.length === 0
      ? { outcome: "not_found", ...received, body: responses[0]?.body ?? body }
      : { outcome: "found", ...received, ...reading, skipped: reading.skipped + unread };
  }

  #addressOf({ path, parameters }: TerminalRequest): URL {
    const url = new URL(`${this.#connection.baseUrl}${path}`);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url;
  }

  #send(request: TerminalRequest, authorized: AuthorizedHeaders, maxBytes: number, signal: AbortSignal) {
    const url = this.#addressOf(request);
    const own = Object.entries({ ...this.#connection.headers, ...authorized.headersFor("GET", url) });
    const headers = {
      accept: "application/json",
      "user-agent": "shipment-tracking-service",
      ...Object.fromEntries(own.map(([name, value]) => [name.toLowerCase(), value])),
    };
    return this.#http.send({ method: "GET", url, headers, maxBytes }, signal);
  }
}
