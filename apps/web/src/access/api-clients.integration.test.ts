import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@jest/globals";
import express from "express";
import { createApiClients } from "./api-clients.ts";
import { createSessionCookie } from "./session-cookie.ts";

test("calls the API with the token or session of the request and ignores credentials of a reverse proxy", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const apiOf = createApiClients({ internalApiBaseUrl: `${url}/v2`, cookie: createSessionCookie(url) });
  server.on(
    "request",
    express()
      .get("/v2/shipments/:id", (request, response) => void response.json({ data: request.get("authorization") }))
      .get("/", async (request, response) => {
        const result = await apiOf(request)?.shipments.get("a");
        response.json(result?.data ?? null);
      }),
  );
  const session = "s".repeat(43);
  const get = async (headers: Readonly<Record<string, string>>) => (await fetch(url, { headers })).json();
  const cookie = `svc_session=${session}`;
  try {
    expect(await get({})).toBeNull();
    expect(await get({ authorization: "Basic a2l0ZTpsYW1w" })).toBeNull();
    expect(await get({ authorization: "Basic a2l0ZTpsYW1w", cookie })).toBe(`Token ${session}`);
    expect(await get({ authorization: "Bearer svc_live_1", cookie })).toBe("Token svc_live_1");
    expect(await get({ authorization: "token  svc_live_1" })).toBe("Token svc_live_1");
    expect(await get({ authorization: "Token" })).toBeNull();
  } finally {
    await new Promise((resolve) => server.close(resolve).closeAllConnections());
  }
});
