import { generateKeyPairSync } from "node:crypto";
import type { EgressFetch } from "@svc/egress";
import { html } from "@svc/views";
import type { Request } from "express";
import Provider, { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC } from "oidc-provider";
import type { Callers } from "../access/callers.ts";
import { messagePage } from "../pages/message-page.ts";
import { readSubject, type Subject, subjectId } from "./subject.ts";

const minute = 60;
const day = 86_400;
const documentBytesMax = 5 * 1024;

/** The page on which the user signs in and gives an application access; not part of the protocol. */
export const interactionPath = "/oauth/interaction";

export interface OAuthProviderOptions {
  readonly appUrl: string;
  readonly mcpUrl: string;
  readonly callers: Callers;
  readonly adapter: NonNullable<Configuration["adapter"]>;
  /** The user is still a member of the account, and the account is not suspended. */
  readonly isMember: (subject: Subject) => Promise<boolean>;
  /** Reads what an application names by its address. */
  readonly documents: EgressFetch;
  /** Whether the network of the request may have another document read. */
  readonly mayReadDocument: (request: Request) => boolean;
}

const routes = {
  authorization: "/oauth/authorize",
  jwks: "/oauth/jwks",
  registration: "/oauth/register",
  revocation: "/oauth/revoke",
  token: "/oauth/token",
};

/**
 * Who signed in is known from the browser's session of the web application: when it ends, or is another user's, the
 * user is asked to sign in again.
 */
function createInteractionPolicy(callers: Callers) {
  const isSignedInAsAnother = async (ctx: KoaContextWithOIDC): Promise<boolean> => {
    const caller = await callers.identify(ctx.req as Request);
    if (!caller?.user || caller.user.twoFactor === "missing") return true;
    return subjectId({ accountId: caller.accountId, userId: caller.user.userId }) !== ctx.oidc.session?.accountId;
  };
  const policy = interactionPolicy.base();
  policy
    .get("login")
    ?.checks.add(
      new interactionPolicy.Check("other_user", "The browser is signed in as another user", "login_required", (ctx) =>
        isSignedInAsAnother(ctx),
      ),
    );
  return policy;
}

/** Clients run on the user's machine or on a server: loopback, private-use schemes and https. */
const clientDefaults: Configuration["clientDefaults"] = {
  application_type: "native",
  grant_types: ["authorization_code", "refresh_token"],
  id_token_signed_response_alg: "ES256",
  response_types: ["code"],
  token_endpoint_auth_method: "none",
};

/** In seconds. */
const lifetimes = {
  AccessToken: 60 * minute,
  AuthorizationCode: minute,
  Grant: 365 * day,
  Interaction: 60 * minute,
  RefreshToken: 30 * day,
  Session: 7 * day,
};

/**
 * The OAuth 2.1 authorization server (docs/adr/0022): authorization code with PKCE for public clients, which register
 * themselves (RFC 7591) or are known by their metadata document. Tokens are for the MCP server (RFC 8707).
 */
export function createOAuthProvider(options: OAuthProviderOptions): Provider {
  const { appUrl, mcpUrl, callers, adapter, isMember, documents, mayReadDocument } = options;
  const resourceOrigin = new URL(mcpUrl).origin;
  const policy = createInteractionPolicy(callers);
  const provider = new Provider(appUrl, {
    adapter,
    // ID tokens are never issued, because their scope is refused, but the server requires a key for them.
    jwks: { keys: [generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })] },
    enabledJWA: { idTokenSigningAlgValues: ["ES256"] },
    scopes: ["read", "write"],
    responseTypes: ["code"],
    clientAuthMethods: ["none"],
    clientDefaults,
    // The library checks an address only once it is connected, and has limits of size for one kind of document.
    fetch: (url, init) => documents.get(url instanceof Request ? url.url : url.toString(), init),
    fetchResponseBodyLimits: {
      "client_id metadata document": documentBytesMax,
      jwks_uri: documentBytesMax,
      sector_identifier_uri: documentBytesMax,
    },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      revocation: { enabled: true },
      registration: { enabled: true },
      clientIdMetadataDocument: {
        enabled: true,
        ack: "draft-02",
        allowFetch: (ctx) => mayReadDocument(ctx.req as Request),
        // A hosted application refreshes the tokens of many users from one network, which is limited.
        cacheDuration: { min: 60 * minute, max: day },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => mcpUrl,
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, resource) {
          if (!URL.canParse(resource) || new URL(resource).origin !== resourceOrigin) {
            throw new errors.InvalidTarget(`The resource must be ${mcpUrl}.`);
          }
          return { audience: mcpUrl, scope: "read write", accessTokenFormat: "opaque" };
        },
      },
    },
    async findAccount(_ctx, id) {
      if (!(await isMember(readSubject(id)))) return undefined;
      return { accountId: id, claims: async () => ({ sub: id }) };
    },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed("refresh_token"),
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    ttl: lifetimes,
    interactions: { policy, url: (_ctx, interaction) => `${interactionPath}/${interaction.uid}` },
    routes,
    renderError(ctx, { error, error_description: description }) {
      const text = html`The application's request is not valid: ${description ?? error}. Start again from the application.`;
      ctx.type = "html";
      ctx.body = String(messagePage({ title: "Not connected", text: String(text) }));
    },
  });
  // The routes set the forwarding headers to the public address, from which the server builds its URLs.
  provider.proxy = true;
  return provider;
}
