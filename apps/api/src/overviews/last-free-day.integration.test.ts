import { beforeAll, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { started } from "@svc/testkit/started";
import { insertContainer, insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);
let shipmentId: string;
let containerId: string;

beforeAll(async () => {
  const { id } = await api.database.prisma.port.findUniqueOrThrow({ where: { locode: "USLAX" } });
  shipmentId = await insertShipment(api.database, api.account.id, { portOfDischargeId: id });
  containerId = await insertContainer(api.database, api.account.id, shipmentId, {
    number: "SBXU0000024",
    pickupLfdLine: new Date("2026-11-03T08:00:00Z"),
    pickupLfdTerminal: new Date("2026-11-02T08:00:00Z"),
    pickupLfd: new Date("2026-11-03T08:00:00Z"),
  });
});

const setDay = (day: string) => api.setNow(instant(`${day}T20:00:00Z`));

test("the last free day by a demurrage rule applies if it is the earliest", async () => {
  const number = "SBXU0000045";
  const id = await insertContainer(api.database, api.account.id, shipmentId, {
    number,
    pickupLfdTerminal: new Date("2026-08-06T07:00:00Z"),
  });
  const rule = (day: string) => ({ charges: [], lastFreeDay: new Date(day), computedAt: new Date() });
  const key = { accountId: api.account.id, containerId: id };
  await api.database.prisma.containerDemurrage.create({ data: { ...key, ...rule("2026-08-04") } });
  const attributesOf = async () => {
    const { body } = await api.request(`/container_overviews?filter[number]=${number}`);
    return body.data[0].attributes;
  };
  expect(await attributesOf()).toMatchObject({ last_free_day: "2026-08-04", last_free_day_source: "rule" });
  setDay("2026-08-04");
  expect(await listed("/container_overviews?filter[last_free_day]=today")).toEqual([id]);
  expect(await listed("/shipment_overviews?filter[last_free_day]=today")).toEqual([shipmentId]);
  await api.database.prisma.containerDemurrage.update({
    where: { accountId_containerId: key },
    data: rule("2026-08-08"),
  });
  expect(await attributesOf()).toMatchObject({ last_free_day: "2026-08-06", last_free_day_source: "terminal" });
  await api.database.prisma.container.delete({ where: { accountId_id: { accountId: api.account.id, id } } });
});

const listed = async (path: string): Promise<string[]> =>
  (await api.request(path)).body.data.map(({ id }: { id: string }) => id);

test("the last free day is today or this week on the clock of the place, until the pickup", async () => {
  const at = async (now: string) => {
    api.setNow(instant(now));
    const list = (period: string) => listed(`/container_overviews?filter[last_free_day]=${period}`);
    return [await list("today"), await list("this_week")];
  };
  const [none, matching] = [[], [containerId]];
  const edit = (data: object) => api.database.prisma.container.updateMany({ where: { id: containerId }, data });
  const terminal = (day: string) => edit({ pickupLfdTerminal: new Date(`${day}T08:00:00Z`) });
  // The second of November is a Monday. In Los Angeles it is still Sunday at first.
  expect(await at("2026-11-02T07:30:00Z")).toEqual([none, none]);
  expect(await at("2026-11-02T08:30:00Z")).toEqual([matching, matching]);
  expect(await at("2026-11-03T08:30:00Z")).toEqual([none, none]);
  // The day of the line is the third.
  await terminal("2026-11-06");
  expect(await at("2026-11-01T08:30:00Z")).toEqual([none, none]);
  expect(await at("2026-11-02T08:30:00Z")).toEqual([none, matching]);
  expect(await at("2026-11-03T08:30:00Z")).toEqual([matching, matching]);
  expect(await at("2026-11-04T08:30:00Z")).toEqual([none, none]);
  const within7Days = () => listed("/container_overviews?filter[last_free_day]=within_7_days");
  await at("2026-10-30T08:30:00Z");
  expect(await within7Days()).toEqual(matching);
  await at("2026-10-26T08:30:00Z");
  expect(await within7Days()).toEqual(none);
  // A Sunday is the last day of its week.
  await terminal("2026-11-01");
  expect(await at("2026-10-26T08:30:00Z")).toEqual([none, matching]);
  expect(await listed("/shipment_overviews?filter[last_free_day]=this_week")).toEqual([shipmentId]);
  await edit({ podFullOutAt: new Date("2026-10-26T07:00:00Z") });
  expect(await at("2026-11-01T09:30:00Z")).toEqual([none, none]);
  expect((await api.request("/container_overviews?filter[last_free_day]=tomorrow")).status).toBe(400);
});
