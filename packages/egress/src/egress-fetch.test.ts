import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { type NameServer, startNameServer } from "@svc/testkit";
import { createEgressFetch, type EgressFetch } from "./egress-fetch.ts";
import { createResolver } from "./resolve-host.ts";

/** Listens at every address of this machine. */
let connections = 0;
let paths: string[] = [];
const listener = createServer((request, response) => {
  paths.push(request.url ?? "");
  if (request.url === "/endless") return void response.write("{");
  if (request.url === "/moved") return void response.writeHead(302, { Location: "/document" }).end();
  response.end("{}");
});
listener.on("connection", () => {
  connections += 1;
});
let port = 0;
let names: NameServer;
const opened: EgressFetch[] = [];

function documentsFor(policy: { readonly allowInsecureTargets: boolean }): EgressFetch {
  const documents = createEgressFetch({ ...policy, resolve: createResolver([names.address]) });
  opened.push(documents);
  return documents;
}

beforeAll(async () => {
  await new Promise<void>((resolve) => listener.listen(0, "::", resolve));
  port = (listener.address() as AddressInfo).port;
  names = await startNameServer(() => ["127.0.0.1"]);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((documents) => documents.destroy()));
  connections = 0;
  paths = [];
});
afterAll(async () => {
  await names.close();
  listener.closeAllConnections();
  listener.close();
});

describe("documents at addresses that the policy does not allow", () => {
  test.each(["https://127.0.0.1", "https://[::1]", "https://localhost", "https://internal.example"])(
    "%s gets no connection",
    async (origin) => {
      await expect(documentsFor({ allowInsecureTargets: false }).get(`${origin}:${port}/document`)).rejects.toThrow();
      expect(connections).toBe(0);
    },
  );

  test.each(["http://example.com/", "file:///etc/passwd", "data:application/json,{}"])("%s is refused", async (url) => {
    const refusal = { name: "EgressError", fault: "invalid_target" };
    await expect(documentsFor({ allowInsecureTargets: false }).get(url)).rejects.toMatchObject(refusal);
  });
});

describe("documents at allowed addresses", () => {
  test("are read", async () => {
    const response = await documentsFor({ allowInsecureTargets: true }).get(`http://internal.example:${port}/document`);
    expect([response.status, await response.json()]).toEqual([200, {}]);
  });

  test("are not looked for elsewhere after a redirect", async () => {
    const documents = documentsFor({ allowInsecureTargets: true });
    const response = await documents.get(`http://127.0.0.1:${port}/moved`);
    expect([response.status, paths]).toEqual([302, ["/moved"]]);
  });

  test("are given up when the caller's time is over", async () => {
    const signal = AbortSignal.timeout(200);
    const response = await documentsFor({ allowInsecureTargets: true }).get(`http://127.0.0.1:${port}/endless`, {
      signal,
    });
    await expect(response.text()).rejects.toThrow(/timeout/);
  });
});
