import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type Adapter, type AdapterPayload } from "oidc-provider";

/** User of the provider, found by the name that is typed into its login page. */
export interface ProviderUser {
  readonly subject: string;
  readonly email?: string;
  readonly email_verified?: boolean;
}

/** An OpenID Connect provider on this machine, with a log-in page that asks for a name alone. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Redirect URIs of the client; more may be added. */
  readonly redirectUris: string[];
  /** URL that the provider sends logout tokens to. */
  logoutUri: string;
  /** Sends a logout token for a user, and for one of their sessions. Throws unless it is accepted with 200. */
  logOut(subject: string, session?: string): Promise<void>;
  /** A logout token with some claims in place of the right ones; undefined: left out. */
  logoutToken(claims: Readonly<Record<string, unknown>>, signing?: Signing): string;
  /** Users may be added and changed. */
  readonly users: Map<string, ProviderUser>;
  /** Answers in place of the provider, while set. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | null;
  /** Lets the browser of a user log in at the provider. Resolves to the address to which the provider sends it back. */
  logIn(authorizationUrl: string, name: string): Promise<string>;
  close(): Promise<void>;
}

/** A function of the library that its types do not have. */
interface LogoutClient {
  backchannelLogout(subject: string, session?: string): Promise<void>;
}

interface Signing {
  /** Header in place of the right one. */
  readonly header?: Readonly<Record<string, unknown>>;
  /** Signs with a key that the provider does not publish. */
  readonly isForged?: boolean;
}

/** Keeps records in memory. The client is read at each use, because its redirect addresses change. */
function createAdapter(findClient: () => AdapterPayload): (model: string) => Adapter {
  const records = new Map<string, AdapterPayload>();
  return (model) => ({
    async upsert(id, payload) {
      records.set(`${model} ${id}`, payload);
    },
    find: async (id) => (model === "Client" ? findClient() : records.get(`${model} ${id}`)),
    findByUid: async (uid) => [...records.values()].find((payload) => payload.uid === uid && payload.kind === model),
    findByUserCode: async () => undefined,
    async consume(id) {
      const payload = records.get(`${model} ${id}`);
      if (payload) payload.consumed = Math.floor(Date.now() / 1_000);
    },
    async destroy(id) {
      records.delete(`${model} ${id}`);
    },
    async revokeByGrantId(grantId) {
      for (const [key, payload] of records) if (payload.grantId === grantId) records.delete(key);
    },
  });
}

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const jwk = { ...privateKey.export({ format: "jwk" }), kid: "test", alg: "RS256", use: "sig" };

const foreignKey = generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey;

function jwt(header: object, claims: object, key = privateKey): string {
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
}

/** The ID token as issued by a provider whose clock is off. */
function shifted(idToken: string, seconds: number): string {
  const [header = "", body = ""] = idToken.split(".");
  const claims = JSON.parse(Buffer.from(body, "base64url").toString());
  const moved = { ...claims, iat: claims.iat + seconds, exp: claims.exp + seconds };
  return jwt(JSON.parse(Buffer.from(header, "base64url").toString()), moved);
}

const page = (content: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Harbour Group</title><h1>Harbour Group</h1>${content}`;
const logInPage = page(`<form method="post"><label>User name <input name="name" autofocus></label>
  <button>Log in</button> <button name="cancel" value="yes">Cancel</button></form>`);

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

export async function startIdentityProvider({
  redirectUris = [],
  clockSeconds = 0,
  isConforming = true,
}: {
  readonly redirectUris?: string[];
  /** How far the clock of the provider is ahead. */
  readonly clockSeconds?: number;
  /** Conforming: the email address is in the response of the userinfo endpoint only. */
  readonly isConforming?: boolean;
} = {}): Promise<IdentityProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clientId = "shipment-tracking";
  const clientSecret = randomBytes(24).toString("base64url");
  const users = new Map<string, ProviderUser>();

  const provider = new Provider(issuer, {
    adapter: createAdapter(() => ({
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [...redirectUris],
      backchannel_logout_uri: result.logoutUri,
      backchannel_logout_session_required: true,
    })),
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    conformIdTokenClaims: isConforming,
    cookies: { keys: [randomBytes(16).toString("hex")] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    // The library's own dispatcher refuses this machine, where the tests receive logout tokens.
    fetch: (url, options = {}) =>
      fetch(url, Object.fromEntries(Object.entries(options).filter(([name]) => name !== "dispatcher"))),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    jwks: { keys: [jwk] },
    ttl: { IdToken: 300, AccessToken: 300, AuthorizationCode: 60, Grant: 600, Interaction: 600, Session: 600 },
    async findAccount(_ctx, accountId) {
      const user = [...users.values()].find(({ subject }) => subject === accountId);
      const { subject: sub = accountId, ...claims } = user ?? {};
      return { accountId, claims: async () => ({ sub, ...claims }) };
    },
    async loadExistingGrant(ctx) {
      const { client, session } = ctx.oidc;
      if (!client || !session?.accountId) return undefined;
      const grant = new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid email");
      await grant.save();
      return grant;
    },
  });
  provider.use(async (ctx, next) => {
    await next();
    const { id_token: idToken } = (ctx.body ?? {}) as { id_token?: string };
    if (clockSeconds !== 0 && idToken) ctx.body = { ...(ctx.body as object), id_token: shifted(idToken, clockSeconds) };
  });
  const protocol = provider.callback();

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!request.url?.startsWith("/interaction/")) return protocol(request, response);
    if (request.method !== "POST") return void response.setHeader("Content-Type", "text/html").end(logInPage);
    const form = await formOf(request);
    const result = form.has("cancel")
      ? { error: "access_denied", error_description: "The user cancelled." }
      : { login: { accountId: users.get(form.get("name") ?? "")?.subject ?? "unknown" } };
    await provider.interactionFinished(request, response, result);
  };

  const result: IdentityProvider = {
    issuer,
    clientId,
    clientSecret,
    redirectUris,
    users,
    answer: null,
    logoutUri: `${issuer}/nowhere`,
    async logOut(subject, session) {
      const client = (await provider.Client.find(clientId)) as unknown as LogoutClient;
      await client.backchannelLogout(subject, session);
    },
    logoutToken(claims, { header = {}, isForged = false } = {}) {
      const seconds = Math.floor(Date.now() / 1_000);
      const right = {
        iss: issuer,
        aud: clientId,
        iat: seconds,
        exp: seconds + 120,
        jti: randomBytes(16).toString("hex"),
        events: { "http://schemas.openid.net/event/backchannel-logout": {} },
      };
      const head = { alg: "RS256", kid: "test", typ: "logout+jwt", ...header };
      return jwt(head, { ...right, ...claims }, isForged ? foreignKey : privateKey);
    },
    async logIn(authorizationUrl, name) {
      const cookies = new Map<string, string>();
      const call = async (url: string, form?: Record<string, string>): Promise<Response> => {
        const response = await fetch(url, {
          redirect: "manual",
          headers: { cookie: [...cookies].map((pair) => pair.join("=")).join("; ") },
          ...(form && { method: "POST", body: new URLSearchParams(form) }),
        });
        for (const cookie of response.headers.getSetCookie()) {
          const [pair = ""] = cookie.split(";");
          cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
        }
        return response;
      };
      let url = authorizationUrl;
      while (url.startsWith(issuer)) {
        const isLogIn = new URL(url).pathname.startsWith("/interaction/");
        const response = await call(url, isLogIn ? { name } : undefined);
        const location = response.headers.get("location");
        if (location === null) throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
        url = new URL(location, issuer).href;
      }
      return url;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on("request", (request, response) => (result.answer ?? serve)(request, response));
  return result;
}
