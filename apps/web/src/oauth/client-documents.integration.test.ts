import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { startTestWeb, type TestWeb } from "../testing/start-test-web.ts";

const redirectUri = "http://127.0.0.1:39999/callback";
let web: TestWeb;
/** Listens at every address of this machine and counts connections, whether or not anything is sent on them. */
let listener: Server;
let port = 0;
let connections = 0;

beforeAll(async () => {
  listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, "::", resolve));
  port = (listener.address() as { port: number }).port;
  web = await startTestWeb();
}, 60_000);
afterAll(async () => {
  await web?.close();
  listener.close();
});
beforeEach(() => {
  connections = 0;
});

/** The authorization request without a signed-in user. */
function authorize(clientId: string): Promise<Response> {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  });
  return web.request(`/oauth/authorize?${query}`);
}

const register = (metadata: Record<string, unknown>): Promise<Response> =>
  fetch(`${web.url}/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ redirect_uris: [redirectUri], ...metadata }),
  });

describe("no connection is made to an internal address that an application names", () => {
  test.each(["127.0.0.1", "[::1]", "localhost", "[::ffff:127.0.0.1]", "metadata.localhost", "2130706433"])(
    "https://%s as the address of its metadata document",
    async (host) => {
      const response = await authorize(`https://${host}:${port}/client.json`);
      expect(response.status).toBe(400);
      expect(await response.text()).toMatch(/metadata document fetch failed|invalid|not valid/);
      expect(connections).toBe(0);
    },
  );

  test.each(["127.0.0.1", "[::1]", "localhost"])("https://%s as sector_identifier_uri or jwks_uri", async (host) => {
    const address = `https://${host}:${port}/list.json`;
    expect((await register({ sector_identifier_uri: address, subject_type: "pairwise" })).status).toBe(400);
    await register({ sector_identifier_uri: address });
    await register({ jwks_uri: address });
    expect(connections).toBe(0);
  });
});

test("limits registrations of a network, whatever the spelling of the path", async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 70 && statuses.at(-1) !== 429; count += 1) statuses.push((await register({})).status);
  expect(statuses.at(-1)).toBe(429);
  for (const path of ["/oauth/register/", "/OAuth/Register"]) {
    const response = await fetch(`${web.url}${path}`, { method: "POST" });
    expect([path, response.status, response.headers.has("retry-after")]).toEqual([path, 429, true]);
  }
});
