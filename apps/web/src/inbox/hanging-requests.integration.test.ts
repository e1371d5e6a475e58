import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import express from "express";
import { createHangingRequests } from "./hanging-requests.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A server that holds requests up to the limits and answers 503 to others. */
async function startHolder(options: { readonly stopping?: AbortSignal; readonly holdMaxMs?: number } = {}) {
  const hanging = createHangingRequests(options.stopping, options.holdMaxMs);
  const app = express().get("/:account", (request, response) => {
    if (!hanging.hold(response, request.params.account)) response.sendStatus(503);
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connections = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  /** The status, "none" once the connection ended without an answer. */
  const ask = (account: string, signal?: AbortSignal) =>
    fetch(`${url}/${account}`, { headers: { connection: "close" }, ...(signal && { signal }) }).then(
      ({ status }) => status,
      () => "none" as const,
    );
  return { ask, connections };
}

test("holds a few requests per account until their senders give up, then accepts others", async () => {
  const { ask, connections } = await startHolder();
  const givingUp = new AbortController();
  const first = Array.from({ length: 6 }, () => ask("one", givingUp.signal));
  await eventually("they are held", async () => (await connections()) === 6);
  expect(await ask("one")).toBe(503);
  const other = new AbortController();
  const otherRequest = ask("two", other.signal);
  await eventually("another account has room", async () => (await connections()) === 7);
  givingUp.abort();
  expect(await Promise.all(first)).toEqual(Array.from({ length: 6 }, () => "none"));
  await eventually("they are gone", async () => (await connections()) === 1);
  const again = ask("one", other.signal);
  await eventually("there is room again", async () => (await connections()) === 2);
  other.abort();
  expect(await Promise.all([otherRequest, again])).toEqual(["none", "none"]);
});

test("limits held requests of all accounts together", async () => {
  const { ask, connections } = await startHolder();
  const givingUp = new AbortController();
  const pending = Array.from({ length: 60 }, (_, index) => ask(`account-${index}`, givingUp.signal));
  await eventually("they are held", async () => (await connections()) === 60);
  expect(await ask("another")).toBe(503);
  givingUp.abort();
  await Promise.all(pending);
});

test("closes the connection of a sender that does not give up", async () => {
  const { ask } = await startHolder({ holdMaxMs: 50 });
  expect(await ask("one")).toBe("none");
});

test("closes all held requests on shutdown and accepts no more", async () => {
  const stopping = new AbortController();
  const { ask, connections } = await startHolder({ stopping: stopping.signal });
  const pending = ask("one");
  await eventually("it is held", async () => (await connections()) === 1);
  stopping.abort();
  expect(await pending).toBe("none");
  expect(await ask("one")).toBe(503);
});
