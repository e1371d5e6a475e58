import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import { load } from "./load.ts";
import { steadyLoad } from "./steady-load.ts";

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
  test("measures the rate of successful responses", async () => {
    const url = await serve((_request, response) => void setTimeout(() => response.writeHead(204).end(), 20));
    const { requests, requestsPerSecond, p50Ms, p99Ms } = await loadOn(url);
    expect(requests).toBeGreaterThan(0);
    expect(requestsPerSecond).toBeGreaterThan(0);
    expect(p50Ms).toBeGreaterThanOrEqual(19);
    expect(p99Ms).toBeGreaterThanOrEqual(p50Ms);
  });

  test("rejects a round with a failed response", async () => {
    let responseCount = 0;
    const url = await serve((_request, response) => void response.writeHead(++responseCount === 3 ? 500 : 200).end());
    await expect(loadOn(url)).rejects.toThrow(/1 had a bad answer/);
  });

  test("accepts a redirect only where it counts as a success", async () => {
    const url = await serve((_request, response) => void response.writeHead(302, { Location: "/x" }).end());
    await expect(loadOn(url)).rejects.toThrow(/had a bad answer/);
    expect((await loadOn(url, { redirects: true })).requests).toBeGreaterThan(0);
  });

  test("rejects a round without responses and without a server", async () => {
    const silent = await serve(() => undefined);
    await expect(loadOn(silent)).rejects.toThrow(/No GET requests .* was answered/);
    await expect(loadOn("http://127.0.0.1:1")).rejects.toThrow(/had none/);
  });
});

describe("a steady load", () => {
  test("times each request from its due time, so that a pause counts for all waiting requests", async () => {
    let free = Promise.resolve();
    const url = await serve((_request, response) => {
      free = free.then(() => new Promise((resolve) => setTimeout(resolve, 100)));
      void free.then(() => response.writeHead(204).end());
    });
    const { p50Ms, p99Ms } = await steadyLoad({
      url,
      connections: 2,
      seconds: 1,
      perSecond: 20,
      nextRequest: () => ({ path: "/" }),
    });
    // One is answered in 100 ms and one is due every 50 ms: the last waits for twice as long as all of them were sent.
    expect(p50Ms).toBeGreaterThan(500);
    expect(p99Ms).toBeGreaterThan(p50Ms);
  });

  test("rejects a failed response and a missing server", async () => {
    const steady = (url: string) =>
      steadyLoad({ url, connections: 2, seconds: 1, perSecond: 20, nextRequest: () => ({ path: "/" }) });
    let responseCount = 0;
    const url = await serve((_request, response) => void response.writeHead(++responseCount === 30 ? 500 : 200).end());
    await expect(steady(url)).rejects.toThrow(/1 had a bad answer/);
    await expect(steady("http://127.0.0.1:1")).rejects.toThrow(/had none/);
  });
});
