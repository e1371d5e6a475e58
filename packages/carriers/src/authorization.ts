import type { CarrierCredentials } from "@svc/domain";
import { AccessToken } from "./access-token.ts";
import type { CarrierReply } from "./carrier.ts";
import type { CarrierConnection } from "./carrier-connection.ts";
import type { HttpExchange } from "./http-exchange.ts";

export interface AuthorizedHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** Requests that it took to get them. */
  readonly requests: number;
  /** The carrier answered 401 to them. @returns whether asking again with new ones may help. */
  refused(): boolean;
}

/** What proves to the carrier who asks. */
export interface Authorization {
  /** Why there is none is a reply. Rejects only when `signal` aborts. */
  headers(signal: AbortSignal): Promise<AuthorizedHeaders | CarrierReply>;
}

type TokenEndpoint = Pick<CarrierConnection, "tokenUrl" | "clientAuthentication" | "scope">;

const always = (headers: Readonly<Record<string, string>>): Authorization => ({
  headers: async () => ({ headers, requests: 0, refused: () => false }),
});

/** `tokenUrl` is the carrier's, never an account's: only the operator decides where credentials are sent. */
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
      const pair = Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64");
      return always({ authorization: `Basic ${pair}` });
    }
    case "oauth2_client_credentials": {
      if (tokens.tokenUrl === null) {
        const detail = "The carrier's configuration has no tokenUrl, which OAuth2 credentials need.";
        return { headers: async () => ({ outcome: "unreachable", detail }) };
      }
      const token = new AccessToken(credentials, { ...tokens, tokenUrl: new URL(tokens.tokenUrl) }, http);
      return {
        async headers(signal) {
          const got = await token.get(signal);
          if ("outcome" in got) return got;
          return {
            headers: { ...credentials.headers, authorization: `Bearer ${got.value}` },
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
