import { createHash } from "node:crypto";
import type { CarrierCredentials } from "@svc/domain/carrier-connections";
import { normalizeContainerNumber } from "@svc/domain/identifiers";
import type { ObservationDraft } from "@svc/domain/observations";
import type { SubjectKind } from "@svc/domain/tracking-requests";
import { type Authorization, type AuthorizedHeaders, authorizationBy, queryAuthorized } from "../authorization.ts";
import type { Carrier, CarrierQuery, CarrierReply, PolledReply, ReceivedReply } from "../carrier.ts";
import type { CarrierConnection } from "../carrier-connection.ts";
import { HttpExchange, type HttpResponse } from "../http-exchange.ts";
import { toRefusal, unrecognized } from "../http-refusal.ts";
import type { PlaceLookup } from "../place-lookup.ts";
import { createEventReader, type DcsaDialect, type EventReader } from "./dcsa-dialect.ts";
import { joined, nextPageOf } from "./events-page.ts";
import { queryArrivalNotices } from "./query-arrival-notices.ts";

/** Maximum number of pages: at the usual hundred events per page, more than any bill of lading has. */
const pagesMax = 100;
/** Maximum number of containers whose events are in documents of their own. Each is a request of every poll. */
const furtherContainersMax = 500;
/** A departure is one observation for each container that it names; no bill of lading has this many. */
const observationsMax = 50_000;
/** Version of DCSA Arrival Notice, whose requests name it in full. */
const arrivalNoticeVersion = "1.0.0";

export interface DcsaCarrierOptions {
  readonly connection: CarrierConnection;
  readonly dialect: DcsaDialect;
  readonly places: PlaceLookup;
}

/** A carrier with a DCSA Track & Trace API, polled by `GET …/v2/events` or `…/v3/events`. */
export class DcsaCarrier implements Carrier {
  readonly scac: string;
  readonly #options: DcsaCarrierOptions;
  readonly #connection: CarrierConnection;
  readonly #read: EventReader;
  readonly #http: HttpExchange;
  readonly #authorization: Authorization;

  constructor(
    options: DcsaCarrierOptions,
    shared: { readonly http: HttpExchange; readonly credentials: CarrierCredentials } | null = null,
  ) {
    const { connection, dialect, places } = options;
    this.scac = connection.scac;
    this.#options = options;
    this.#connection = connection;
    this.#read = createEventReader(connection, dialect, places);
    this.#http = shared?.http ?? new HttpExchange({ timeoutMs: connection.timeoutMs });
    this.#authorization = authorizationBy(shared?.credentials ?? connection.credentials, connection, this.#http);
  }

  /** Returns the carrier with other credentials. It shares the connections and need not be closed. */
  withCredentials(credentials: CarrierCredentials): Carrier {
    return new DcsaCarrier(this.#options, { http: this.#http, credentials });
  }

  async track(query: CarrierQuery, signal: AbortSignal): Promise<PolledReply> {
    if (query.places !== undefined) return this.#queryNotices(query, signal);
    return queryAuthorized(this.#authorization, (authorized) => this.#query(query, authorized, signal), signal);
  }

  /** Requests the arrival notice of the bill of lading, in which a line reports the state at the terminal. */
  async #queryNotices({ transportDocument }: CarrierQuery, signal: AbortSignal): Promise<PolledReply> {
    const { arrivalNoticesUrl: url, baseUrl } = this.#connection;
    if (url === null || transportDocument == null) {
      const nothing = { body: new Uint8Array(), url: url ?? baseUrl, httpStatus: 404, requests: 0 };
      return { outcome: "not_found", ...nothing, isOfArrivalNotices: true };
    }
    const number = this.#numberOf({ kind: "bill_of_lading", number: transportDocument });
    const send = async (authorized: AuthorizedHeaders): Promise<CarrierReply> => {
      const headersFor = (address: URL) => this.#headers(authorized.headersFor("GET", address), arrivalNoticeVersion);
      const { places } = this.#options;
      const noticeRequest = { connection: this.#connection, http: this.#http, places, number, headersFor };
      const reply = await queryArrivalNotices(noticeRequest, signal);
      return { ...reply, requests: (reply.requests ?? 1) + authorized.requests };
    };
    const reply = await queryAuthorized(this.#authorization, send, signal);
    const concernsAll = reply.outcome === "rate_limited" || "isOfTokenEndpoint" in reply;
    return concernsAll ? reply : ({ ...reply, isOfArrivalNotices: true } as CarrierReply);
  }

  /** Fetches all pages and documents or fails: events of a missing one would appear to be withdrawn. */
  async #query(query: CarrierQuery, authorized: AuthorizedHeaders, signal: AbortSignal): Promise<PolledReply> {
    const first = this.#addressOf(query);
    const pages: HttpResponse[] = [];
    const further: URL[] = [];
    let pagesLeft = pagesMax - 1;
    let requests = authorized.requests;
    let next: URL | null = first;
    let bytesLeft = this.#connection.maxBodyBytes;
    while (next !== null) {
      const headers = this.#headers(authorized.headersFor("GET", next));
      const response = await this.#http.send({ method: "GET", url: next, headers, maxBytes: bytesLeft }, signal);
      requests++;
      const ended = (reply: CarrierReply): CarrierReply => ({ ...reply, requests });
      if ("failure" in response)
        return ended({ outcome: "unreachable", detail: response.failure, fault: response.fault });
      const refusal = toRefusal(response, first.href);
      if (refusal) return ended(pages.length === 0 ? refusal : refusedLater(refusal));
      const refused = (detail: string): CarrierReply => ended(unrecognized(response, first.href, detail));
      if (!response.isComplete) return refused(`larger than ${this.#connection.maxBodyBytes} bytes`);
      pages.push(response);
      bytesLeft -= response.body.byteLength;
      const following = nextPageOf(response, next, this.#connection.profile.nextPageHeaders);
      if (following === "foreign") return refused("the next page is at another origin");
      if (pages.length === 1) further.push(...this.#furtherAddresses(response.body));
      if (further.length > furtherContainersMax) return refused(`more than ${furtherContainersMax} containers`);
      if (following !== null && pagesLeft-- === 0) return refused(`more than ${pagesMax} pages`);
      next = following ?? further.shift() ?? null;
    }
    const { status } = pages.at(-1) as HttpResponse;
    const received = { body: joined(pages.map((page) => page.body)), url: first.href, httpStatus: status };
    const read = (): CarrierReply => ({ ...this.#replyOf(pages, received, query), requests });
    return { ...readWhenNew(query, received, read), requests };
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  #addressOf(query: CarrierQuery): URL {
    return this.#addressOfNumber(query.kind, this.#numberOf(query));
  }

  /** The addresses of the documents that belong to the first one. */
  #furtherAddresses(body: Uint8Array): readonly URL[] {
    const containers = this.#options.dialect.furtherContainers?.(body) ?? [];
    return containers.map((number) => this.#addressOfNumber("container", number));
  }

  #addressOfNumber(kind: CarrierQuery["kind"], number: string): URL {
    const { baseUrl, profile } = this.#connection;
    const { eventsPath, parametersOf } = this.#options.dialect;
    const path = (profile.eventsPath ?? eventsPath).replace("{number}", encodeURIComponent(number));
    const url = new URL(`${baseUrl}${path}`);
    for (const [name, value] of Object.entries(parametersOf(kind, number))) url.searchParams.set(name, value);
    if (profile.pageSize !== null) url.searchParams.set("limit", String(profile.pageSize));
    return url;
  }

  #numberOf({ kind, number }: CarrierQuery): string {
    const prefixMode = kind === "bill_of_lading" ? this.#connection.profile.billOfLadingPrefix : "as_given";
    if (prefixMode === "as_given") return number;
    const prefixes = [this.scac, ...this.#connection.profile.billOfLadingPrefixes];
    const bare = number.slice(prefixes.find((prefix) => number.startsWith(prefix))?.length ?? 0);
    return prefixMode === "with" ? `${this.scac}${bare}` : bare;
  }

  /** The connection's headers take precedence, in any case. */
  #headers(
    authorized: Readonly<Record<string, string>>,
    apiVersion = this.#options.dialect.apiVersion,
  ): Record<string, string> {
    const own = Object.entries({ ...this.#connection.headers, ...authorized });
    return {
      accept: "application/json",
      "api-version": apiVersion,
      "user-agent": "shipment-tracking-service",
      ...Object.fromEntries(own.map(([name, value]) => [name.toLowerCase(), value])),
    };
  }

  #replyOf(pages: readonly HttpResponse[], received: ReceivedReply, query: CarrierQuery): CarrierReply {
    const eventPages: (readonly unknown[])[] = [];
    for (const page of pages) {
      const events = this.#options.dialect.readEvents(page.body, this.#connection.profile.eventsMember);
      eventPages.push(events ?? []);
      if (!events) return unrecognized(page, received.url, `page ${eventPages.length} is not a list of events`);
    }
    const events = eventPages.flat();
    const refused = (detail: string): CarrierReply =>
      unrecognized({ ...(pages.at(-1) as HttpResponse), body: received.body }, received.url, detail);
    if (events.length === 0) return { outcome: "not_found", ...received };
    const drafts: ObservationDraft[] = [];
    let skipped = 0;
    for (const event of events) {
      const observations = this.#read(event);
      if (observations) drafts.push(...observations.filter(concerns(query)));
      else skipped++;
      if (drafts.length > observationsMax) return refused(`more than ${observationsMax} observations`);
    }
    if (skipped === events.length) return refused(`none of ${events.length} events can be read`);
    return { outcome: "found", ...received, drafts, skipped };
  }
}

/** Filters observations for a container query: a departure may name every container on board. */
export function concerns(query: {
  readonly kind: SubjectKind;
  readonly number: string;
}): (draft: ObservationDraft) => boolean {
  if (query.kind !== "container") return () => true;
  const requestedNumber = normalizeContainerNumber(query.number);
  return ({ containerNumber }) => containerNumber === null || containerNumber === requestedNumber;
}

/**
 * The reply when a later page failed. Rate limits and rejected credentials are kept; other failures are unreachable.
 */
function refusedLater(reply: CarrierReply): CarrierReply {
  if (reply.outcome === "rate_limited" || reply.outcome === "unauthorized") return reply;
  if (reply.outcome === "unreachable") return reply;
  const { outcome, httpStatus } = reply;
  return { outcome: "unreachable", detail: `a later page did not arrive (${outcome})`, httpStatus };
}

/** Parses a reply unless its bytes are unchanged: most replies are, and hashing is much cheaper than parsing. */
function readWhenNew(
  { knownHash }: Pick<CarrierQuery, "knownHash">,
  received: ReceivedReply,
  read: () => CarrierReply,
): PolledReply {
  const isKnown = knownHash != null && createHash("sha256").update(received.body).digest().equals(knownHash);
  return isKnown ? { outcome: "unchanged", ...received, read } : read();
}
