import type { ObservationDraft } from "@svc/domain/observations";
import type { RequestType } from "@svc/domain/tracking-requests";
import type { TransportFault } from "./http-exchange.ts";
import type { BodyShape } from "./reply-shape.ts";

/** A query for one shipment or container. */
export interface CarrierQuery {
  readonly kind: RequestType;
  /** Number in the form that the carrier expects, for example without the SCAC. */
  readonly number: string;
  /** UN/LOCODEs of the port of discharge and the destination, at which a terminal may have the container. */
  readonly places?: readonly string[];
  /** Bill of lading of the container, for whose arrival notice a line is polled; only with `places`. */
  readonly transportDocument?: string | null;
  /** SHA-256 of the last usable body: an identical one is not parsed. Null or not set: every reply is parsed. */
  readonly knownHash?: Uint8Array | null;
}

/** The response as received, stored as evidence. */
export interface ReceivedReply {
  /**
   * The bytes as received. When the reply came in several pages, a JSON array with each page's document in order. Of a
   * terminal operator: an object with its `documents` and the `place` that they are about.
   * Cut to its first 64 KiB when it holds no events that can be read.
   */
  readonly body: Uint8Array;
  /** URL of the first request. It contains the number and never a credential: those are in headers. */
  readonly url: string;
  readonly httpStatus: number;
}

/**
 * The carrier knows the number. `drafts` is empty while it has no events. For a container query it contains only events
 * of that container.
 */
export interface FoundReply extends ReceivedReply {
  readonly outcome: "found";
  readonly drafts: readonly ObservationDraft[];
  /** Number of events that could not be parsed and were skipped. */
  readonly skipped: number;
}

/** 404, 204 or an empty list. */
export interface NotFoundReply extends ReceivedReply {
  readonly outcome: "not_found";
}

/** 400 or 422: the number is not valid, so a retry is useless. */
export interface RejectedReply extends ReceivedReply {
  readonly outcome: "rejected";
  readonly reason: "invalid_number";
}

/** 401 or 403 from the carrier or its token server: the credentials are not accepted. */
export interface UnauthorizedReply extends ReceivedReply {
  readonly outcome: "unauthorized";
  /** The time of the response (its Date header) minus that of this process; absent when it has none. */
  readonly clockDifferenceMs?: number;
}

/** 429, or 503 with Retry-After. */
export interface RateLimitedReply extends ReceivedReply {
  readonly outcome: "rate_limited";
  /** The delay of Retry-After; null when there is none. */
  readonly retryAfterMs: number | null;
}

/** Timeout, DNS failure, refused connection, 5xx, or a missing page of a reply. */
export interface UnreachableReply {
  readonly outcome: "unreachable";
  /** Text for operators. Contains neither credentials nor text from the carrier. */
  readonly detail: string;
  /** Not set: there was a response, or the request was not sent. */
  readonly fault?: TransportFault;
  /** The status of the response, if there was one. */
  readonly httpStatus?: number;
}

/** A response that violates the protocol: not parsable, without a valid event, too large, or a redirect. */
export interface UnrecognizedReply extends ReceivedReply {
  readonly outcome: "unrecognized";
  readonly detail: string;
  /** Not set: other. */
  readonly shape?: BodyShape;
}

/** All outcomes of a query. Carrier failures are values; only bugs and the caller's abort are thrown. */
export type CarrierReply = (
  | FoundReply
  | NotFoundReply
  | RejectedReply
  | UnauthorizedReply
  | RateLimitedReply
  | UnreachableReply
  | UnrecognizedReply
) & {
  /** Number of HTTP requests: pages and the token exchange. Not set: one. */
  readonly requests?: number;
  /** True: the reply is of the OAuth2 token endpoint, and the carrier's API was not called. */
  readonly isOfTokenEndpoint?: true;
  /** True: of the address of arrival notices. It is no outcome of the API of events. A rate limit is of both. */
  readonly isOfArrivalNotices?: true;
};

/** A usable reply with the same bytes as the last one (`CarrierQuery.knownHash`), not parsed. */
export interface UnchangedReply extends ReceivedReply {
  readonly outcome: "unchanged";
  /** Number of HTTP requests, as in `CarrierReply`. */
  readonly requests?: number;
  /** Parses the reply, for a subject that has not received it before. */
  read(): CarrierReply;
}

/** Result of a poll: a reply, or that it has not changed. */
export type PolledReply = CarrierReply | UnchangedReply;

/** A shipping line, terminal or terminal operator that is polled. */
export interface Carrier {
  readonly scac: string;
  /** Sends the query once, without retries. Rejects only when `signal` aborts, with the signal's reason. */
  track(query: CarrierQuery, signal: AbortSignal): Promise<PolledReply>;
  /** Closes the connections; queries in flight end as unreachable. */
  close(): Promise<void>;
}
