import { normalizeContainerNumber, type ObservationDraft, type RequestType } from "@svc/domain";
import type { Carrier, CarrierQuery, CarrierReply } from "../carrier.ts";
import type { CarrierConnection } from "../carrier-connection.ts";
import { type HttpAnswer, HttpExchange, headerOf } from "../http-exchange.ts";
import { observationsOf } from "./dcsa-observation.ts";
import type { TimeZoneOf } from "./event-time.ts";
import { readEvents } from "./events-page.ts";
import { refusalOf, unrecognized } from "./refusal.ts";

const parameters: Readonly<Record<RequestType, string>> = {
  bill_of_lading: "transportDocumentReference",
  booking_number: "carrierBookingReference",
  container: "equipmentReference",
};

/** With the usual hundred events a page, more than any bill of lading has. */
const maxPages = 100;
/** A departure is a fact for each container that it names; no bill of lading has this many. */
const maxFacts = 50_000;

interface Page {
  readonly answer: HttpAnswer;
  readonly events: readonly unknown[];
}

/** A shipping line that publishes DCSA Track & Trace 2.2, asked by `GET …/v2/events`. */
export class DcsaCarrier implements Carrier {
  readonly scac: string;
  readonly #connection: CarrierConnection;
  readonly #timeZoneOf: TimeZoneOf;
  readonly #http: HttpExchange;

  constructor(connection: CarrierConnection, timeZoneOf: TimeZoneOf) {
    this.scac = connection.scac;
    this.#connection = connection;
    this.#timeZoneOf = timeZoneOf;
    this.#http = new HttpExchange({ timeoutMs: connection.timeoutMs });
  }

  /** All pages, or none: a reply that lacks a page would make the missing events look withdrawn. */
  async track(query: CarrierQuery, signal: AbortSignal): Promise<CarrierReply> {
    const first = this.#addressOf(query);
    const pages: Page[] = [];
    let next: URL | null = first;
    let bytesLeft = this.#connection.maxBodyBytes;
    while (next !== null) {
      const answer = await this.#http.get(next, this.#headers(), bytesLeft, signal);
      if ("failure" in answer) return { outcome: "unreachable", detail: answer.failure };
      const refusal = refusalOf(answer, first.href);
      if (refusal) return pages.length === 0 ? refusal : refusedLater(refusal);
      if (!answer.isComplete) {
        return unrecognized(answer, first.href, `larger than ${this.#connection.maxBodyBytes} bytes`);
      }
      const events = readEvents(answer.body, this.#connection.profile.eventsMember);
      if (!events) return unrecognized(answer, first.href, `page ${pages.length + 1} is not a list of events`);
      pages.push({ answer, events });
      bytesLeft -= answer.body.byteLength;
      const following = this.#nextPage(answer, next);
      if (following === "foreign") return unrecognized(answer, first.href, "the next page is at another origin");
      if (following !== null && pages.length === maxPages) {
        return unrecognized(answer, first.href, `more than ${maxPages} pages`);
      }
      next = following;
    }
    return this.#replyOf(pages, first.href, query);
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  #addressOf(query: CarrierQuery): URL {
    const { baseUrl, profile } = this.#connection;
    const url = new URL(`${baseUrl}${profile.eventsPath}`);
    url.searchParams.set(parameters[query.kind], query.number);
    if (profile.pageSize !== null) url.searchParams.set("limit", String(profile.pageSize));
    return url;
  }

  /** The connection's headers win, however they are spelled. */
  #headers(): Record<string, string> {
    const own = Object.entries(this.#connection.headers).map(([name, value]) => [name.toLowerCase(), value]);
    return {
      accept: "application/json",
      "api-version": "2",
      "user-agent": "shipment-tracking-service",
      ...Object.fromEntries(own),
    };
  }

  /** Null after the last page. Only the carrier's own origin may follow, because the credentials go along. */
  #nextPage(answer: HttpAnswer, current: URL): URL | "foreign" | null {
    for (const name of this.#connection.profile.nextPageHeaders) {
      const value = headerOf(answer, name);
      if (value === null || value.trim() === "") continue;
      const next = URL.parse(value, current.href);
      if (next?.origin !== current.origin) return "foreign";
      // Some publishers name the last page as its own successor.
      return next.href === current.href ? null : next;
    }
    return null;
  }

  #replyOf(pages: readonly Page[], url: string, query: CarrierQuery): CarrierReply {
    const last = (pages.at(-1) as Page).answer;
    const body = joined(pages.map((page) => page.answer.body));
    const received = { body, url, httpStatus: last.status };
    const events = pages.flatMap((page) => page.events);
    if (events.length === 0) return { outcome: "not_found", ...received };
    const drafts: ObservationDraft[] = [];
    let skipped = 0;
    for (const event of events) {
      const observations = observationsOf(event, this.#connection.profile, this.#timeZoneOf);
      if (observations) drafts.push(...observations.filter(concerns(query)));
      else skipped++;
      if (drafts.length > maxFacts) {
        return { outcome: "unrecognized", ...received, detail: `more than ${maxFacts} facts` };
      }
    }
    if (skipped === events.length) {
      return { outcome: "unrecognized", ...received, detail: `none of ${events.length} events can be read` };
    }
    return { outcome: "found", ...received, drafts, skipped };
  }
}

/** A departure may name every box aboard; a question about one of them is not about the others. */
function concerns(query: CarrierQuery): (draft: ObservationDraft) => boolean {
  if (query.kind !== "container") return () => true;
  const asked = normalizeContainerNumber(query.number);
  return ({ containerNumber }) => containerNumber === null || containerNumber === asked;
}

/** What is wrong with a later page. The carrier's wish to be left alone counts on any page. */
function refusedLater(reply: CarrierReply): CarrierReply {
  if (reply.outcome === "rate_limited" || reply.outcome === "unauthorized") return reply;
  if (reply.outcome === "unreachable") return reply;
  return { outcome: "unreachable", detail: `a later page did not arrive (${reply.outcome})` };
}

function joined(bodies: readonly Uint8Array[]): Uint8Array {
  const [only] = bodies;
  if (bodies.length === 1 && only) return only;
  const parts = bodies.flatMap((body, index) => [Buffer.from(index === 0 ? "[" : ","), body]);
  return Buffer.concat([...parts, Buffer.from("]")]);
}
