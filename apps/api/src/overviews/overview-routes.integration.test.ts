import { beforeAll, describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { conditionFilters, containerConditions } from "@svc/domain/saved-views";
import { pageSchema } from "@svc/jsonapi/documents";
import { ContainerOverviewResource, OverviewCountResource, ShipmentOverviewResource } from "@svc/jsonapi/overviews";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { insertContainer, insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);
let otherToken: string;
const ids = { late: "", lateBox: "", ashore: "", ashoreBox: "" };

const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000);

async function portId(locode: string): Promise<string> {
  return (await api.database.prisma.port.findUniqueOrThrow({ where: { locode } })).id;
}

async function insertPlannedCall(subjectId: string, locode: string): Promise<void> {
  const fact = { eventType: "TRANSPORT", code: "ARRI", classifier: "PLN", place: { locode } };
  await api.database.prisma.observation.create({
    data: {
      accountId: api.account.id,
      id: uuidV7.next(),
      subjectId,
      rawReplyId: uuidV7.next(),
      valueHash: Buffer.from(locode),
      observedAt: new Date(),
      fact,
    },
  });
}

beforeAll(async () => {
  otherToken = (await api.createAccount()).token;
  const { prisma } = api.database;
  const accountId = api.account.id;
  const customerId = uuidV7.next();
  const times = { createdAt: new Date(), updatedAt: new Date() };
  await prisma.party.create({ data: { accountId, id: customerId, companyName: "Nordic Möbel", ...times } });
  const vesselId = uuidV7.next();
  await prisma.vessel.create({ data: { id: vesselId, imo: "9811000", name: "EVER TESTED" } });
  const subjectId = uuidV7.next();
  await prisma.trackingSubject.create({
    data: {
      accountId,
      id: subjectId,
      scac: "SBXL",
      kind: "bill_of_lading",
      number: "X",
      createdAt: new Date("2026-09-01T00:00:00Z"),
    },
  });
  ids.late = await insertShipment(api.database, accountId, {
    customerId,
    subjectId,
    portOfLadingId: await portId("CNSHA"),
    portOfDischargeId: await portId("NLRTM"),
    podVesselId: vesselId,
    polAtdAt: daysFromNow(-10),
    podOriginalEtaAt: daysFromNow(2),
    podEtaAt: daysFromNow(7),
    tags: ["urgent"],
    refNumbers: ["PO-1"],
    createdAt: daysFromNow(-40),
  });
  ids.lateBox = await insertContainer(api.database, accountId, ids.late, {
    number: "SBXU0000019",
    refNumbers: ["BOX-1", "PO-1"],
  });
  await insertPlannedCall(subjectId, "SGSIN");
  ids.ashore = await insertShipment(api.database, accountId, {
    portOfLadingId: await portId("CNSHA"),
    portOfDischargeId: await portId("USLAX"),
    polAtdAt: daysFromNow(-30),
    podAtaAt: daysFromNow(-3),
  });
  ids.ashoreBox = await insertContainer(api.database, accountId, ids.ashore, {
    number: "SBXU0000024",
    currentStatus: "available",
    availableForPickup: true,
    equipmentLength: 40,
    equipmentType: "reefer",
    // Midnight in Los Angeles at the end of the first of November, and the terminal's a day earlier.
    pickupLfdLine: new Date("2026-11-03T08:00:00Z"),
    pickupLfdTerminal: new Date("2026-11-02T08:00:00Z"),
    pickupLfd: new Date("2026-11-03T08:00:00Z"),
    holdsAtPodTerminal: [{ name: "customs", status: "hold", description: null }],
    feesAtPodTerminal: [{ type: "demurrage", amount: 120, currencyCode: "USD" }],
  });
  const feederId = uuidV7.next();
  await prisma.vessel.create({ data: { id: feederId, imo: "9321483", name: "FEEDER ONE" } });
  await prisma.transportEvent.create({
    data: {
      accountId,
      id: uuidV7.next(),
      shipmentId: ids.ashore,
      containerId: ids.ashoreBox,
      event: "transshipment_discharged",
      milestoneKey: "t",
      dataSource: "shipping_line",
      createdAt: new Date(),
      occurredAt: daysFromNow(-20),
      portId: await portId("KRPUS"),
      locationLocode: "KRPUS",
      vesselId: feederId,
    },
  });
});

async function listed(path: string): Promise<string[]> {
  const { status, body } = await api.request(path);
  const schema = path.startsWith("/container") ? ContainerOverviewResource : ShipmentOverviewResource;
  expect([status, pageSchema(schema.strict()).safeParse(body).error]).toEqual([200, undefined]);
  return body.data.map(({ id }: { id: string }) => id);
}

describe("GET /container_overviews", () => {
  test("shows attributes of the container's shipment, ports, vessel and customer", async () => {
    const { body } = await api.request("/container_overviews?sort=number");
    expect(body.data[0].attributes).toMatchObject({
      ref_numbers: ["BOX-1", "PO-1"],
      container_number: "SBXU0000019",
      customer_name: "Nordic Möbel",
      vessel_name: "EVER TESTED",
      pod_locode: "NLRTM",
      delay_days: 5,
      freshness: "stale",
    });
    expect(body.data[1].attributes).toMatchObject({
      last_event: "transshipment_discharged",
      last_event_locode: "KRPUS",
      equipment: "40 reefer",
    });
  });

  test("the last free day is the earliest that is set, as a date of the port, with its source", async () => {
    const { body } = await api.request("/container_overviews?filter[last_free_day_before]=2026-11-03");
    expect(body.data.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([
      { container_number: "SBXU0000024", last_free_day: "2026-11-02", last_free_day_source: "terminal" },
    ]);
    expect(await listed("/container_overviews?filter[last_free_day_before]=2026-11-02")).toEqual([]);
    const { status } = await api.request("/container_overviews?filter[last_free_day_before]=0000-01-01");
    expect(status).toBe(400);
  });

  test("days until the last free day count on the clock of the place, until it is picked up", async () => {
    const within = (days: number) => listed(`/container_overviews?filter[last_free_day_within_days]=${days}`);
    const at = async (now: string, days: number) => {
      api.setNow(instant(now));
      return within(days);
    };
    const now = instant("2026-11-21T10:00:00.000Z");
    try {
      // 1 November 23:30 in Los Angeles; the last free day is the second.
      expect(await at("2026-11-02T07:30:00Z", 0)).toEqual([]);
      expect(await at("2026-11-02T07:30:00Z", 1)).toEqual([ids.ashoreBox]);
      expect(await at("2026-11-02T08:30:00Z", 0)).toEqual([ids.ashoreBox]);
      expect(await at("2026-11-20T08:30:00Z", 0)).toEqual([ids.ashoreBox]);
      // For a reader in that zone 48 hours after 31 October 23:30 is 2 November 22:30: the clock is set back by an
      // hour.
      expect(await at("2026-11-01T06:30:00Z", 1)).toEqual([]);
      expect(await at("2026-11-01T06:30:00Z", 2)).toEqual([ids.ashoreBox]);
      expect(await listed("/shipment_overviews?filter[last_free_day_within_days]=1")).toEqual([]);
      expect(await listed("/shipment_overviews?filter[last_free_day_within_days]=2")).toEqual([ids.ashore]);
      const { body } = await api.request("/container_overviews?filter[number]=SBXU0000024");
      expect(body.data[0].attributes.last_free_day_timezone).toBe("America/Los_Angeles");
      const data = { podFullOutAt: new Date("2026-11-02T07:00:00Z") };
      await api.database.prisma.container.updateMany({ where: { id: ids.ashoreBox }, data });
      expect(await within(0)).toEqual([]);
    } finally {
      api.setNow(now);
      await api.database.prisma.container.updateMany({ where: { id: ids.ashoreBox }, data: { podFullOutAt: null } });
    }
    const { status } = await api.request("/container_overviews?filter[last_free_day_within_days]=-1");
    expect(status).toBe(400);
  });

  test.each<[string, "lateBox" | "ashoreBox" | null]>([
    ["filter[port]=SGSIN", "lateBox"],
    ["filter[port]=KRPUS", "ashoreBox"],
    ["filter[port]=USLAX", "ashoreBox"],
    ["filter[transshipment_port]=KRPUS", "ashoreBox"],
    ["filter[transshipment_port]=SGSIN", "lateBox"],
    ["filter[transshipment_port]=USLAX", null],
    ["filter[customer]=nordic", "lateBox"],
    ["filter[customer]=nördic mobel", "lateBox"],
    ["filter[customer]=%25", null],
    ["filter[customer_name]=nordic möbel", "lateBox"],
    ["filter[customer_name]=nordic", null],
    ["filter[vessel]=ever", "lateBox"],
    ["filter[vessel]=9811000", "lateBox"],
    ["filter[vessel]=feeder", "ashoreBox"],
    ["filter[vessel]=9321483", "ashoreBox"],
    ["filter[delayed_by_days]=5", "lateBox"],
    ["filter[delayed_by_days]=6", null],
    ["filter[tag]=urgent", "lateBox"],
    ["filter[ref_number]=PO-1", "lateBox"],
    ["filter[number]=SBXU0000024", "ashoreBox"],
    ["filter[stale]=true", "lateBox"],
    ["filter[stale]=false", "ashoreBox"],
    ["filter[equipment]=40,reefer", "ashoreBox"],
    ["filter[equipment]=40,dry", null],
    ["filter[has_holds]=true", "ashoreBox"],
    ["filter[has_fees]=true", "ashoreBox"],
    ["filter[available_for_pickup]=true", "ashoreBox"],
    ["filter[not_returned_for_days]=0", null],
    ["filter[status]=available", "ashoreBox"],
    ["filter[carrier]=MAEU", null],
  ])("?%s", async (filter, expected) => {
    expect(await listed(`/container_overviews?${filter}`)).toEqual(expected === null ? [] : [ids[expected]]);
  });

  test.each(["end_port", "port"])("filter[%s] of a port of discharge", async (name) => {
    expect(await listed(`/shipment_overviews?filter[${name}]=USLAX`)).toEqual([ids.ashore]);
    expect(await listed(`/shipment_overviews?filter[${name}]=KRPUS`)).toEqual(name === "port" ? [ids.ashore] : []);
  });

  test("sorts by delay and last free day", async () => {
    expect(await listed("/container_overviews?sort=-delay")).toEqual([ids.lateBox, ids.ashoreBox]);
    expect(await listed("/container_overviews?sort=delay")).toEqual([ids.lateBox, ids.ashoreBox]);
    expect(await listed("/container_overviews?sort=last_free_day")).toEqual([ids.ashoreBox, ids.lateBox]);
  });

  test("shows no container of another account", async () => {
    for (const path of [
      "/container_overviews",
      "/shipment_overviews",
      "/changes",
      "/container_overviews/counts?group_by=status",
    ]) {
      expect((await api.request(path, { token: otherToken })).body.data).toEqual([]);
    }
  });

  test("responds 400 to an invalid number", async () => {
    const { status, body } = await api.request("/container_overviews?filter[delayed_by_days]=many");
    expect([status, body.errors[0].source.parameter]).toEqual([400, "filter[delayed_by_days]"]);
  });
});

test("GET /shipment_overviews: filters on what a container has keep shipments with such a container", async () => {
  expect(await listed("/shipment_overviews?filter[has_holds]=true")).toEqual([ids.ashore]);
  expect(await listed("/shipment_overviews?filter[number]=SBXU0000019")).toEqual([ids.late]);
  expect(await listed("/shipment_overviews?filter[status]=in_transit&sort=arrival")).toEqual([ids.late]);
  expect(await listed("/shipment_overviews?filter[transshipment_port]=SGSIN")).toEqual([ids.late]);
});

test("GET …/counts: groups with the filters of the list, the largest first", async () => {
  const count = async (path: string) => {
    const { status, body } = await api.request(path);
    expect(status).toBe(200);
    for (const one of body.data) expect(OverviewCountResource.strict().safeParse(one).error).toBeUndefined();
    return body.data.map(({ attributes }: { attributes: object }) => attributes);
  };
  expect(await count("/container_overviews/counts?group_by=port")).toEqual([
    { value: "NLRTM", count: 1 },
    { value: "USLAX", count: 1 },
  ]);
  expect(await count("/shipment_overviews/counts?group_by=customer")).toEqual([
    { value: "Nordic Möbel", count: 1 },
    { value: null, count: 1 },
  ]);
  expect(await count("/shipment_overviews/counts?group_by=tag&filter[tag]=urgent")).toEqual([
    { value: "urgent", count: 1 },
  ]);
  expect(await count("/container_overviews/counts?group_by=arrival_week&filter[has_holds]=true")).toHaveLength(1);
});

test("GET /container_overviews/counts?group_by=condition: equal the lists, which can share containers", async () => {
  for (const carrier of ["", "&filter[carrier]=NONE"]) {
    const { body } = await api.request(`/container_overviews/counts?group_by=condition${carrier}`);
    expect(body.data).toHaveLength(containerConditions.length - 1);
    for (const { attributes } of body.data) {
      const [[name = "", value] = []] = Object.entries(conditionFilters(attributes.value));
      const parameter = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const list = await api.request(`/container_overviews?filter[${parameter}]=${value}${carrier}`);
      expect([attributes.value, list.body.data.length]).toEqual([attributes.value, attributes.count]);
    }
  }
  expect((await api.request("/shipment_overviews/counts?group_by=condition")).status).toBe(400);
});

describe("GET /shipment_overviews", () => {
  test("shows the state of the containers, and the earliest last free day of those that are not picked up", async () => {
    const { body } = await api.request(`/shipment_overviews?filter[shipment]=${ids.ashore}`);
    expect(body.data[0].attributes).toMatchObject({
      containers_total: 1,
      containers_available: 1,
      containers_on_hold: 1,
      containers_on_rail: 0,
      containers_picked_up: 0,
      containers_returned: 0,
      last_free_day: "2026-11-02",
      pol_timezone: "Asia/Shanghai",
    });
  });

  test("finds shipments by part of a number, with the container that matches, within the other filters", async () => {
    expect(await listed("/shipment_overviews?filter[search]=po-")).toEqual([ids.late]);
    const { body } = await api.request("/shipment_overviews?filter[search]=0000%20024");
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([ids.ashore]);
    const container = { shipment_id: ids.ashore, id: ids.ashoreBox, number: "SBXU0000024" };
    expect(body.meta.search).toEqual({ is_complete: true, containers: [container] });
    expect(await listed("/shipment_overviews?filter[search]=sbxu&filter[tag]=urgent")).toEqual([ids.late]);
    expect(await listed(`/shipment_overviews?filter[search]=sbxu&filter[shipment]=${ids.late}`)).toEqual([ids.late]);
    expect(await listed(`/shipment_overviews?filter[search]=${"N".repeat(200)}`)).toEqual([]);
    expect((await api.request("/shipment_overviews?filter[search]=%00")).status).toBe(400);
  });

  test("counts up to a maximum", async () => {
    const { body } = await api.request("/shipment_overviews/counts?filter[search]=sbxu&up_to=1");
    const counts = body.data.map(({ attributes }: { attributes: object }) => attributes);
    expect(counts).toEqual([
      { value: "arrived_at_pod", count: 1 },
      { value: "in_transit", count: 1 },
    ]);
    expect((await api.request("/shipment_overviews/counts?up_to=0")).status).toBe(400);
  });

  test("exports the rows of the list, as JSON Lines or CSV", async () => {
    for (const list of ["shipment_overviews", "container_overviews"]) {
      const query = "?filter[carrier]=SBXL&sort=-delay";
      const { body } = await api.request(`/${list}${query}`);
      const emissions = { emissions_grams: null, emissions_unknown_reason: "no_factor" };
      const rows = body.data.map(({ id, attributes }: { id: string; attributes: object }) => ({
        id,
        ...attributes,
        ...(list === "shipment_overviews" && emissions),
      }));
      const { text, headers } = await api.request(`/exports/${list}${query}`);
      expect(headers.get("content-type")).toBe("application/jsonl");
      const lines = text.trim().split("\n");
      expect(lines.map((line) => JSON.parse(line))).toEqual(rows);
      const csv = await api.request(`/exports/${list}${query}&format=csv`);
      expect(csv.text.split("\r\n")[0]).toBe(Object.keys(rows[0]).join(","));
      expect((await api.request(`/exports/${list}?sort=weight`)).status).toBe(400);
    }
    expect((await api.request("/exports/shipment_overviews", { token: otherToken })).text).toBe("");
  });
});
