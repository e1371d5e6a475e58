import type { CarrierCredentials } from "@svc/domain/carrier-connections";
import { AccessToken } from "./access-token.ts";
import type { CarrierReply, PolledReply } from "./carrier.ts";
import type { CarrierConnection } from "./carrier-connection.ts";
import { copSignature } from "./cosco/cop-signature.ts";
import type { HttpExchange } from "./http-exchange.ts";

export interface AuthorizedHeaders {
  /** Returns the headers of one request: a signature covers its address and time. */
  headersFor(method: "GET", url: URL): Readonly<Record<string, string>>;
  /** Requests used to obtain the headers. */
  readonly requests: number;
  /** Reports that the carrier responded with 401. @returns whether a retry with new headers may succeed. */
  refused(): boolean;
}

/** Authorizes requests to a carrier. */
export interface Authorization {
  /** The headers, or the failed reply of the token server. Rejects only when `signal` aborts. */
  headers(signal: AbortSignal): Promise<AuthorizedHeaders | CarrierReply>;
}

/**
 * Sends a query with the authorization, and once more with a new one after 401: a cached token may have been revoked
 * before it expired.
 */
export async function queryAuthorized(
  authorization: Authorization,
  send: (authorized: AuthorizedHeaders) => Promise<PolledReply>,
  signal: AbortSignal,
): Promise<PolledReply> {
  const authorized = await authorization.headers(signal);
  if ("outcome" in authorized) return authorized;
  const reply = await send(authorized);
  if (reply.outcome !== "unauthorized" || reply.httpStatus !== 401 || !authorized.refused()) return reply;
  const renewed = await authorization.headers(signal);
  const earlier = (reply.requests ?? 1) + ("outcome" in renewed ? 1 : 0);
  const again = "outcome" in renewed ? renewed : await send(renewed);
  return { ...again, requests: earlier + ("outcome" in renewed ? 0 : (again.requests ?? 1)) };
}

type TokenEndpoint = Pick<CarrierConnection, "tokenUrl" | "clientAuthentication" | "scope" | "requestSigning">;

const by = (headersFor: AuthorizedHeaders["headersFor"]): Authorization => ({
  headers: async () => ({ headersFor, requests: 0, refused: () => false }),
});
const always = (headers: Readonly<Record<string, string>>): Authorization => by(() => headers);

/** `tokenUrl` is configured by the operator, never by an account, so credentials are sent only to trusted hosts. */
export function authorizationBy(
  credentials: CarrierCredentials,
  tokens: TokenEndpoint,
  http: HttpExchange,
): Authorization {
  switch (credentials.kind) {
    case "none":
      return always({});
    case "api_key":
      return always(credentials.headers);
    case "basic": {
      if (tokens.requestSigning === "cop-hmac-sha1") {
        return by((method, url) => copSignature(credentials, { method, url }));
      }
      const pair = Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64");
      return always({ authorization: `Basic ${pair}` });
    }
    case "oauth2_client_credentials":
    case "oauth2_private_key_jwt": {
      if (tokens.tokenUrl === null) {
        const detail = "The carrier's configuration has no tokenUrl, which OAuth2 credentials need.";
        return { headers: async () => ({ outcome: "unreachable", detail }) };
      }
      const isSecret = credentials.kind === "oauth2_client_credentials";
      const headers = isSecret ? credentials.headers : {};
      const tenant = isSecret ? "" : encodeURIComponent(credentials.tenant);
      const tokenUrl = new URL(tokens.tokenUrl.replace("{tenant}", tenant));
      const token = new AccessToken(credentials, { ...tokens, tokenUrl }, http);
      return {
        async headers(signal) {
          const got = await token.get(signal);
          if ("outcome" in got) return got;
          return {
            headersFor: () => ({ ...headers, authorization: `Bearer ${got.value}` }),
            requests: got.requests,
            refused() {
              token.forget(got.value);
              return got.requests === 0;
            },
          };
        },
      };
    }
  }
}
