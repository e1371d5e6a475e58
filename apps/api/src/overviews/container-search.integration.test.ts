import { beforeAll, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { insertContainer, insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);
const ids = { urgent: "", first: "", second: "", third: "" };

beforeAll(async () => {
  const { database, account } = api;
  const values = { tags: ["urgent"], refNumbers: ["PO-1"] };
  ids.urgent = await insertShipment(database, account.id, values);
  ids.first = await insertContainer(database, account.id, ids.urgent, { number: "SBXU0000019" });
  const other = await insertShipment(database, account.id, {});
  ids.second = await insertContainer(database, account.id, other, { number: "SBXU0000024" });
  ids.third = await insertContainer(database, account.id, other, { number: "SBXU0000030" });
});

const path = "/container_overviews?sort=number&filter[search]=";

async function listed(query: string): Promise<string[]> {
  const { body } = await api.request(`${path}${query}`);
  return body.data.map(({ id }: { id: string }) => id);
}

test("finds containers by part of a number or reference, theirs or their shipment's", async () => {
  const shipment = await api.database.prisma.shipment.findFirstOrThrow({ where: { id: ids.urgent } });
  expect(await listed("0000%20024")).toEqual([ids.second]);
  expect(await listed("po-")).toEqual([ids.first]);
  expect(await listed(shipment.normalizedNumber.toLowerCase())).toEqual([ids.first]);
  expect(await listed("sbxu")).toEqual([ids.first, ids.second, ids.third]);
  expect(await listed("N".repeat(200))).toEqual([]);
  expect((await api.request(`${path}%00`)).status).toBe(400);
});

test("searches within the other filters, and says whether it is complete", async () => {
  expect(await listed("sbxu&filter[tag]=urgent")).toEqual([ids.first]);
  expect(await listed(`sbxu&filter[shipment]=${ids.urgent}`)).toEqual([ids.first]);
  const { body } = await api.request(`${path}sbxu`);
  expect(body.meta.search).toEqual({ is_complete: true, containers: [] });
});

test("counts and exports the same containers", async () => {
  const counts = await api.request("/container_overviews/counts?filter[search]=000024");
  expect(counts.body.data).toMatchObject([{ attributes: { count: 1 } }]);
  const { text } = await api.request("/exports/container_overviews?filter[search]=000024");
  expect(text.match(/SBXU\d+/g)).toEqual(["SBXU0000024"]);
});

test("finds what the text names exactly among more newer matches than it lists", async () => {
  const { id, token } = await api.createAccount();
  const exact = await insertShipment(api.database, id, { refNumbers: ["4711"], createdAt: new Date("2026-01-01") });
  for (let index = 0; index < 201; index++) {
    await insertShipment(api.database, id, { refNumbers: [`PO-4711-${index}`] });
  }
  const { body } = await api.request("/shipment_overviews?filter[search]=4711&sort=created_at&page[size]=1", { token });
  expect([body.data[0].id, body.meta.page.total, body.meta.search.is_complete]).toEqual([exact, 200, false]);
});
