import { beforeEach, describe, expect, test } from "@jest/globals";
import { started, startedEach } from "@svc/testkit/started";
import { insertContainer, insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(() => startTestApi({ limits: { default: 10_000 } }));
const account = startedEach(() => api.createAccount());
let shipmentId: string;
let containerId: string;
let untouched: string;
beforeEach(async () => {
  shipmentId = await insertShipment(api.database, account.id, { number: "SBXLVALUES1" });
  containerId = await insertContainer(api.database, account.id, shipmentId);
  untouched = await insertShipment(api.database, account.id, { number: "SBXLVALUES2" });
});

const send = (method: string, path: string, attributes?: object, headers: Record<string, string> = {}) =>
  api.request(path, { method, token: account.token, headers, ...(attributes && { body: { data: { attributes } } }) });

async function define(entityType: string, slug: string, type: string): Promise<string> {
  const attributes = { entity_type: entityType, api_slug: slug, display_name: slug, data_type: type };
  const { status, body } = await send("POST", "/custom_field_definitions", attributes);
  expect(status).toBe(201);
  return `/custom_field_definitions/${body.data.id}`;
}

async function addOption(definition: string, value: string): Promise<string> {
  const { status, body } = await send("POST", `${definition}/options`, { label: value, value });
  expect(status).toBe(201);
  return `${definition}/options/${body.data.id}`;
}

async function set(record: string, slug: string, value: unknown): Promise<void> {
  expect((await send("POST", `${record}/custom_fields`, { api_slug: slug, value })).status).toBe(201);
}

/** Transactions of the last changes, by which exports and open pages find changed records. */
async function changes(): Promise<readonly (string | undefined)[]> {
  const { rows } = await api.database.pool.query<{ id: string; change: string }>(
    `SELECT id, change_transaction_id::text AS change FROM shipments WHERE account_id = $1
     UNION ALL SELECT id, change_transaction_id::text FROM containers WHERE account_id = $1`,
    [account.id],
  );
  return [shipmentId, containerId, untouched].map((id) => rows.find((row) => row.id === id)?.change);
}

/** Whether the shipment, its container and another shipment were changed. */
async function changedBy(work: () => Promise<unknown>): Promise<readonly boolean[]> {
  const before = await changes();
  await work();
  const after = await changes();
  return after.map((change, index) => change !== before[index]);
}

describe("a deletion changes the records that had a value", () => {
  test("marks those that had the deleted option, of one or several choices", async () => {
    const one = await define("Shipment", "level", "enum");
    const several = await define("Container", "marks", "enum_multi");
    const [low, high] = [await addOption(one, "low"), await addOption(one, "high")];
    const [first, second] = [await addOption(several, "first"), await addOption(several, "second")];
    await set(`/shipments/${shipmentId}`, "level", "low");
    await set(`/shipments/${untouched}`, "level", "high");
    await set(`/containers/${containerId}`, "marks", ["first"]);
    expect(await changedBy(() => send("DELETE", low))).toEqual([true, false, false]);
    expect(await changedBy(() => send("DELETE", second))).toEqual([false, false, false]);
    expect(await changedBy(() => send("DELETE", first))).toEqual([false, true, false]);
    expect(await changedBy(() => send("DELETE", high))).toEqual([false, false, true]);
    expect((await send("DELETE", high)).status).toBe(404);
  });

  test("marks those of a deleted definition; none when its version is another one", async () => {
    const definition = await define("Shipment", "cost_centre", "short_text");
    await set(`/shipments/${shipmentId}`, "cost_centre", "4711");
    const stale = () => send("DELETE", definition, undefined, { "if-match": '"99-x"' });
    expect(await changedBy(stale)).toEqual([false, false, false]);
    expect((await stale()).status).toBe(412);
    expect(await changedBy(() => send("DELETE", definition))).toEqual([true, false, false]);
    expect((await send("GET", `/shipments/${shipmentId}/custom_fields`)).body.data).toEqual([]);
    expect((await send("DELETE", definition)).status).toBe(404);
  });

  test("marks also one that gets a value at the same moment, without a deadlock", async () => {
    for (let round = 0; round < 8; round += 1) {
      const slug = `raced_${round}`;
      const definition = await define("Shipment", slug, "short_text");
      await set(`/shipments/${untouched}`, slug, "before");
      const put = (value: string) => send("POST", `/shipments/${shipmentId}/custom_fields`, { api_slug: slug, value });
      const before = await changes();
      const responses = await Promise.all([put("a"), send("DELETE", definition), put("b"), put("c")]);
      for (const { status } of responses) expect([201, 204, 422]).toContain(status);
      const after = await changes();
      const isWritten = responses.some(({ status }) => status === 201);
      expect([after[0] !== before[0], after[2] !== before[2]]).toEqual([isWritten, true]);
      if (isWritten) expect(after[0]).toBe(after[2]);
    }
  });
});
