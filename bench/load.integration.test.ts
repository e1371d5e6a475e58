import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import { load } from "./load.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const loadOn = (url: string, more: object = {}) =>
  load({ url, connections: 2, seconds: 1, nextRequest: () => ({ path: "/" }), ...more });

describe("a round of load", () => {
  test("tells how fast good answers were", async () => {
    const url = await serve((_request, response) => void response.writeHead(204).end());
    const { requests, requestsPerSecond, p99Ms } = await loadOn(url);
    expect(requests).toBeGreaterThan(0);
    expect(requestsPerSecond).toBeGreaterThan(0);
    expect(p99Ms).toBeGreaterThanOrEqual(0);
  });

  test("is none when one answer was bad", async () => {
    let answered = 0;
    const url = await serve((_request, response) => void response.writeHead(++answered === 3 ? 500 : 200).end());
    await expect(loadOn(url)).rejects.toThrow(/1 had a bad answer/);
  });

  test("takes a redirect only where it is a good answer", async () => {
    const url = await serve((_request, response) => void response.writeHead(302, { Location: "/x" }).end());
    await expect(loadOn(url)).rejects.toThrow(/had a bad answer/);
    expect((await loadOn(url, { redirects: true })).requests).toBeGreaterThan(0);
  });

  test("is none when nothing is answered, or nobody is there", async () => {
    const silent = await serve(() => undefined);
    await expect(loadOn(silent)).rejects.toThrow(/No GET requests .* was answered/);
    await expect(loadOn("http://127.0.0.1:1")).rejects.toThrow(/had none/);
  });
});
