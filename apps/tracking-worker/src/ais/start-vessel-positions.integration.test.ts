import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer as createHttpServer, type Server } from "node:http";
import { type AddressInfo, createServer, type Socket, type Server as TcpServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { addMs, hourMs } from "@svc/domain";
import { uuidV7 } from "@svc/persistence";
import { createVesselPositionReader } from "@svc/persistence/vessel-positions";
import { createLogger } from "@svc/service-kit";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { WebSocketServer } from "ws";
import { setUpTracking } from "../testing/tracking-setup.ts";
import { AisSource } from "./ais-source.ts";
import { startVesselPositions } from "./start-vessel-positions.ts";
import { classA, sentencesOf, staticData } from "./testing/encode-message.ts";

const imo = "9321483";
const mmsi = 220_417_000;
const silent = createLogger({ service: "test", level: "silent" });

const setup = started(setUpTracking);
let vesselId: string;
let counts: Map<string, number>;
let logged: string[];
const closing: (() => Promise<unknown> | unknown)[] = [];

beforeEach(async () => {
  counts = new Map();
  logged = [];
  await setup.rows("DELETE FROM vessels");
  await setup.rows("DELETE FROM ais_sources");
  vesselId = uuidV7.next();
  const { database } = setup;
  await database.prisma.vessel.create({ data: { id: vesselId, imo, name: "EMMA" } });
  const accountId = await setup.newAccount();
  const at = new Date(setup.clock.now());
  await database.prisma.shipment.create({
    data: {
      accountId,
      id: uuidV7.next(),
      shippingLineScac: "SBXL",
      podVesselId: vesselId,
      createdAt: at,
      updatedAt: at,
      billOfLadingNumber: vesselId,
      normalizedNumber: vesselId,
      numberKind: "bill_of_lading",
    },
  });
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

function receive(...sources: readonly object[]): ReturnType<typeof startVesselPositions> {
  const logger = new Proxy(silent, {
    get: (target, name) =>
      name === "warn" || name === "info"
        ? (value: object, event: string) => void logged.push(`${event} ${JSON.stringify(value)}`)
        : Reflect.get(target, name),
  });
  const running = startVesselPositions({
    sql: setup.database.sql,
    clock: setup.clock,
    logger,
    sources: sources.map((source) => AisSource.parse(source)),
    count: (source, outcome) => counts.set(`${source} ${outcome}`, (counts.get(`${source} ${outcome}`) ?? 0) + 1),
  });
  closing.push(() => running.stop());
  return running;
}

/** A receiver that serves by TCP; `open`: the number of connections to it. */
async function startReceiver() {
  const sockets = new Set<Socket>();
  const server: TcpServer = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  return { source: { protocol: "nmea-tcp", host: "127.0.0.1", port }, open: () => sockets.size };
}

const stored = () =>
  createVesselPositionReader(setup.database.sql).between(
    vesselId,
    addMs(setup.clock.now(), -48 * hourMs),
    setup.clock.now(),
    100,
  );
const storedMmsi = async () =>
  (await setup.row<{ mmsi: string | null }>("SELECT mmsi FROM vessels WHERE id = $1", vesselId)).mmsi;
const positionSentences = (longitude: number, latitude = 10) =>
  sentencesOf(classA({ mmsi, longitude, latitude, speedKnots: 18, courseDegrees: 90, headingDegrees: 91 }));
const identitySentences = sentencesOf(staticData(mmsi, Number(imo)), { parts: 2 });
const lines = (...sentences: readonly string[]) => `${sentences.join("\r\n")}\r\n`;
const positionsOf = async () => (await stored()).map(({ position, source }) => [source, ...position]);

describe("vessel positions", () => {
  test("stores positions of tracked vessels that a receiver sends by UDP, and learns the MMSI", async () => {
    const probe = createSocket("udp4");
    await new Promise<void>((resolve) => probe.bind(0, "127.0.0.1", resolve));
    const { port } = probe.address();
    await new Promise<void>((resolve) => probe.close(() => resolve()));
    receive({ protocol: "nmea-udp", port });
    const sender = createSocket("udp4");
    closing.push(() => new Promise<void>((resolve) => sender.close(() => resolve())));
    const unknownVessel = sentencesOf(
      classA({ mmsi: 636_019_825, longitude: 1, latitude: 1, speedKnots: 1, courseDegrees: 1, headingDegrees: 1 }),
    );
    const datagram = lines(
      ...identitySentences,
      ...positionSentences(20),
      ...unknownVessel,
      "!AIVDM,garbage",
      "\u0000",
    );
    await eventually("the position is stored", async () => {
      sender.send(Buffer.from(datagram, "latin1"), port, "127.0.0.1");
      return (await stored()).length > 0;
    });
    expect(await stored()).toEqual([
      {
        position: [20, 10],
        at: setup.clock.now(),
        source: "nmea-udp",
        speedKnots: 18,
        courseDegrees: 90,
        headingDegrees: 91,
      },
    ]);
    expect(await storedMmsi()).toBe(String(mmsi));
    expect(counts.get("nmea-udp untracked")).toBeGreaterThan(0);
    expect(counts.get("nmea-udp malformed")).toBeGreaterThan(1);
  });

  test("connects to a receiver by TCP again after it ended the connection, and reads lines across packets", async () => {
    const sockets: Socket[] = [];
    const server: TcpServer = createServer((socket) => {
      sockets.push(socket);
      socket.on("error", () => undefined);
      const text = lines(...identitySentences, "y".repeat(5_000), ...positionSentences(20 + sockets.length / 100));
      for (const part of text.match(/[\s\S]{1,50}/g) ?? []) socket.write(part);
      socket.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    });
    receive({ protocol: "nmea-tcp", name: "roof", host: "127.0.0.1", port: (server.address() as AddressInfo).port });
    await eventually("the position is stored", async () => (await stored()).length > 0);
    setup.clock.advance(hourMs);
    await eventually("it has connected again", async () => sockets.length > 1, 20_000);
    await eventually("the next position is stored", async () => (await stored()).length > 1);
    expect((await positionsOf()).map(([source]) => source)).toEqual(["roof", "roof"]);
    expect(counts.get("roof malformed")).toBeGreaterThan(0);
  });

  test("subscribes to the stream with its key, reads it, and connects again after garbage and silence", async () => {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    await once(server, "listening");
    closing.push(() => {
      for (const client of server.clients) client.terminate();
      return new Promise((resolve) => server.close(resolve));
    });
    const subscriptions: unknown[] = [];
    const about = { MMSI: mmsi, time_utc: `${setup.clock.now().replace("T", " ").replace("Z", "000")} +0000 UTC` };
    server.on("connection", (socket) => {
      socket.on("message", (data) => {
        subscriptions.push(JSON.parse((data as Buffer).toString("utf8")));
        const send = (message: unknown) => socket.send(JSON.stringify(message));
        if (subscriptions.length === 1) return send({ error: "Api Key Is Not Valid secret-key" });
        socket.send("<html>");
        send({ MessageType: "PositionReport", MetaData: about, Message: {} });
        send({
          MessageType: "ShipStaticData",
          MetaData: about,
          Message: { ShipStaticData: { ImoNumber: Number(imo) } },
        });
        const body = { Longitude: 21, Latitude: 11, Sog: 17.5, Cog: 80, TrueHeading: 511 };
        socket.send(
          Buffer.from(
            JSON.stringify({ MessageType: "PositionReport", MetaData: about, Message: { PositionReport: body } }),
          ),
        );
      });
    });
    const { port } = server.address() as AddressInfo;
    receive({ protocol: "aisstream", apiKey: "secret-key", url: `ws://127.0.0.1:${port}/v0/stream` });
    await eventually("the position is stored", async () => (await stored()).length > 0, 20_000);
    expect(subscriptions[1]).toMatchObject({
      APIKey: "secret-key",
      BoundingBoxes: [
        [
          [-90, -180],
          [90, 180],
        ],
      ],
    });
    expect(await stored()).toMatchObject([
      { position: [21, 11], speedKnots: 17.5, headingDegrees: null, source: "aisstream" },
    ]);
    expect(counts.get("aisstream malformed")).toBe(2);
    expect(logged.join("\n")).toContain("The stream refused the subscription");
    expect(logged.join("\n")).not.toContain("secret-key");
  });

  test("connects from one of several workers, and from another one when that stops", async () => {
    const receiver = await startReceiver();
    const first = receive(receiver.source);
    await eventually("the first is connected", () => receiver.open() === 1);
    receive(receiver.source);
    receive(receiver.source);
    await delay(500);
    expect(receiver.open()).toBe(1);
    await first.stop();
    const startCount = () => logged.filter((line) => line.startsWith("ais.started")).length;
    await eventually("another one is connected", () => startCount() === 2 && receiver.open() === 1, 20_000);
    await delay(500);
    expect([startCount(), receiver.open()]).toEqual([2, 1]);
  });

  test("takes over from a worker that has vanished, and ends its connection when another one has the lease", async () => {
    const receiver = await startReceiver();
    const leaseTo = (minutes: number) =>
      setup.rows("UPDATE ais_sources SET holder = 'another', lease_until = now() + $1 * interval '1 minute'", minutes);
    const values = "('nmea-tcp', 'another', now() + interval '1 minute')";
    await setup.rows(`INSERT INTO ais_sources (name, holder, lease_until) VALUES ${values}`);
    receive(receiver.source);
    await delay(500);
    expect(receiver.open()).toBe(0);
    await leaseTo(-1);
    await eventually("it is connected", () => receiver.open() === 1, 20_000);
    await leaseTo(1);
    await eventually("it has ended its connection", () => receiver.open() === 0, 20_000);
  });

  test("polls AISHub for the tracked vessels only, and survives refusals and pages of errors", async () => {
    const requests: URLSearchParams[] = [];
    const time = `${setup.clock.now().slice(0, 19).replace("T", " ")} GMT`;
    const vessel = {
      MMSI: mmsi,
      TIME: time,
      LONGITUDE: 22,
      LATITUDE: 12,
      COG: 80,
      SOG: 16,
      HEADING: 511,
      IMO: Number(imo),
    };
    const server: Server = createHttpServer((request, response) => {
      requests.push(new URL(request.url ?? "", "http://hub").searchParams);
      const refused = [{ ERROR: true, USERNAME: "owner-secret", ERROR_MESSAGE: "Too frequent requests!" }];
      const accepted = [{ ERROR: false, RECORDS: 2 }, [vessel, { MMSI: "x" }]];
      const bodies = [JSON.stringify(refused), "<html>", JSON.stringify(accepted)];
      response.end(bodies[Math.min(requests.length, bodies.length) - 1]);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ws.php`;
    receive({ protocol: "aishub", username: "owner-secret", url, everySeconds: 1 });
    await eventually("the position is stored", async () => (await stored()).length > 0, 20_000);
    expect(await positionsOf()).toEqual([["aishub", 22, 12]]);
    expect(requests[0]?.get("imo")).toBe(imo);
    expect(requests[0]?.get("username")).toBe("owner-secret");
    expect(counts.get("aishub malformed")).toBeGreaterThan(0);
    expect(logged.join("\n")).not.toContain("owner-secret");
  });
});

test("reports invalid variables without their credentials", async () => {
  const { AisSourceList } = await import("./ais-source.ts");
  const problems = (text: string) =>
    AisSourceList.safeParse(text)
      .error?.issues.map(({ message }) => message)
      .join();
  expect(problems("[")).toBe("is not JSON");
  expect(problems('[{"protocol":"aisstream","apiKey":"secret","url":"http://a"}]')).toMatch(/at 0\.url/);
  expect(problems('[{"protocol":"nmea-udp","port":70000}]')).toMatch(/at 0\.port/);
  expect(problems('[{"protocol":"nmea-udp","port":1},{"protocol":"nmea-udp","port":2}]')).toMatch(
    /two sources of one name/,
  );
  expect(problems('[{"protocol":"aisstream","apiKey":"secret","key":"secret"}]')).not.toContain("secret");
});
