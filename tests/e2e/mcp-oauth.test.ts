import fs from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import {
  Client,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { UnauthorizedError as FirstUnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { eventually } from "@svc/testkit";
import { createAuthority, type TestAuthority } from "../faults/certificates.ts";
import { CookieBrowser } from "./harness/cookie-browser.ts";
import { callback, OAuthApplication } from "./harness/oauth-application.ts";
import { type System, startSystem, temporaryFolder } from "./harness/system.ts";

let system: System;
let dataDir: string;
let authority: TestAuthority;
/** The site of an application's publisher, at an address that the operator allows. */
let publisher: Server;
let documentUrl: string;
/** Returns the response of the publisher. */
let publish: (url: string) => { readonly status: number; readonly body: string; readonly location?: string };

beforeAll(async () => {
  dataDir = temporaryFolder();
  authority = createAuthority();
  publisher = createServer(authority.certify("IP:127.0.0.1"), (request, response) => {
    const { status, body, location } = publish(request.url ?? "");
    response.writeHead(status, { "Content-Type": "application/json", ...(location && { Location: location }) });
    response.end(body);
  });
  await new Promise<void>((resolve) => publisher.listen(0, "127.0.0.1", resolve));
  documentUrl = `https://127.0.0.1:${(publisher.address() as AddressInfo).port}/client.json`;
  const environment = { SVC_EGRESS_ALLOW: "127.0.0.1", NODE_EXTRA_CA_CERTS: authority.file };
  system = await startSystem({ dataDir, environment });
}, 180_000);
afterAll(async () => {
  await system?.stop();
  publisher?.closeAllConnections();
  publisher?.close();
  authority?.remove();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

const transportOf = (application: OAuthApplication, endpoint = "/mcp") =>
  new StreamableHTTPClientTransport(new URL(endpoint, system.runtime().mcp), { authProvider: application });

async function logIn(browser: CookieBrowser): Promise<void> {
  const { app, login } = system.runtime();
  await browser.open(`${app}/login`, { ...login, next: "/developers" });
}

/** Signs in where it is asked to, and answers the question of the application's access. */
async function decideConsent(browser: CookieBrowser, consentUrl: URL, answer: Record<string, string>): Promise<URL> {
  const { login } = system.runtime();
  let page = await browser.open(consentUrl.href);
  if (new URL(page.url).pathname === "/login") {
    const next = new URL(page.url).searchParams.get("next") ?? "";
    page = await browser.open(page.url, { ...login, next });
  }
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining("Connect Test assistant?") });
  return new URL((await browser.open(page.url, answer)).url);
}

/** An application of the era of the protocol that the client and the server agree on. */
const newClient = () => new Client({ name: "e2e", version: "1" }, { versionNegotiation: { mode: "auto" } });

async function connectNew(access: "read" | "write"): Promise<{ application: OAuthApplication; client: Client }> {
  const application = new OAuthApplication();
  const refused = transportOf(application);
  await expect(newClient().connect(refused)).rejects.toThrow(UnauthorizedError);
  const answer = await decideConsent(new CookieBrowser(callback), application.asked as URL, {
    decision: "allow",
    access,
  });
  await refused.finishAuth(answer.searchParams);
  const client = newClient();
  await client.connect(transportOf(application));
  return { application, client };
}

const token = (body: Record<string, string>) =>
  fetch(`${system.runtime().app}/oauth/token`, { method: "POST", body: new URLSearchParams(body) });

describe("an application connects by OAuth with nothing but the address of the MCP server", () => {
  test("the user signs in, allows it, and the official client calls a tool", async () => {
    const { client, application } = await connectNew("write");
    const result = await client.callTool({ name: "list_shipments", arguments: {} });
    expect(result.isError).not.toBe(true);
    expect(application.given).toMatchObject({ scope: "read write", expires_in: 3600 });
    const tracked = await client.callTool({
      name: "track_container",
      arguments: { number: "SBXU0000016", shipping_line: "SBXL" },
    });
    expect(JSON.stringify(tracked.structuredContent ?? tracked.content)).not.toContain("forbidden");
    await client.close();
  });

  test("connects the official client of the first generation, which refreshes a token that is no longer accepted", async () => {
    const application = new OAuthApplication();
    const firstTransport = () =>
      new FirstTransport(new URL(`${system.runtime().mcp}/mcp`), { authProvider: application });
    const client = new FirstClient({ name: "e2e", version: "1" });
    const connect = (transport: FirstTransport) => client.connect(transport);
    const refused = firstTransport();
    await expect(connect(refused)).rejects.toThrow(FirstUnauthorizedError);
    const decision = { decision: "allow", access: "read" };
    const answer = await decideConsent(new CookieBrowser(callback), application.asked as URL, decision);
    await refused.finishAuth(answer.searchParams.get("code") ?? "");
    const { access_token, refresh_token } = application.given as OAuthTokens;
    application.saveTokens({ ...(application.given as OAuthTokens), access_token: "expired" });
    await connect(firstTransport());
    expect((await client.callTool({ name: "list_shipments", arguments: {} })).isError).not.toBe(true);
    expect(application.given?.access_token).not.toBe(access_token);
    expect(application.given?.refresh_token).not.toBe(refresh_token);
    await client.close();
  });

  test("an application that names its metadata document is not registered, and refused when that cannot be read", async () => {
    const application = new OAuthApplication();
    // The address is not public, and not among those that the operator allows.
    application.clientMetadataUrl = "https://127.0.0.2:9/client.json";
    await expect(newClient().connect(transportOf(application))).rejects.toThrow(UnauthorizedError);
    expect(application.asked?.searchParams.get("client_id")).toBe(application.clientMetadataUrl);
    const page = await new CookieBrowser(callback).open(String(application.asked));
    expect(page).toMatchObject({ status: 400, text: expect.stringContaining("metadata document fetch failed") });
  });

  const documentOf = (change: Record<string, unknown> = {}) => ({
    client_id: documentUrl,
    client_name: "Test assistant",
    redirect_uris: [callback],
    token_endpoint_auth_method: "none",
    ...change,
  });

  test("an application that is described at an address that the operator allows calls a tool, unregistered", async () => {
    publish = () => ({ status: 200, body: JSON.stringify(documentOf({ logo_uri: "https://127.0.0.1:9/logo.png" })) });
    const application = new OAuthApplication();
    application.clientMetadataUrl = documentUrl;
    const refused = transportOf(application);
    await expect(newClient().connect(refused)).rejects.toThrow(UnauthorizedError);
    expect(application.asked?.searchParams.get("client_id")).toBe(documentUrl);
    const browser = new CookieBrowser(callback);
    await logIn(browser);
    const page = await browser.open(String(application.asked));
    expect(page.text).toContain("The application is published by <strong>127.0.0.1</strong>");
    expect(page.text).not.toContain("logo.png");
    const answer = await decideConsent(browser, new URL(page.url), { decision: "allow", access: "read" });
    await refused.finishAuth(answer.searchParams);
    const client = newClient();
    await client.connect(transportOf(application));
    expect((await client.callTool({ name: "list_containers", arguments: {} })).isError).not.toBe(true);
    await client.close();
  });

  test.each([
    ["is moved", "fetch failed", () => ({ status: 302, body: "", location: documentUrl })],
    [
      "is too large",
      "fetch failed",
      () => ({ status: 200, body: JSON.stringify(documentOf({ client_uri: "x".repeat(5 * 1024) })) }),
    ],
    ["is of another application", "does not match", () => ({ status: 200, body: JSON.stringify(documentOf()) })],
  ])("a document that %s is refused", async (fault, expectedText, answer) => {
    publish = answer;
    const application = new OAuthApplication();
    application.clientMetadataUrl = documentUrl.replace("client.json", `${encodeURIComponent(fault)}.json`);
    await expect(newClient().connect(transportOf(application))).rejects.toThrow(UnauthorizedError);
    const page = await new CookieBrowser(callback).open(String(application.asked));
    expect(page).toMatchObject({ status: 400, text: expect.stringContaining(expectedText) });
  });

  test("reads with read access, and is refused to track", async () => {
    const { client, application } = await connectNew("read");
    expect(application.given?.scope).toBe("read");
    expect((await client.callTool({ name: "list_containers", arguments: {} })).isError).not.toBe(true);
    const refused = await client.callTool({
      name: "track_container",
      arguments: { number: "SBXU0000016", shipping_line: "SBXL" },
    });
    expect(refused.isError).toBe(true);
    await client.close();
  });

  test("a refresh token works once; a second use ends the access", async () => {
    const { client, application } = await connectNew("read");
    const clientId = application.information?.client_id ?? "";
    const first = application.given?.refresh_token ?? "";
    const refresh = (refresh_token: string) =>
      token({ grant_type: "refresh_token", refresh_token, client_id: clientId });
    const renewed = (await (await refresh(first)).json()) as OAuthTokens;
    expect(renewed.access_token).not.toBe(application.given?.access_token);
    expect(await (await refresh(first)).json()).toMatchObject({ error: "invalid_grant" });
    expect(await (await refresh(renewed.refresh_token ?? "")).json()).toMatchObject({ error: "invalid_grant" });
    await eventually("it is refused", async () => (await callMcp(renewed.access_token)).status === 401, 10_000);
    await client.close();
  });

  test("a user who refuses sends the application away without a code", async () => {
    const application = new OAuthApplication();
    await expect(newClient().connect(transportOf(application))).rejects.toThrow(UnauthorizedError);
    const answer = await decideConsent(new CookieBrowser(callback), application.asked as URL, { decision: "deny" });
    expect(Object.fromEntries(answer.searchParams)).toMatchObject({ error: "access_denied" });
    expect(answer.searchParams.has("code")).toBe(false);
  });

  test("a code needs its verifier, and the request must name it", async () => {
    const application = new OAuthApplication();
    const transport = transportOf(application);
    await expect(newClient().connect(transport)).rejects.toThrow(UnauthorizedError);
    const consentUrl = application.asked as URL;
    const answer = await decideConsent(new CookieBrowser(callback), consentUrl, { decision: "allow", access: "read" });
    const exchange = await token({
      grant_type: "authorization_code",
      code: answer.searchParams.get("code") ?? "",
      redirect_uri: callback,
      client_id: application.information?.client_id ?? "",
      code_verifier: "x".repeat(43),
    });
    expect(await exchange.json()).toMatchObject({ error: "invalid_grant" });

    consentUrl.searchParams.delete("code_challenge");
    const { url } = await new CookieBrowser(callback).open(consentUrl.href);
    expect(new URL(url).searchParams.get("error")).toBe("invalid_request");
  });

  test("a token for another resource is refused", async () => {
    const application = new OAuthApplication();
    await expect(newClient().connect(transportOf(application))).rejects.toThrow(UnauthorizedError);
    const consentUrl = application.asked as URL;
    consentUrl.searchParams.set("resource", "https://elsewhere.example/mcp");
    const { url } = await new CookieBrowser(callback).open(consentUrl.href);
    expect(new URL(url).searchParams.get("error")).toBe("invalid_target");
  });

  test("the dashboard lists the application, and disconnecting it ends its tokens at once", async () => {
    const { client, application } = await connectNew("write");
    const accessToken = application.given?.access_token ?? "";
    expect((await callMcp(accessToken)).status).toBe(200);
    const browser = new CookieBrowser(callback);
    await logIn(browser);
    const { app } = system.runtime();
    const page = await browser.open(`${app}/developers/mcp`);
    const paths = [...page.text.matchAll(/action="(\/developers\/mcp\/applications\/[^"]+)"/g)].map(([, path]) => path);
    expect(page.text).toContain("Test assistant");
    for (const path of paths) await browser.open(`${app}${path}`, {});
    expect((await browser.open(`${app}/developers/mcp`)).text).not.toContain("Disconnect");
    // The API caches for a second that a token is valid.
    await eventually("the token is refused", async () => (await callMcp(accessToken)).status === 401, 10_000);
    await client.close();
  });

  test("an application revokes its own token", async () => {
    const { client, application } = await connectNew("read");
    const { app } = system.runtime();
    const body = new URLSearchParams({
      token: application.given?.refresh_token ?? "",
      client_id: application.information?.client_id ?? "",
    });
    expect((await fetch(`${app}/oauth/revoke`, { method: "POST", body })).status).toBe(200);
    const refreshed = await token({
      grant_type: "refresh_token",
      refresh_token: application.given?.refresh_token ?? "",
      client_id: application.information?.client_id ?? "",
    });
    expect(await refreshed.json()).toMatchObject({ error: "invalid_grant" });
    await client.close();
  });

  test("gives no more access to an application that is connected to the read-only address", async () => {
    const application = new OAuthApplication();
    const refused = transportOf(application, "/mcp/readonly");
    await expect(newClient().connect(refused)).rejects.toThrow(UnauthorizedError);
    expect(application.asked?.searchParams.get("scope")).toBe("read");
    const answer = await decideConsent(new CookieBrowser(callback), application.asked as URL, { decision: "allow" });
    await refused.finishAuth(answer.searchParams);
    expect(application.given?.scope).toBe("read");
    const client = newClient();
    await client.connect(transportOf(application, "/mcp/readonly"));
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain("list_shipments");
    expect(names).not.toContain("track_container");
    await client.close();
  });

  test("the metadata of every endpoint names the address that the client was configured with", async () => {
    const { mcp, app } = system.runtime();
    for (const [endpoint, metadata] of [
      ["/mcp", "/.well-known/oauth-protected-resource/mcp"],
      ["/api/mcp", "/.well-known/oauth-protected-resource/api/mcp"],
      ["/mcp/readonly", "/.well-known/oauth-protected-resource/mcp/readonly"],
      ["/", "/.well-known/oauth-protected-resource"],
    ]) {
      const refused = await fetch(`${mcp}${endpoint}`, { method: "POST" });
      expect(refused.headers.get("www-authenticate")).toContain(`resource_metadata="${mcp}${metadata}"`);
      expect(await (await fetch(`${mcp}${metadata}`)).json()).toMatchObject({
        resource: `${mcp}${endpoint}`,
        authorization_servers: [app],
      });
    }
    const server = await (await fetch(`${app}/.well-known/oauth-authorization-server`)).json();
    expect(server).toMatchObject({
      issuer: app,
      authorization_endpoint: `${app}/oauth/authorize`,
      token_endpoint: `${app}/oauth/token`,
      registration_endpoint: `${app}/oauth/register`,
      revocation_endpoint: `${app}/oauth/revoke`,
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      client_id_metadata_document_supported: true,
    });
  });
});

const callMcp = (accessToken: string) =>
  fetch(`${system.runtime().mcp}/mcp`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${accessToken}`,
      Accept: "application/json, text/event-stream",
      "Content-Type": "application/json",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "list_shipments", arguments: {} },
    }),
  });
