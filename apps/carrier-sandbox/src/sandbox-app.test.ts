import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createLogger } from "@svc/service-kit";
import fc from "fast-check";
import { z } from "zod";
import { SimulatedClock } from "./clock/simulated-clock.ts";
import {
  DcsaEvent,
  documentTypeCodes,
  equipmentEventTypeCodes,
  eventTypes,
  shipmentEventTypeCodes,
  transportEventTypeCodes,
} from "./dcsa/event-schema.ts";
import { SubscriptionStore } from "./push/subscription-store.ts";
import { ShipmentRegister } from "./register/shipment-register.ts";
import { sandboxApp } from "./sandbox-app.ts";
import { SandboxCarrier } from "./sandbox-carrier.ts";
import { readBillOfLading } from "./shipment-number.ts";

const Events = z.array(DcsaEvent);
const epoch = Date.parse("2026-05-01T00:00:00Z");

const unexpected = (error: unknown): never => {
  throw error;
};

describe("the sandbox carrier over HTTP", () => {
  let folder: string;
  let server: Server;
  let base: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "sandbox-app-"));
    const clock = new SimulatedClock({
      path: join(folder, "clock.json"),
      scale: 1,
      epoch,
      realNow: () => 0,
      onUnsaved: unexpected,
    });
    const app = sandboxApp({
      clock,
      carrier: new SandboxCarrier(new ShipmentRegister(join(folder, "shipments.jsonl"))),
      subscriptions: new SubscriptionStore(join(folder, "subscriptions.json")),
      imitatedCarriers: [],
      consumerKey: "demo",
      logger: createLogger({ service: "test", level: "silent" }),
      onFailed: unexpected,
      stopping: new AbortController().signal,
    });
    server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(path.startsWith("http") ? path : `${base}${path}`, { headers: { "Consumer-Key": "demo", ...headers } });
  const events = async (query: string) => Events.parse(await (await get(`/v2/events?limit=1000&${query}`)).json());
  const send = (method: string, path: string, body: unknown) =>
    fetch(`${base}${path}`, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const advance = (by: string) => send("POST", "/_sandbox/clock/advance", { by });

  test("answers 401 in DCSA's error format without the valid key", async () => {
    const response = await get("/v2/events", { "Consumer-Key": "wrong" });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ httpMethod: "GET", requestUri: "/v2/events", statusCode: 401 });
  });

  test("answers an unknown number with an empty list, not 404", async () => {
    for (const query of [
      "transportDocumentReference=MAEU123456789",
      "transportDocumentReference=SBXZZZ000001",
      "transportDocumentReference=SBXDIRB000001",
      "carrierBookingReference=SBXDIR000001",
      "equipmentReference=SBXU9999999",
      "transportDocumentReference=SBXNFD000001",
    ]) {
      const response = await get(`/v2/events?${query}`);
      expect([response.status, await response.json()]).toEqual([200, []]);
    }
  });

  test("finds a shipment by bill of lading, booking and container, with and without the SCAC", async () => {
    const byNumber = await events("transportDocumentReference=SBXDIR000077");
    expect(byNumber.length).toBeGreaterThan(5);
    expect(await events("transportDocumentReference=SBXLSBXDIR000077")).toEqual(byNumber);
    expect(await events("carrierBookingReference=SBXDIRB000077")).toEqual(byNumber);
    const container = byNumber.flatMap((event) =>
      event.eventType === "EQUIPMENT" ? (event.equipmentReference ?? []) : [],
    )[0];
    const byContainer = await events(`equipmentReference=${container}`);
    expect(byContainer.length).toBeGreaterThan(3);
    expect(byNumber).toEqual(expect.arrayContaining(byContainer));
  });

  test("vessels between two ports transmit their positions along the sea route, in the form of AISHub", async () => {
    type Vessel = { TIME: string; LONGITUDE: number; LATITUDE: number; SOG: number };
    const aisReply = async (query: string) =>
      (await (await get(`/ais/ws.php?format=1&output=json&${query}`)).json()) as [object, Vessel[]];
    expect(await aisReply("username=wrong")).toEqual([expect.objectContaining({ ERROR: true })]);
    const transport = (await events("transportDocumentReference=SBXDIR000140")).find(
      (event) => event.eventType === "TRANSPORT" && event.transportEventTypeCode === "DEPA",
    );
    const imo = transport?.eventType === "TRANSPORT" ? transport.transportCall.vessel?.vesselIMONumber : undefined;
    const positions: Vessel[] = [];
    for (let step = 0; step < 60; step += 1) {
      const [status, vessels] = await aisReply(`username=demo&imo=${imo}`);
      expect(status).toMatchObject({ ERROR: false, RECORDS: vessels.length });
      positions.push(...vessels);
      await advance("12h");
    }
    expect(positions.length).toBeGreaterThan(10);
    expect(positions[0]).toMatchObject({ IMO: Number(imo), MMSI: Number(`200${imo?.slice(1)}`), HEADING: 511 });
    for (const { SOG, TIME } of positions) {
      expect(SOG).toBeGreaterThan(10);
      expect(SOG).toBeLessThan(30);
      expect(TIME).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/);
    }
    expect(new Set(positions.map(({ LONGITUDE }) => LONGITUDE)).size).toBe(positions.length);
  });

  test("starts a voyage at its first request and advances it with the clock", async () => {
    const before = await events("transportDocumentReference=SBXDIR000100");
    await advance("2d");
    const after = await events("transportDocumentReference=SBXDIR000100");
    expect(after.length).toBeGreaterThan(before.length);
    const fresh = await events("transportDocumentReference=SBXDIR000101");
    expect(
      fresh.some(
        (event) =>
          event.eventType === "EQUIPMENT" &&
          event.equipmentEventTypeCode === "LOAD" &&
          event.eventClassifierCode === "ACT",
      ),
    ).toBe(false);
  });

  test.each([
    "eventType=LORRY",
    "shipmentEventTypeCode=ARRI",
    "shipmentEventTypeCode=CONF&equipmentReference=SBXU0000019",
    "eventType=SHIPMENT&transportEventTypeCode=ARRI",
    "equipmentEventTypeCode=LOAD&transportEventTypeCode=ARRI",
    "eventType=SHIPMENT&vesselIMONumber=2000016",
    "vesselIMONumber=12",
    "UNLocationCode=1",
    "eventCreatedDateTime:after=2026-01-01T00:00:00Z",
    "eventCreatedDateTime:gte=yesterday",
    "limit=0",
    "limit=ten",
    "cursor=bm90IG91cnM",
    "sort=colour",
    "number=SBXDIR000001",
    "eventType=SHIPMENT&eventType=TRANSPORT",
  ])("answers 400 for %s", async (query) => {
    const response = await get(`/v2/events?${query}`);
    expect(response.status).toBe(400);
    expect(response.headers.get("api-version")).toBe("2.2.0");
    const body = (await response.json()) as { errors: { message: string }[] };
    expect(body.errors[0]?.message).toMatch(/\w+ .*\./);
  });

  test("returns API-Version 2.2.0 and accepts only the major version in requests", async () => {
    expect((await get("/v2/events?limit=1", { "API-Version": "2" })).headers.get("api-version")).toBe("2.2.0");
    expect((await get("/v2/events?limit=1", { "API-Version": "1" })).status).toBe(400);
  });

  test("links pages in both directions, with every event once, as of the time of the first page", async () => {
    const complete = await events("transportDocumentReference=SBXPAG000001");
    const receivedIds: string[] = [];
    let next: string | null = "/v2/events?transportDocumentReference=SBXPAG000001";
    let previous: string | null = null;
    while (next) {
      const response = await get(next);
      const page = Events.parse(await response.json());
      receivedIds.push(...page.map((event) => event.eventID));
      expect(page.length).toBeLessThanOrEqual(100);
      expect(response.headers.get("current-page")).toContain("cursor=");
      if (previous) expect(response.headers.get("prev-page")).toBe(previous);
      previous = response.headers.get("current-page");
      next = response.headers.get("next-page");
      await advance("6h");
    }
    expect(receivedIds.length).toBeGreaterThan(100);
    expect(receivedIds).toEqual(complete.map((event) => event.eventID));
  });

  test("sorts by the requested field", async () => {
    const sorted = await events("transportDocumentReference=SBXDIR000077&sort=eventDateTime:DESC");
    const times = sorted.map((event) => Date.parse(event.eventDateTime));
    expect(times).toEqual([...times].sort((one, other) => other - one));
  });

  test("finds a published event by its id", async () => {
    const [event] = await events("transportDocumentReference=SBXDIR000077");
    expect(await (await get(`/v2/events/${event?.eventID}`)).json()).toEqual(event);
    expect((await get("/v2/events/00000000-0000-8000-8000-000000000000")).status).toBe(404);
  });

  test("returns only events that satisfy every filter", async () => {
    for (const number of ["SBXDIR000201", "SBXTSP000202", "SBXRAI000203", "SBXHLD000204"]) {
      await events(`transportDocumentReference=${number}`);
    }
    await advance("25d");
    const all = await events("sort=eventType");
    const valuesOf = (pick: (event: DcsaEvent) => string | undefined) => [
      ...new Set(all.flatMap((each) => pick(each) ?? [])),
    ];
    const callOf = (event: DcsaEvent) => (event.eventType === "SHIPMENT" ? undefined : event.transportCall);
    const choices: Record<
      string,
      { values: readonly string[]; read: (event: DcsaEvent) => readonly (string | undefined)[] }
    > = {
      eventType: { values: eventTypes, read: (event) => [event.eventType] },
      transportEventTypeCode: {
        values: transportEventTypeCodes,
        read: (event) => [event.eventType === "TRANSPORT" ? event.transportEventTypeCode : undefined],
      },
      equipmentEventTypeCode: {
        values: equipmentEventTypeCodes,
        read: (event) => [event.eventType === "EQUIPMENT" ? event.equipmentEventTypeCode : undefined],
      },
      shipmentEventTypeCode: {
        values: shipmentEventTypeCodes,
        read: (event) => [event.eventType === "SHIPMENT" ? event.shipmentEventTypeCode : undefined],
      },
      documentTypeCode: {
        values: documentTypeCodes,
        read: (event) => [event.eventType === "SHIPMENT" ? event.documentTypeCode : undefined],
      },
      vesselIMONumber: {
        values: valuesOf((event) => callOf(event)?.vessel?.vesselIMONumber),
        read: (event) => [callOf(event)?.vessel?.vesselIMONumber],
      },
      UNLocationCode: {
        values: valuesOf((event) => callOf(event)?.UNLocationCode),
        read: (event) => [callOf(event)?.UNLocationCode],
      },
      exportVoyageNumber: {
        values: valuesOf((event) => callOf(event)?.exportVoyageNumber),
        read: (event) => [callOf(event)?.exportVoyageNumber],
      },
      carrierServiceCode: {
        values: valuesOf((event) => callOf(event)?.carrierServiceCode),
        read: (event) => [callOf(event)?.carrierServiceCode],
      },
      transportCallID: {
        values: valuesOf((event) => callOf(event)?.transportCallID),
        read: (event) => [callOf(event)?.transportCallID],
      },
      equipmentReference: {
        values: valuesOf((event) => (event.eventType === "EQUIPMENT" ? event.equipmentReference : undefined)),
        read: (event) => [
          event.eventType === "EQUIPMENT" ? event.equipmentReference : undefined,
          ...(event.eventType === "SHIPMENT" ? [] : (event.references ?? []).map((each) => each.referenceValue)),
        ],
      },
    };
    const filter = fc
      .constantFrom(...Object.keys(choices))
      .chain((name) => fc.tuple(fc.constant(name), fc.constantFrom(...(choices[name]?.values ?? []))));
    let matched = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(filter, { maxLength: 3, selector: ([name]) => name }),
        fc.option(fc.integer({ min: 0, max: 25 })),
        async (filters, days) => {
          const query = new URLSearchParams(filters);
          query.set("limit", "1000");
          const bound = days === null ? null : new Date(epoch + days * 86_400_000).toISOString();
          if (bound) query.set("eventCreatedDateTime:gte", bound);
          const response = await get(`/v2/events?${query}`);
          if (response.status === 400) return;
          const found = Events.parse(await response.json());
          matched += found.length;
          for (const event of found) {
            for (const [name, value] of filters) expect(choices[name]?.read(event)).toContain(value);
            if (bound) expect(Date.parse(event.eventCreatedDateTime)).toBeGreaterThanOrEqual(Date.parse(bound));
          }
        },
      ),
      { numRuns: 150 },
    );
    expect(matched).toBeGreaterThan(500);
  });

  test("reads, sets and advances the clock, and rejects invalid changes", async () => {
    const { now } = (await (await get("/_sandbox/clock")).json()) as { now: string };
    expect((await send("PUT", "/_sandbox/clock", { now: "2020-01-01T00:00:00Z" })).status).toBe(400);
    expect((await send("PUT", "/_sandbox/clock", { speed: 2 })).status).toBe(400);
    expect((await send("POST", "/_sandbox/clock/advance", { by: "soon" })).status).toBe(400);
    expect(await (await advance("90m")).json()).toMatchObject({
      now: new Date(Date.parse(now) + 5_400_000).toISOString(),
      scale: 1,
      paused: false,
    });
  });

  test("applies configured faults, for one number or all", async () => {
    const configure = (faults: unknown) => send("PUT", "/_sandbox/faults", { faults });
    const request = () => get("/v2/events?transportDocumentReference=SBXDIR000077");
    await configure([{ number: "SBXDIR000077", fault: { kind: "status", status: 503, retryAfterSeconds: 7 } }]);
    const refused = await request();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "7"]);
    await configure([{ number: "*", fault: { kind: "reset" } }]);
    await expect(request()).rejects.toThrow();
    await configure([{ number: "*", fault: { kind: "truncated" } }]);
    await expect((await request()).json()).rejects.toThrow();
    expect((await configure([{ number: "*", fault: { kind: "explode" } }])).status).toBe(400);
    await configure([]);
    expect((await request()).status).toBe(200);
  });

  test("ERR fails for the first four hours; RTL limits two of five requests", async () => {
    const failing = () => get("/v2/events?transportDocumentReference=SBXERR000001");
    expect((await failing()).status).toBe(500);
    await advance("4h");
    expect((await failing()).status).toBe(200);
    const statuses: number[] = [];
    for (let index = 0; index < 5; index++) {
      statuses.push((await get("/v2/events?transportDocumentReference=SBXRTL000001")).status);
    }
    expect(statuses).toEqual([200, 200, 429, 429, 200]);
  });

  test("lists the scenarios with an example number each", async () => {
    const { scenarios } = (await (await get("/_sandbox/scenarios")).json()) as { scenarios: { example: string }[] };
    for (const { example } of scenarios) expect(readBillOfLading(example)?.seed).toBe(1);
    expect(scenarios.length).toBeGreaterThan(20);
  });

  test("lists the registered shipments", async () => {
    await events("transportDocumentReference=SBXDIR000077");
    const { shipments } = (await (await get("/_sandbox/shipments")).json()) as {
      shipments: { billOfLading: string }[];
    };
    expect(shipments.map((each) => each.billOfLading)).toContain("SBXDIR000077");
  });
});
