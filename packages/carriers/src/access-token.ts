import type { CarrierCredentials } from "@svc/domain/carrier-connections";
import type { CarrierReply } from "./carrier.ts";
import { clientAssertion } from "./client-certificate.ts";
import type { HttpExchange } from "./http-exchange.ts";
import { clockDifferenceOf, toRefusal } from "./http-refusal.ts";
import { shapeOf } from "./reply-shape.ts";

type ClientCredentials = Extract<CarrierCredentials, { kind: "oauth2_client_credentials" | "oauth2_private_key_jwt" }>;

interface TokenEndpoint {
  readonly tokenUrl: URL;
  /** Whether id and secret are sent with HTTP Basic or in the form body. */
  readonly clientAuthentication: "basic" | "body";
  /** Default when the credentials have none. */
  readonly scope: string | null;
}

interface Token {
  readonly value: string;
  readonly usableUntilMs: number;
}

const client_assertion_type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const responseBytesMax = 64 * 1024;
/** Default for expires_in (RFC 6749 5.1). */
const defaultLifetimeMs = 300_000;
/** A token is renewed in the last tenth of its lifetime, at most a minute before it expires. */
const marginOf = (lifeMs: number): number => Math.min(lifeMs / 10, 60_000);

/** Resolves like `work`, and rejects as soon as `signal` aborts; the work goes on for its other callers. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** The token of an OAuth2 client (RFC 6749 4.4): fetched on demand, once for concurrent callers, and cached. */
export class AccessToken {
  readonly #credentials: ClientCredentials;
  readonly #endpoint: TokenEndpoint;
  readonly #http: HttpExchange;
  readonly #nowMs: () => number;
  #token: Token | null = null;
  #fetching: Promise<Token | CarrierReply> | null = null;

  /** @param nowMs a monotonic clock. */
  constructor(
    credentials: ClientCredentials,
    endpoint: TokenEndpoint,
    http: HttpExchange,
    nowMs = () => performance.now(),
  ) {
    this.#credentials = credentials;
    this.#endpoint = endpoint;
    this.#http = http;
    this.#nowMs = nowMs;
  }

  /** A valid token and the number of requests it took, or a failed reply. Rejects only when `signal` aborts. */
  async get(signal: AbortSignal): Promise<{ readonly value: string; readonly requests: number } | CarrierReply> {
    if (this.#token !== null && this.#token.usableUntilMs > this.#nowMs()) {
      return { value: this.#token.value, requests: 0 };
    }
    const isFirst = this.#fetching === null;
    // The fetch is not bound to the first caller's signal, because others wait for the same token.
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = null;
    });
    const fetched = await orAborted(this.#fetching, signal);
    if ("outcome" in fetched) return fetched;
    return { value: fetched.value, requests: isFirst ? 1 : 0 };
  }

  /** Discards a token that the carrier no longer accepts. */
  forget(value: string): void {
    if (this.#token?.value === value) this.#token = null;
  }

  /**
   * Returns the header or the form members that authenticate the client at the token endpoint (RFC 6749 2.3.1, RFC 7523
   * 2.2).
   */
  #clientAuthentication(): { headers: Readonly<Record<string, string>>; form: Readonly<Record<string, string>> } {
    const { tokenUrl, clientAuthentication } = this.#endpoint;
    const credentials = this.#credentials;
    if (credentials.kind === "oauth2_private_key_jwt") {
      const client_assertion = clientAssertion(credentials, tokenUrl.href, Date.now());
      return { headers: {}, form: { client_id: credentials.clientId, client_assertion_type, client_assertion } };
    }
    const { clientId, clientSecret, headers } = credentials;
    if (clientAuthentication === "body") {
      return { headers, form: { client_id: clientId, client_secret: clientSecret } };
    }
    // RFC 6749 2.3.1: both are form-encoded before they are joined.
    const encoded = [clientId, clientSecret].map((part) => encodeURIComponent(part).replaceAll("%20", "+")).join(":");
    const authorization = `Basic ${Buffer.from(encoded).toString("base64")}`;
    return { headers: { ...headers, authorization }, form: {} };
  }

  async #fetch(): Promise<Token | CarrierReply> {
    const { tokenUrl } = this.#endpoint;
    const { headers, form } = this.#clientAuthentication();
    const scope = this.#credentials.scope ?? this.#endpoint.scope;
    const body = new URLSearchParams({ grant_type: "client_credentials", ...(scope !== null && { scope }), ...form });
    const response = await this.#http.send(
      {
        method: "POST",
        url: tokenUrl,
        headers: {
          accept: "application/json",
          "content-type": "application/x-www-form-urlencoded",
          ...headers,
        },
        body: body.toString(),
        maxBytes: responseBytesMax,
      },
      new AbortController().signal,
    );
    const common = { isOfTokenEndpoint: true } as const;
    if ("failure" in response) {
      return { outcome: "unreachable", detail: `token: ${response.failure}`, fault: response.fault, ...common };
    }
    const { status: httpStatus } = response;
    const received = { body: new Uint8Array(), url: tokenUrl.href, httpStatus, ...common };
    // invalid_client and invalid_scope come as 400.
    if ([400, 401, 403].includes(response.status)) {
      return { outcome: "unauthorized", ...clockDifferenceOf(response), ...received };
    }
    const refusal = toRefusal(response, tokenUrl.href);
    if (refusal?.outcome === "rate_limited") return { ...refusal, ...common };
    if (refusal) return { outcome: "unreachable", detail: `token: status ${httpStatus}`, httpStatus, ...common };
    const token = readToken(response.body, this.#nowMs());
    if (token === null) {
      const detail = "the response holds no bearer token";
      return { outcome: "unrecognized", ...received, detail, shape: shapeOf(response.body) };
    }
    this.#token = token;
    return token;
  }
}

function readToken(body: Uint8Array, nowMs: number): Token | null {
  try {
    const { access_token: value, expires_in: seconds } = JSON.parse(new TextDecoder().decode(body));
    if (typeof value !== "string" || !/^[\x21-\x7e]{1,16000}$/.test(value)) return null;
    const grantedMs = Number(seconds) * 1_000;
    const lifeMs = Number.isFinite(grantedMs) && grantedMs > 0 ? grantedMs : defaultLifetimeMs;
    return { value, usableUntilMs: nowMs + lifeMs - marginOf(lifeMs) };
  } catch {
    return null;
  }
}
