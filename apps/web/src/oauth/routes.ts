import { TrackingError } from "@svc/jsonapi";
import { createMemberRepository } from "@svc/persistence/members";
import { createOAuthRecordRepository } from "@svc/persistence/oauth";
import { type TokenScope, tokenScopes } from "@svc/persistence/tokens";
import { MemoryWindow, networkOf } from "@svc/service-kit";
import type { Request, Response } from "express";
import type Provider from "oidc-provider";
import type { Interaction } from "oidc-provider";
import type { SignedInCaller } from "../access/api-clients.ts";
import { all, get, post, type Route } from "../http/define-route.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { allowFormTarget, sendPage } from "../http/send-page.ts";
import type { Services } from "../services.ts";
import { consentPage } from "./consent-page.ts";
import { createOAuthAdapter } from "./oauth-adapter.ts";
import { createOAuthProvider } from "./oauth-provider.ts";
import { subjectId } from "./subject.ts";

type OAuthServices = Pick<Services, "database" | "appUrl" | "mcpUrl" | "callers" | "documents">;

/** Paths of the protocol, whose methods the authorization server checks. */
const protocolPaths = [
  "/.well-known/oauth-authorization-server",
  "/.well-known/openid-configuration",
  "/oauth/authorize",
  "/oauth/authorize/:uid",
  "/oauth/token",
  "/oauth/register",
  "/oauth/register/:clientId",
  "/oauth/revoke",
  "/oauth/jwks",
];

const hourMs = 3_600_000;

/** Limits of one network by path. Each authorization request stores a record, also before a user has signed in. */
const limits: Readonly<Record<string, { readonly limit: number; readonly windowMs: number }>> = {
  "/oauth/authorize": { limit: 120, windowMs: 60_000 },
  // A hosted application refreshes the tokens of many users from one network.
  "/oauth/token": { limit: 1_200, windowMs: 60_000 },
  "/oauth/register": { limit: 60, windowMs: hourMs },
};
const documentLimit = { limit: 60, windowMs: hourMs };

/** The authorization server and its pages. The user signs in as for every page and consents once per application. */
export function oauthRoutes(services: OAuthServices): readonly Route[] {
  const { database, appUrl, mcpUrl, callers, documents } = services;
  const members = createMemberRepository(database.sql);
  const documentReads = new MemoryWindow(documentLimit);
  const provider = createOAuthProvider({
    appUrl,
    mcpUrl,
    callers,
    documents,
    adapter: createOAuthAdapter(createOAuthRecordRepository(database)),
    isMember: async ({ accountId, userId }) =>
      (await members.listAccounts(userId)).some((account) => account.accountId === accountId),
    mayReadDocument: (request) => documentReads.take(networkOf(request.ip ?? "")).accepted,
  });

  const showConsent: PageHandler = async (request, response, caller) => {
    const interaction = await readInteraction(provider, request, response);
    if (interaction.prompt.name === "login") return signIn(provider, request, response, caller);
    const { client, scopes, redirectUri } = await readRequest(provider, interaction);
    allowFormTarget(response, redirectUri);
    const { clientId, clientName } = client;
    sendPage(response, 200, consentPage({ caller, uid: interaction.uid, clientId, clientName, scopes, redirectUri }));
  };

  const decide: FormHandler = async (request, response, caller, form) => {
    const interaction = await readInteraction(provider, request, response);
    const subject = subjectId({ accountId: caller.accountId, userId: caller.user.userId });
    // Another user signed in while the page was open.
    if (interaction.session?.accountId !== subject) return signIn(provider, request, response, caller);
    if (form.text("decision") !== "allow") {
      const refused = { error: "access_denied", error_description: "The user refused access." };
      return provider.interactionFinished(request, response, refused, { mergeWithLastSubmission: false });
    }
    const { scopes, resources } = await readRequest(provider, interaction);
    const granted = scopes.filter((scope) => scope === "read" || form.text("access") === "write");
    const grant = new provider.Grant({ accountId: subject, clientId: toText(interaction.params.client_id) });
    for (const resource of resources) {
      grant.addResourceScope(resource, granted.join(" "));
      const refused = tokenScopes.filter((scope) => !granted.includes(scope));
      if (refused.length > 0) grant.rejectResourceScope(resource, refused.join(" "));
    }
    grant.rejectOIDCScope(toText(interaction.params.scope));
    const consent = { grantId: await grant.save() };
    await provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
  };

  const handleProviderRequest = provider.callback();
  const { host, protocol: scheme } = new URL(appUrl);
  /** The provider handles every method of its paths itself. */
  const protocol =
    (path: string) =>
    (request: Request, response: Response): Promise<void> => {
      request.headers.host = host;
      request.headers["x-forwarded-host"] = host;
      request.headers["x-forwarded-proto"] = scheme.slice(0, -1);
      if (path === "/oauth/authorize") addScope(request, appUrl);
      return handleProviderRequest(request, response);
    };

  return [
    get("/oauth/interaction/:uid", "connect_applications", showConsent),
    post("/oauth/interaction/:uid", "connect_applications", decide),
    ...protocolPaths.map((path) => all(path, "anyone", limited(path, protocol(path)))),
  ];
}

/** Counts by the route, because the path of a request may have another case, or a slash at its end. */
function limited(path: string, handle: (request: Request, response: Response) => Promise<void>) {
  const limit = limits[path];
  const requests = limit && new MemoryWindow(limit);
  return async (request: Request, response: Response): Promise<void> => {
    const taken = requests?.take(networkOf(request.ip ?? ""));
    if (taken === undefined || taken.accepted) return handle(request, response);
    const seconds = Math.ceil(taken.resetMs / 1_000);
    response.status(429).set({ "Cache-Control": "no-store", "Retry-After": String(seconds) });
    const error_description = `Too many requests from this network. Try again in ${seconds} seconds.`;
    response.json({ error: "temporarily_unavailable", error_description });
  };
}

/** A client that requests no scope is offered all scopes that the user may grant. */
function addScope(request: Request, appUrl: string): void {
  const url = new URL(request.url, appUrl);
  if (url.searchParams.has("scope")) return;
  url.searchParams.set("scope", tokenScopes.join(" "));
  request.url = `${url.pathname}${url.search}`;
}

/** The authorization server validated these parameters before it stored the interaction. */
const toText = (parameter: unknown): string => (typeof parameter === "string" ? parameter : "");

async function readInteraction(provider: Provider, request: Request, response: Response): Promise<Interaction> {
  const interaction = await provider.interactionDetails(request, response).catch(() => null);
  if (interaction?.uid !== request.params.uid || !interaction) {
    throw TrackingError.of("not_found", "This authorization request has expired. Start again from the application.");
  }
  return interaction;
}

const signIn = (
  provider: Provider,
  request: Request,
  response: Response,
  { accountId, user }: SignedInCaller,
): Promise<void> =>
  provider.interactionFinished(
    request,
    response,
    { login: { accountId: subjectId({ accountId, userId: user.userId }) } },
    { mergeWithLastSubmission: false },
  );

async function readRequest(provider: Provider, { params }: Interaction) {
  const client = await provider.Client.find(toText(params.client_id));
  if (!client) throw TrackingError.of("not_found", "The application is no longer registered. Start again from it.");
  const requestedScopes = new Set(toText(params.scope).split(" "));
  const scopes: TokenScope[] = tokenScopes.filter((scope) => requestedScopes.has(scope));
  return {
    client,
    scopes,
    resources: [params.resource].flat().map(toText),
    redirectUri: toText(params.redirect_uri),
  };
}
