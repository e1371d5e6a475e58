import path from "node:path";
import { expect, test } from "@jest/globals";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { uuidV7 } from "@svc/persistence";
import { eventually, machineEnvironment, startServiceProcess } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { type ApiProcess, startApiProcess } from "./harness/api-process.ts";
import { repository } from "./harness/system.ts";

const api = started(startApiProcess);
const mcp = started(() =>
  startServiceProcess(path.join(repository, "apps/mcp/src/main.ts"), {
    SVC_API_BASE_URL: api.baseUrl,
    LOG_LEVEL: "warn",
  }),
);
const own = started(() => api.addShipment(api.tenants[0], { number: "MAEU262175000", containers: ["MSKU0000006"] }));
const strangers = started(() => api.addShipment(api.tenants[1], { number: "MAEU999999999" }));

const transports = {
  http: () =>
    new StreamableHTTPClientTransport(new URL("/mcp", mcp.url), {
      requestInit: { headers: { Authorization: `Bearer ${api.tenants[0].token}` } },
    }),
  stdio: () =>
    new StdioClientTransport({
      command: process.execPath,
      args: [path.join(repository, "apps/mcp/src/stdio.ts")],
      env: { ...machineEnvironment(), SVC_API_BASE_URL: api.baseUrl, SVC_API_TOKEN: api.tenants[0].token },
      stderr: "ignore",
    }),
};

/** Moves the arrival as the tracking worker does after a report of the line. */
async function moveArrival(tenant: ApiProcess["tenants"][number], shipmentId: string): Promise<void> {
  const { accountId } = tenant;
  const changedAt = new Date();
  const subject = { accountId, subjectId: shipmentId, field: "podEtaAt" };
  const { count } = await api.database.prisma.fieldFact.updateMany({
    where: { ...subject, supersededAt: null },
    data: { supersededAt: changedAt },
  });
  const value = `2026-12-${count === 0 ? "05" : "06"}T00:00:00.000Z`;
  await api.database.prisma.fieldFact.create({
    data: {
      ...subject,
      id: uuidV7.next(),
      subjectType: "shipment",
      value,
      rule: "E12",
      dataSource: "shipping_line",
      validFrom: changedAt,
    },
  });
  const where = { accountId_id: { accountId, id: shipmentId } };
  await api.database.prisma.shipment.update({ where, data: { updatedAt: changedAt } });
}

test("a client of 2026-07-28 is notified when its shipment changes, over both transports, and of no other account", async () => {
  const numbers = { shipment: "svc://shipment/MAEU262175000", strangers: "svc://shipment/MAEU999999999" };
  const container = `svc://container/${own.containerIds[0]}`;
  const listening = (["http", "stdio"] as const).map(async (over) => {
    const client = new Client({ name: "e2e", version: "1" }, { versionNegotiation: { mode: "auto" } });
    const updated: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => void updated.push(params.uri));
    await client.connect(transports[over]());
    const requested = [numbers.shipment, container, "svc://arrivals", numbers.strangers];
    const { honoredFilter } = await client.listen({ resourceSubscriptions: requested });
    return { over, client, updated, honored: honoredFilter.resourceSubscriptions };
  });
  const clients = await Promise.all(listening);
  expect(clients.find(({ over }) => over === "http")?.honored).toEqual([numbers.shipment, container, "svc://arrivals"]);

  await moveArrival(api.tenants[1], strangers.id);
  let moves = 0;
  for (const { over, updated } of clients) {
    const changed = () => [...new Set(updated)].toSorted();
    await eventually(
      `the client over ${over} is notified`,
      async () => {
        // Again, because what the first round of stdio finds counts as known.
        await moveArrival(api.tenants[0], own.id);
        moves++;
        return eventually("it is notified of this change", () => changed().length >= 3, 3_000);
      },
      60_000,
    );
    expect([over, changed()]).toEqual([over, ["svc://arrivals", container, numbers.shipment]]);
  }
  for (const { updated } of clients) expect(updated.length).toBeLessThanOrEqual(3 * moves);
  await Promise.all(clients.map(({ client }) => client.close()));
}, 120_000);

test("a server that stops ends its subscriptions and is not held up by them", async () => {
  const server = await startServiceProcess(path.join(repository, "apps/mcp/src/main.ts"), {
    SVC_API_BASE_URL: api.baseUrl,
    SVC_DRAIN_SECONDS: "0",
    LOG_LEVEL: "warn",
  });
  const client = new Client({ name: "e2e", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const requestInit = { headers: { Authorization: `Bearer ${api.tenants[0].token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", server.url), { requestInit }));
  const subscription = await client.listen({ resourceSubscriptions: ["svc://arrivals"] });
  await server.stop();
  expect(await subscription.closed).toBe("graceful");
  await client.close();
}, 60_000);
