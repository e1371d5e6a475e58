import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { createEgressAgent, type EgressAgent } from "./egress-agent.ts";
import { postOnce } from "./post-once.ts";

const local = { allowInsecureTargets: true };
const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Keeps connections open for longer than the sender does; never responds to /silent. */
async function receiver() {
  const open = new Set<Socket>();
  const silent: ServerResponse[] = [];
  let connectionCount = 0;
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === "/silent") silent.push(response);
    else response.end();
  });
  server.keepAliveTimeout = 60_000;
  server.on("connection", (socket) => {
    connectionCount += 1;
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, open, silent, made: () => connectionCount };
}

function createAgent(keptMax: number): EgressAgent {
  const agent = createEgressAgent({ ...local, keptMax });
  closers.push(() => agent.destroy());
  return agent;
}

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
};

test("closes the connections of the origins that were idle for the longest time", async () => {
  const agent = createAgent(3);
  const receivers = await Promise.all(Array.from({ length: 8 }, receiver));
  const post = (url: string) => postOnce(agent, local, { url, headers: {}, body: "{}" });
  for (const { url } of receivers) expect((await post(url)).status).toBe(200);
  await until(() => receivers.filter(({ open }) => open.size > 0).length === 3);
  expect(receivers.map(({ open }) => open.size)).toEqual([0, 0, 0, 0, 0, 1, 1, 1]);
  for (const { url } of receivers.slice(5)) expect((await post(url)).status).toBe(200);
  expect(receivers.map(({ made }) => made())).toEqual(receivers.map(() => 1));
  expect((await post(receivers[0]?.url ?? "")).status).toBe(200);
  expect(receivers[0]?.made()).toBe(2);
});

test("keeps a connection with an exchange in flight, however many others are opened", async () => {
  const agent = createAgent(2);
  const [slow, ...others] = await Promise.all(Array.from({ length: 6 }, receiver));
  const post = (url = "") => postOnce(agent, local, { url, headers: {}, body: "{}" });
  const waiting = post(`${slow?.url}/silent`);
  await until(() => slow?.silent.length === 1);
  for (let round = 0; round < 3; round += 1) {
    for (const { url } of others) expect(await post(url)).toMatchObject({ status: 200, error: null });
  }
  slow?.silent[0]?.end("at last");
  expect(await waiting).toMatchObject({ status: 200, error: null, body: "at last" });
});

test("exchanges without a response do not delay others with the same origin", async () => {
  const agent = createAgent(2);
  const shared = await receiver();
  const silent = Array.from({ length: 80 }, () =>
    postOnce(agent, local, { url: `${shared.url}/silent`, headers: {}, body: "{}" }),
  );
  await until(() => shared.silent.length === 80);
  expect(await postOnce(agent, local, { url: `${shared.url}/prompt`, headers: {}, body: "{}" })).toMatchObject({
    status: 200,
    error: null,
  });
  for (const response of shared.silent) response.end();
  expect((await Promise.all(silent)).filter(({ status }) => status !== 200)).toEqual([]);
});
