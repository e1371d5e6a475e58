import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { connectDatabase, type Database } from "@svc/persistence";
import { eventually, type ReplicatedPostgres, startReplicatedPostgres } from "@svc/testkit";
import { routes } from "../routes.ts";
import { insertSharedPlaces } from "../testing/full-account.ts";
import {
  addressOf,
  addressWithAll,
  createFilledAccount,
  type FilledAccount,
  reads,
} from "../testing/read-addresses.ts";
import { startTestApi, type TestApi } from "../testing/start-test-api.ts";

let servers: ReplicatedPostgres;
let api: TestApi;
/** Second process of the API, which reads from the same replica. */
let other: TestApi;
let account: FilledAccount;
let standby: Database;
const ran = { primary: 0, replica: 0 };

beforeAll(async () => {
  servers = await startReplicatedPostgres();
  const replica = {
    postgresUrl: servers.standby.url,
    onStatement: (server: "primary" | "replica") => {
      ran[server] += 1;
    },
  };
  api = await startTestApi({ postgresUrl: servers.primary.url, replica });
  other = await startTestApi({ databaseUrl: api.databaseUrl, replica });
  account = await createFilledAccount(api, await insertSharedPlaces(api), 3);
  standby = connectDatabase({
    url: `${servers.standby.url}/postgres`,
    applicationName: "replica-test",
    onIdleError: () => undefined,
  });
});
afterAll(async () => {
  await Promise.all([api.close(), other.close(), standby.close()]);
  await servers.stop();
});

const get = (path: string, headers = {}, from = api) => from.request(path, { token: account.token, headers });

/** The response to a request whose statements all ran on the replica. */
async function fromReplica(path: string, from = api) {
  return eventually(`${path} is read from the replica`, async () => {
    const before = { ...ran };
    const response = await get(path, {}, from);
    return ran.primary === before.primary && ran.replica > before.replica && response;
  });
}

async function pausingReplay<T>(work: () => Promise<T>): Promise<T> {
  await standby.pool.query("SELECT pg_wal_replay_pause()");
  try {
    await eventually("replay is paused", async () => {
      const { rows } = await standby.pool.query<{ state: string }>("SELECT pg_get_wal_replay_pause_state() AS state");
      return rows[0]?.state === "paused";
    });
    return await work();
  } finally {
    await standby.pool.query("SELECT pg_wal_replay_resume()");
  }
}

test("every operation that reads reads the same from the replica alone", async () => {
  const streamed = routes.filter(
    ({ method, streams }) => method === "get" && (streams === "rows" || streams === "changes"),
  );
  expect(streamed.length).toBeGreaterThan(2);
  const withoutStatements = new Set<string>();
  for (const route of [...reads, ...streamed]) {
    const { operationId } = route;
    for (const address of [addressOf(route, account), addressWithAll(route, account)]) {
      // Each sample has an id of its own.
      if (address === null || operationId === "listWebhookNotificationExamples") continue;
      const before = { ...ran };
      const first = await get(address);
      if (ran.primary + ran.replica === before.primary + before.replica) {
        withoutStatements.add(operationId);
        continue;
      }
      const { status, text } = await fromReplica(address);
      expect([address, status]).toEqual([address, 200]);
      expect([address, text]).toEqual([address, first.text]);
    }
  }
  // Constants, and the catalogue of shipping lines, which is read once a minute.
  expect([...withoutStatements]).toEqual(["listWebhookEvents", "listWebhookIps", "listShippingLines"]);
});

test("a write is read at once at every process, in lists, exports and under its entity tag, while replay is paused", async () => {
  const path = `/shipments/${account.ids.shipments}`;
  const former = await fromReplica(path);
  await fromReplica(path, other);
  await pausingReplay(async () => {
    const written = await api.request(path, {
      method: "PATCH",
      token: account.token,
      body: { data: { type: "shipment", attributes: { ref_numbers: ["PO-NEW"] } } },
    });
    expect(written.status).toBe(200);
    const tag = written.headers.get("etag")?.split("-")[0];
    for (const one of [other, api]) {
      const response = await get(path, { "If-None-Match": former.headers.get("etag") }, one);
      expect([response.status, response.body.data.attributes.ref_numbers]).toEqual([200, ["PO-NEW"]]);
      expect(response.headers.get("etag")?.split("-")[0]).toBe(tag);
      expect((await get("/shipments", {}, one)).text).toContain("PO-NEW");
      expect((await get("/exports/shipments", {}, one)).text).toContain("PO-NEW");
    }
  });
  const { text } = await fromReplica(path);
  expect(text).toContain("PO-NEW");
});

test("a walk by cursor continues in the same order from the replica to the primary", async () => {
  const pageAfter = (page: { readonly body: { readonly meta: { readonly page: { readonly end_cursor: string } } } }) =>
    `/shipments?page[size]=1&page[after]=${page.body.meta.page.end_cursor}`;
  const first = await fromReplica("/shipments?page[size]=1");
  const second = await fromReplica(pageAfter(first));
  const third = await fromReplica(pageAfter(second));
  await pausingReplay(async () => {
    await api.request(`/shipments/${second.body.data[0].id}`, {
      method: "PATCH",
      token: account.token,
      body: { data: { type: "shipment", attributes: { tags: ["walked"] } } },
    });
    const before = ran.primary;
    expect((await get(pageAfter(first))).body.data[0].attributes.tags).toEqual(["walked"]);
    expect((await get(pageAfter(second))).body.data).toEqual(third.body.data);
    expect(ran.primary).toBeGreaterThan(before);
  });
});
