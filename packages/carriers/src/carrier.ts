import type { ObservationDraft, RequestType } from "@svc/domain";

/** A question about one shipment or container. */
export interface CarrierQuery {
  readonly kind: RequestType;
  /** In the form that the carrier wants, for example without the SCAC where the line strips it. */
  readonly number: string;
  /** SHA-256 of the last usable reply's body: one with the same bytes is not read again. Null or absent: every reply is read. */
  readonly knownHash?: Uint8Array | null;
}

/** What came over the wire, kept as evidence. */
export interface ReceivedReply {
  /**
   * The bytes as received. When the reply came in several pages, a JSON array with each page's document in order.
   * Cut to its first 64 KiB when it holds no events that can be read.
   */
  readonly body: Uint8Array;
  /** The first address asked. It holds the number and never a credential: those travel in headers. */
  readonly url: string;
  readonly httpStatus: number;
}

/**
 * The carrier knows the number. `drafts` is empty when it has no event of it yet. Of a question about one container,
 * only what concerns that one.
 */
export interface FoundReply extends ReceivedReply {
  readonly outcome: "found";
  readonly drafts: readonly ObservationDraft[];
  /** Events that could not be read and were left out. */
  readonly skipped: number;
}

/** 404, 204 or an empty list. */
export interface NotFoundReply extends ReceivedReply {
  readonly outcome: "not_found";
}

/** 400 or 422: asking again with this number is useless. */
export interface RejectedReply extends ReceivedReply {
  readonly outcome: "rejected";
  readonly reason: "invalid_number";
}

/** 401 or 403, of the carrier or of the server that gives out its tokens: the credentials are not accepted. */
export interface UnauthorizedReply extends ReceivedReply {
  readonly outcome: "unauthorized";
}

/** 429, or 503 with Retry-After. */
export interface RateLimitedReply extends ReceivedReply {
  readonly outcome: "rate_limited";
  /** How long the carrier asks to be left alone; null when it does not say. */
  readonly retryAfterMs: number | null;
}

/** Timeout, DNS, refused connection, 5xx, or a page of several that did not arrive. */
export interface UnreachableReply {
  readonly outcome: "unreachable";
  /** For operators. Holds no credential and no text of the carrier's. */
  readonly detail: string;
}

/** An answer that is not what the protocol promises: not parsable, no readable event in it, too large, a redirect. */
export interface UnrecognizedReply extends ReceivedReply {
  readonly outcome: "unrecognized";
  readonly detail: string;
}

/** Every way a question can end. Whatever the carrier does is a value; only bugs and the caller's abort are thrown. */
export type CarrierReply = (
  | FoundReply
  | NotFoundReply
  | RejectedReply
  | UnauthorizedReply
  | RateLimitedReply
  | UnreachableReply
  | UnrecognizedReply
) & {
  /** How many HTTP requests it took: pages, and the exchange of credentials for a token. Absent: one. */
  readonly requests?: number;
};

/** A usable reply with the very bytes of the last one (`CarrierQuery.knownHash`), which nobody has parsed yet. */
export interface UnchangedReply extends ReceivedReply {
  readonly outcome: "unchanged";
  /** As in `CarrierReply`. */
  readonly requests?: number;
  /** What it says after all, for whoever has not heard it before. */
  read(): CarrierReply;
}

export type CarrierAnswer = CarrierReply | UnchangedReply;

/** A connected shipping line. */
export interface Carrier {
  readonly scac: string;
  /** Asks once, without retries. Rejects only when `signal` aborts, with the signal's reason. */
  track(query: CarrierQuery, signal: AbortSignal): Promise<CarrierAnswer>;
  /** Closes the connections; questions under way end as unreachable. */
  close(): Promise<void>;
}
