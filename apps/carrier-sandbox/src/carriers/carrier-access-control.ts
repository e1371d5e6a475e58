import { createHash, randomUUID, verify, X509Certificate } from "node:crypto";
import type { ServerAccess } from "@svc/carriers/carrier-server";
import type { CatalogueEntry } from "@svc/carriers/catalogue";
import { sandboxCertificate } from "@svc/carriers/sandbox-certificate";
import type { Request } from "express";
import { credentialOf } from "./accepted-credentials.ts";
import { isCopSigned } from "./cop-signature.ts";

type Token = NonNullable<ServerAccess["token"]>;

export type TokenReply =
  | { readonly status: 200; readonly body: { access_token: string; token_type: "Bearer"; expires_in: number } }
  | { readonly status: 400 | 401; readonly body: { error: string } };

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const thumbprint = createHash("sha1").update(new X509Certificate(sandboxCertificate.certificate).raw);
const x5t = thumbprint.digest("base64url");

function readJwtPart(jwt: string, index: number): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(jwt.split(".")[index] ?? "", "base64url").toString()) as Record<string, unknown>;
}

/** RFC 7523 with the registered certificate. Rejects expired assertions and those of another audience. */
function isValidAssertion(jwt: string, clientId: string, audience: string): boolean {
  try {
    const [head, claims] = [readJwtPart(jwt, 0), readJwtPart(jwt, 1)];
    const signed = jwt.slice(0, jwt.lastIndexOf("."));
    const signature = Buffer.from(jwt.slice(signed.length + 1), "base64url");
    const seconds = Date.now() / 1_000;
    const isCurrent = Number(claims.exp) > seconds && Number(claims.exp) < seconds + 600;
    const hasExpectedClaims = claims.iss === clientId && claims.sub === clientId && claims.aud === audience;
    const isSigned = verify("RSA-SHA256", Buffer.from(signed), sandboxCertificate.certificate, signature);
    return (
      head.alg === "RS256" &&
      head.x5t === x5t &&
      typeof claims.jti === "string" &&
      isCurrent &&
      hasExpectedClaims &&
      isSigned
    );
  } catch {
    return false;
  }
}

/**
 * Checks access to an imitated carrier: the tokens that it issued, and keys in headers, as its documents describe them.
 */
export class CarrierAccessControl {
  readonly #entry: CatalogueEntry;
  readonly #realNow: () => number;
  /** Issued tokens with their expiry. */
  readonly #tokens = new Map<string, { readonly choice: string; readonly expiresAt: number }>();
  /** Lifetime of new tokens; null: as documented. */
  lifeSeconds: number | null = null;

  /** @param realNow milliseconds of a monotonic clock. */
  constructor(entry: CatalogueEntry, realNow: () => number = () => performance.now()) {
    this.#entry = entry;
    this.#realNow = realNow;
  }

  /** The ways of access that have a token endpoint. */
  get tokenAccess(): readonly (ServerAccess & { readonly token: Token })[] {
    return this.#entry.server.access.filter((each): each is ServerAccess & { token: Token } => each.token !== null);
  }

  /** Ends all tokens, as if they had been revoked. */
  revokeTokens(): void {
    this.#tokens.clear();
  }

  /** The label of the credential choice whose credentials the request has; null: it has none that are valid. */
  choiceOf(request: Request): string | null {
    const bearer = /^Bearer (.+)$/.exec(request.get("authorization") ?? "")?.[1];
    const issued = bearer === undefined ? undefined : this.#tokens.get(bearer);
    const found = this.#entry.server.access.find(({ choice, headers, token, signature }) => {
      if (!this.#hasHeaders(request, choice, headers)) return false;
      if (signature !== null) return this.#isSigned(request, choice);
      return token === null || (issued?.choice === choice && issued.expiresAt > this.#realNow());
    });
    return found?.choice ?? null;
  }

  /** Returns the reply to a token request whose form body was parsed. `audience`: the URL of the token endpoint. */
  issueToken(request: Request, audience: string): TokenReply {
    const form = request.body as Readonly<Record<string, unknown>>;
    const isGranted = (grant: unknown) => grant === "client_credentials";
    if (!isGranted(form.grant_type) && !isGranted(request.query.grant_type))
      return { status: 400, body: { error: "unsupported_grant_type" } };
    const access = this.tokenAccess.find((each) => this.#isClient(each, request, form, audience));
    if (access === undefined) return { status: 401, body: { error: "invalid_client" } };
    const scope = access.token.scope ?? credentialOf(this.#entry.scac, this.#choice(access.choice), "scope");
    if (scope !== undefined && form.scope !== scope) return { status: 400, body: { error: "invalid_scope" } };
    const lifeSeconds = this.lifeSeconds ?? access.token.lifeSeconds;
    const value = randomUUID();
    this.#tokens.set(value, { choice: access.choice, expiresAt: this.#realNow() + lifeSeconds * 1_000 });
    return { status: 200, body: { access_token: value, token_type: "Bearer", expires_in: lifeSeconds } };
  }

  #choice(label: string): CatalogueEntry["credentials"][number] {
    const found = this.#entry.credentials.find((choice) => choice.label === label);
    if (found === undefined) throw new Error(`${this.#entry.scac} has no credentials ${label}.`);
    return found;
  }

  #hasHeaders(request: Request, choice: string, names: readonly string[]): boolean {
    const { scac } = this.#entry;
    return names.every((name) => request.get(name) === credentialOf(scac, this.#choice(choice), `headers.${name}`));
  }

  #isSigned(request: Request, choice: string): boolean {
    const credential = (field: string) => credentialOf(this.#entry.scac, this.#choice(choice), field) ?? "";
    return isCopSigned(request, { username: credential("username"), password: credential("password") });
  }

  #isClient(
    { choice, token }: ServerAccess & { readonly token: Token },
    request: Request,
    form: Readonly<Record<string, unknown>>,
    audience: string,
  ): boolean {
    if (!this.#hasHeaders(request, choice, token.headers)) return false;
    if (token.grantTypeInQuery && request.query.grant_type !== "client_credentials") return false;
    const credential = (field: string) => credentialOf(this.#entry.scac, this.#choice(choice), field);
    const [clientId = "", clientSecret] = [credential("clientId"), credential("clientSecret")];
    switch (token.client) {
      case "basic": {
        const pair = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
        return request.get("authorization") === `Basic ${pair}`;
      }
      case "body":
        return form.client_id === clientId && form.client_secret === clientSecret;
      case "private_key_jwt":
        return (
          form.client_id === clientId &&
          form.client_assertion_type === assertionType &&
          request.params.tenant === credential("tenant") &&
          isValidAssertion(String(form.client_assertion), clientId, audience)
        );
    }
  }
}
