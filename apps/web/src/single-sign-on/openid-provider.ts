import { addressRanges, createEgressFetch, isLoopbackUrl } from "@svc/egress";
import { createRemoteJWKSet, type FetchImplementation, type JWTVerifyGetKey, customFetch as jwksFetch } from "jose";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from "openid-client";
import type { SignInAttempt } from "./attempt-cookie.ts";
import { type LogoutClaims, verifyLogoutToken } from "./logout-token.ts";
import type { ProviderConfig } from "./provider-config.ts";

const requestSeconds = 5;
const clockToleranceSeconds = 30;
/** Metadata of a provider changes rarely; its keys are read again when an unknown one is used. */
const metadataMs = 3_600_000;
const responseBytesMax = 1024 * 1024;

/** Claims of the provider about the user. */
export interface ProviderClaims {
  readonly issuer: string;
  readonly subject: string;
  /** Null: the provider states none. */
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  /** Id of the session at the provider, if it ends sessions by their id. */
  readonly providerSession: string | null;
}

/** The authorization code flow with a provider. `providerFailure` explains the errors of its functions. */
export interface OpenIdProvider {
  readonly config: ProviderConfig;
  /** The address to which the user is sent. */
  authorizationUrl(attempt: SignInAttempt): Promise<URL>;
  /** Verifies the response, with which the provider sent the user back, and exchanges its code. */
  readClaims(attempt: SignInAttempt, query: URLSearchParams): Promise<ProviderClaims>;
  /** Verifies a logout token. Throws `LogoutTokenError`, or an error that `providerFailure` explains. */
  readLogout(token: string): Promise<LogoutClaims>;
  destroy(): Promise<void>;
}

const callbackPath = (name: string): string => `/login/single-sign-on/${name}/callback`;

/** Stops reading a response that is larger than any of a provider. */
async function withLimit(response: Response): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > responseBytesMax) throw new TypeError("The response of the provider is too large.");
    chunks.push(chunk);
  }
  const { status, headers } = response;
  // A Response refuses a body for these.
  return new Response([204, 205, 304].includes(status) ? null : Buffer.concat(chunks), { status, headers });
}

/** Returns the client authentication by header, which providers have to accept unless their metadata says otherwise. */
const authenticateBy =
  (secret: string): ClientAuth =>
  (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const authenticate = methods.includes("client_secret_basic") ? ClientSecretBasic : ClientSecretPost;
    authenticate(secret)(server, client, body, headers);
  };

/** A secret as the key would let anyone who knows it sign. */
const isAsymmetric = (algorithm: string): boolean => /^(?:RS|PS|ES|Ed)/.test(algorithm);

const isTrue = (claim: unknown): boolean => claim === true || claim === 1 || claim === "1" || claim === "true";

/** Reads the metadata of the provider, and again when they are old or could not be read. */
function createDiscovery(
  { issuer: issuerUrl, clientId, clientSecret }: ProviderConfig,
  { send, isLocal }: { readonly send: CustomFetch; readonly isLocal: boolean },
): () => Promise<Configuration> {
  let known: { readonly configuration: Promise<Configuration>; readonly untilMs: number } | null = null;
  return () => {
    if (known && known.untilMs > Date.now()) return known.configuration;
    const client = { [clockTolerance]: clockToleranceSeconds };
    const configuration = discovery(new URL(issuerUrl), clientId, client, authenticateBy(clientSecret), {
      execute: isLocal ? [enableNonRepudiationChecks, allowInsecureRequests] : [enableNonRepudiationChecks],
      [customFetch]: send,
      timeout: requestSeconds,
    });
    known = { configuration, untilMs: Date.now() + metadataMs };
    const attempt = known;
    configuration.catch(() => {
      if (known === attempt) known = null;
    });
    return configuration;
  };
}

/** The keys at the address of the provider, which are read when a token names one that is not known. */
function createKeys(sendForKeys: FetchImplementation): (address: string | undefined) => JWTVerifyGetKey {
  let read: { readonly address: string; readonly keys: JWTVerifyGetKey } | null = null;
  return (address) => {
    if (address === undefined) throw new TypeError("The provider names no address of its keys.");
    if (read?.address !== address) {
      const options = { [jwksFetch]: sendForKeys, timeoutDuration: requestSeconds * 1_000 };
      read = { address, keys: createRemoteJWKSet(new URL(address), options) };
    }
    return read.keys;
  };
}

export function createOpenIdProvider(
  config: ProviderConfig,
  { appUrl, denied }: { readonly appUrl: string; readonly denied: ReturnType<typeof addressRanges> },
): OpenIdProvider {
  const issuer = new URL(config.issuer);
  const isLocal = issuer.protocol === "http:" && isLoopbackUrl(issuer);
  const redirectUri = `${appUrl}${callbackPath(config.name)}`;
  const egress = createEgressFetch({
    allowInsecureTargets: isLocal,
    allowed: addressRanges(config.networks),
    denied,
  });
  const send: CustomFetch = async (url, { method, headers, body, signal }) => {
    const text = body instanceof URLSearchParams || typeof body === "string" ? String(body) : null;
    return withLimit(await egress.send(url, { method, headers, body: text, signal: signal ?? null }));
  };

  const sendForKeys: FetchImplementation = async (url, { method, headers, signal }) =>
    withLimit(await egress.send(url, { method, headers: Object.fromEntries(headers), body: null, signal }));

  const discover = createDiscovery(config, { send, isLocal });
  const keysAt = createKeys(sendForKeys);

  return {
    config,
    async authorizationUrl({ state, nonce, verifier }) {
      return buildAuthorizationUrl(await discover(), {
        redirect_uri: redirectUri,
        scope: "openid email",
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
    },
    async readClaims({ state, nonce, verifier }, query) {
      const configuration = await discover();
      const tokens = await authorizationCodeGrant(configuration, new URL(`${redirectUri}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const idToken = tokens.claims();
      if (!idToken) throw new TypeError("The provider sent no ID token.");
      const { iss, sub } = idToken;
      // OpenID Connect Core 5.4: the address may be in the response of the userinfo endpoint only.
      const claims =
        idToken.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
          ? await fetchUserInfo(configuration, tokens.access_token, sub)
          : idToken;
      return {
        issuer: iss,
        subject: sub,
        email: typeof claims.email === "string" ? claims.email : null,
        isEmailVerified: isTrue(claims[config.verifiedEmailClaim]),
        providerSession: typeof idToken.sid === "string" ? idToken.sid : null,
      };
    },
    async readLogout(token) {
      const metadata = (await discover()).serverMetadata();
      return verifyLogoutToken(token, {
        issuer: metadata.issuer,
        clientId: config.clientId,
        keys: keysAt(metadata.jwks_uri),
        algorithms: (metadata.id_token_signing_alg_values_supported ?? ["RS256"]).filter(isAsymmetric),
        clockToleranceSeconds,
      });
    },
    destroy: () => egress.destroy(),
  };
}
