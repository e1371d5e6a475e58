import { Agent, request } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import { seedReferenceData } from "@svc/persistence/seed";
import { addApiToken, eventually, type ServiceProcess } from "@svc/testkit";
import { type DeliveryHarness, startDeliveryHarness } from "./delivery-harness.ts";

const connections = 50;
const restarts = 2;
const drain = { SVC_DRAIN_SECONDS: "3" };
const probeEveryMs = 200;
const pauseMs = 20;
const stopTimeoutMs = 30_000;

let harness: DeliveryHarness;
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Passes each new connection to a process whose readiness probe succeeds. An open connection stays where it is. */
async function startBalancer() {
  const isReady = new Map<ServiceProcess, boolean>();
  const sockets = new Set<Socket>();
  let opened = 0;
  const probing = setInterval(() => {
    for (const api of isReady.keys()) {
      fetch(`${api.url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
        ({ ok }) => isReady.has(api) && isReady.set(api, ok),
        () => isReady.has(api) && isReady.set(api, false),
      );
    }
  }, probeEveryMs);
  const server = createServer((client) => {
    const [api] = [...isReady].findLast(([, ready]) => ready) ?? [];
    if (api === undefined) return void client.destroy();
    opened += 1;
    const upstream = connect(Number(new URL(api.url).port), "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
    }
    client.pipe(upstream).pipe(client);
    client.once("close", () => upstream.destroy());
    upstream.once("close", () => client.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    clearInterval(probing);
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    opened: () => opened,
    add: (api: ServiceProcess) => void isReady.set(api, true),
    isReady: (api: ServiceProcess) => isReady.get(api),
    remove: (api: ServiceProcess) => void isReady.delete(api),
  };
}

test("restarting the API behind a balancer fails no request of 50 keep-alive connections", async () => {
  harness = await startDeliveryHarness(0);
  closing.push(() => harness.close());
  await seedReferenceData(harness.database);
  const balancer = await startBalancer();
  let api = await harness.startApi(drain);
  balancer.add(api);
  const token = await addApiToken(harness.fixture.pool, harness.fixture.accountId);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  closing.push(() => agent.destroy());

  const send = (method: string, path: string, body?: object): Promise<string> =>
    new Promise((resolve) => {
      const headers = { authorization: `Token ${token}`, "content-type": "application/json" };
      const sent = request({ agent, port: balancer.port, method, path: `/v2${path}`, headers }, (response) => {
        response.resume();
        response.once("error", (error) => resolve(String(error)));
        response.once("end", () => resolve(String(response.statusCode)));
      });
      sent.once("error", (error) => resolve(String(error)));
      sent.end(body && JSON.stringify(body));
    });
  const counts = new Map<string, number>();
  const confirmed: string[] = [];
  let isDone = false;
  const work = async (_: unknown, connection: number): Promise<void> => {
    for (let round = 0; !isDone; round += 1) {
      const isWrite = round % 3 === 0;
      const request_number = `SBXDIR${String(connection * 10_000 + round).padStart(6, "0")}`;
      const attributes = { request_type: "bill_of_lading", request_number, scac: "SBXL" };
      const outcome = isWrite
        ? `POST ${await send("POST", "/tracking_requests", { data: { type: "tracking_request", attributes } })}`
        : `GET ${await send("GET", "/shipments")}`;
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      if (outcome === "POST 201") confirmed.push(request_number);
      await sleep(pauseMs);
    }
  };
  const workers = Array.from({ length: connections }, work);
  for (let restart = 0; restart < restarts; restart += 1) {
    const servedBefore = counts.get("GET 200") ?? 0;
    await eventually("requests are served", () => (counts.get("GET 200") ?? 0) > servedBefore + 5 * connections);
    const next = await harness.startApi(drain);
    balancer.add(next);
    const exit = api.stop(stopTimeoutMs);
    await eventually("the balancer notices", () => balancer.isReady(api) === false);
    expect(await exit).toMatchObject({ code: 0 });
    balancer.remove(api);
    api = next;
  }
  const served = counts.get("GET 200") ?? 0;
  await eventually("requests are served", () => (counts.get("GET 200") ?? 0) > served + 5 * connections);
  isDone = true;
  await Promise.all(workers);

  expect([...counts.keys()].sort()).toEqual(["GET 200", "POST 201"]);
  // Connections were kept: each was opened once for each process, and few more.
  expect(balancer.opened()).toBeLessThan(2 * connections * (restarts + 1));
  const { rows } = await harness.database.pool.query<{ number: string }>(
    "SELECT request_number AS number FROM tracking_requests ORDER BY 1",
  );
  expect(rows.map(({ number }) => number)).toEqual(confirmed.sort());
}, 240_000);
