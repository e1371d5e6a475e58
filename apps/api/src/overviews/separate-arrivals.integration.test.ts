import { beforeAll, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { insertContainer, insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

let shipmentId: string;
const at = (day: number) => new Date(Date.UTC(2026, 11, day));
const text = (day: number) => at(day).toISOString();

/** The shipment arrives on day 20, its first container arrived on day 5; the containers arrive on days 5, 12 and 20. */
const api = started(startTestApi);
beforeAll(async () => {
  const { prisma } = api.database;
  const vesselId = uuidV7.next();
  await prisma.vessel.create({ data: { id: vesselId, imo: "9811000", name: "EVER LAST" } });
  shipmentId = await insertShipment(api.database, api.account.id, {
    polAtdAt: at(-30),
    podEtaAt: at(20),
    podOriginalEtaAt: at(4),
    podAtaAt: at(5),
    podVesselId: vesselId,
  });
  const own = (number: string, day: number, first: number, changes: object = {}) =>
    insertContainer(api.database, api.account.id, shipmentId, {
      number,
      podEtaAt: at(day),
      podOriginalEtaAt: at(first),
      podVesselName: `VESSEL ${day}`,
      ...changes,
    });
  await own("SBXU0000019", 5, 4, { podArrivedAt: at(5) });
  await own("SBXU0000024", 12, 4);
  await own("SBXU0000030", 20, 20);
});

async function listed(query: string) {
  const { status, body } = await api.request(`/container_overviews?${query}`);
  expect(status).toBe(200);
  return body.data.map(({ attributes }: { attributes: Record<string, unknown> }) => attributes);
}

test("containers that arrive separately have their own arrival, delay and vessel in lists", async () => {
  expect(await listed("sort=arrival")).toMatchObject([
    { container_number: "SBXU0000019", arrival_at: text(5), pod_ata_at: text(5), delay_days: 1 },
    { container_number: "SBXU0000024", arrival_at: text(12), pod_ata_at: null, delay_days: 8 },
    { container_number: "SBXU0000030", arrival_at: text(20), pod_eta_at: text(20), delay_days: 0 },
  ]);
  const vessels = (await listed("sort=number")).map(({ vessel_name }: { vessel_name: string }) => vessel_name);
  expect(vessels).toEqual(["VESSEL 5", "VESSEL 12", "VESSEL 20"]);
});

test.each<[query: string, numbers: readonly string[]]>([
  ["sort=-delay", ["SBXU0000024", "SBXU0000019", "SBXU0000030"]],
  ["sort=number&filter[delayed_by_days]=2", ["SBXU0000024"]],
  [`sort=number&filter[arrival_after]=${text(6)}&filter[arrival_before]=${text(13)}`, ["SBXU0000024"]],
  ["sort=number&filter[vessel]=vessel 20", ["SBXU0000030"]],
])("sorts and filters by what is shown: %s", async (query, numbers) => {
  const found = (await listed(query)).map(({ container_number }: { container_number: string }) => container_number);
  expect(found).toEqual(numbers);
});

test("the containers and the shipment have their own and the shared estimate", async () => {
  const { body } = await api.request("/containers?sort=number&filter[number]=SBXU0000024&include=shipment");
  expect(body.data[0].attributes).toMatchObject({ pod_eta_at: text(12), pod_vessel_name: "VESSEL 12" });
  expect(body.included[0].attributes.pod_eta_at).toBe(text(20));
});

async function shipments(query = "") {
  const { status, body } = await api.request(`/shipment_overviews?${query}`);
  expect(status).toBe(200);
  return body.data.map(({ attributes }: { attributes: Record<string, unknown> }) => attributes);
}

test("a split shipment is as late as its last container, and arrives with it on its vessel", async () => {
  expect(await shipments()).toMatchObject([
    {
      vessel_name: "EVER LAST",
      vessels_total: 3,
      containers_total: 3,
      containers_arrived: 1,
      pod_eta_at: text(20),
      pod_original_eta_at: text(20),
      pod_ata_at: null,
      delay_days: 0,
      arrival_at: text(5),
    },
  ]);
  expect(await shipments("filter[delayed_by_days]=1")).toEqual([]);
  expect(await shipments("sort=-delay")).toMatchObject([{ delay_days: 0 }]);
});

test("a split shipment arrives with its last container; its delay needs the original ETA of that one", async () => {
  const { prisma } = api.database;
  const last = { number: "SBXU0000030" };
  await prisma.container.updateMany({ where: { number: "SBXU0000024" }, data: { podArrivedAt: at(13) } });
  await prisma.container.updateMany({ where: last, data: { podDischargedAt: at(22) } });
  expect(await shipments("filter[delayed_by_days]=2")).toMatchObject([
    { pod_ata_at: text(22), delay_days: 2, containers_arrived: 3 },
  ]);
  await prisma.container.updateMany({ where: last, data: { podOriginalEtaAt: null } });
  expect(await shipments()).toMatchObject([{ pod_original_eta_at: null, delay_days: null }]);
  await prisma.container.updateMany({ where: last, data: { podDischargedAt: null, podOriginalEtaAt: at(20) } });
  await prisma.container.updateMany({ where: { number: "SBXU0000024" }, data: { podArrivedAt: null } });
});

test("keeps a container with an estimate by rail open when the first one has arrived inland", async () => {
  await api.database.prisma.shipment.updateMany({
    where: { id: shipmentId },
    data: { destinationEtaAt: at(24), destinationAtaAt: at(9), destinationOriginalEtaAt: at(9) },
  });
  await api.database.prisma.container.updateMany({
    where: { number: { in: ["SBXU0000019", "SBXU0000024"] } },
    data: { indEtaAt: at(16) },
  });
  await api.database.prisma.container.updateMany({ where: { number: "SBXU0000019" }, data: { indAtaAt: at(9) } });
  expect(await listed("sort=number")).toMatchObject([
    { destination_ata_at: text(9), arrival_at: text(9), delay_days: 0 },
    { destination_ata_at: null, arrival_at: text(16), delay_days: 7 },
    { destination_ata_at: null, arrival_at: text(24), delay_days: 15 },
  ]);
  expect(await shipments()).toMatchObject([{ destination_ata_at: null, delay_days: 0 }]);
});
