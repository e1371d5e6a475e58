import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import { CarrierConnection } from "../carrier-connection.ts";
import { unknownPlaces } from "../place-lookup.ts";
import { DcsaCarrier } from "./dcsa-carrier.ts";
import { version2 } from "./dcsa-dialect.ts";

type Responder = (request: IncomingMessage, response: ServerResponse, count: number) => void;

const event = (id: number) => ({
  eventID: `event-${id}`,
  eventType: "TRANSPORT",
  eventClassifierCode: "ACT",
  eventDateTime: "2026-03-05T17:45:00Z",
  eventCreatedDateTime: "2026-03-05T17:45:00Z",
  transportEventTypeCode: "DEPA",
});

const json =
  (status: number, value: unknown, headers: Record<string, string> = {}): Responder =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
  };

describe("a DCSA carrier over HTTP", () => {
  const opened: { server: Server; carrier: DcsaCarrier }[] = [];

  afterEach(async () => {
    for (const { server, carrier } of opened.splice(0)) {
      await carrier.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  async function connect(
    respond: Responder,
    options: Partial<Record<"profile" | "timeoutMs" | "maxBodyBytes", unknown>> = {},
  ) {
    const asked: { url: string; headers: IncomingMessage["headers"] }[] = [];
    const listener: RequestListener = (request, response) => {
      asked.push({ url: request.url ?? "", headers: request.headers });
      respond(request, response, asked.length);
    };
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/carrier`;
    const connection = CarrierConnection.parse({
      scac: "SBXL",
      protocol: "dcsa-2.2",
      baseUrl,
      headers: { "Consumer-Key": "s3cret" },
      ...options,
    });
    const carrier = new DcsaCarrier({ connection, dialect: version2, places: unknownPlaces });
    opened.push({ server, carrier });
    const track = (number = "ABC123", signal = new AbortController().signal) =>
      carrier.track({ kind: "bill_of_lading", number }, signal);
    return { track, carrier, asked, baseUrl };
  }

  test("sends a DCSA 2.2 request with the connection's headers", async () => {
    const { carrier, asked } = await connect(json(200, [event(1)]));
    const { signal } = new AbortController();
    await carrier.track({ kind: "bill_of_lading", number: "A B&C" }, signal);
    await carrier.track({ kind: "booking_number", number: "B1" }, signal);
    await carrier.track({ kind: "container", number: "MSKU0000006" }, signal);
    expect(asked.map((each) => each.url)).toEqual([
      "/carrier/v2/events?transportDocumentReference=A+B%26C&limit=100",
      "/carrier/v2/events?carrierBookingReference=B1&limit=100",
      "/carrier/v2/events?equipmentReference=MSKU0000006&limit=100",
    ]);
    expect(asked[0]?.headers).toMatchObject({ "api-version": "2", "consumer-key": "s3cret" });
  });

  test("found: the bytes as received, with the number of skipped events", async () => {
    const { track, baseUrl } = await connect(json(200, [event(1), { eventType: "WEATHER" }, event(2)]));
    const reply = await track();
    if (reply.outcome !== "found") throw new Error(reply.outcome);
    expect(reply.drafts.map((draft) => draft.sourceEventId)).toEqual(["event-1", "event-2"]);
    expect(reply).toMatchObject({
      skipped: 1,
      httpStatus: 200,
      url: `${baseUrl}/v2/events?transportDocumentReference=ABC123&limit=100`,
    });
    expect(JSON.parse(Buffer.from(reply.body).toString())).toHaveLength(3);
  });

  test("a container query ignores the other containers of a departure", async () => {
    const references = ["MSKU0000006", "APZU4812090"].map((referenceValue) => ({
      referenceType: "EQ",
      referenceValue,
    }));
    const { carrier } = await connect(json(200, [{ ...event(1), references }, event(2)]));
    const query = { kind: "container", number: "MSKU 000000-6" } as const;
    const reply = await carrier.track(query, new AbortController().signal);
    if (reply.outcome !== "found") throw new Error(reply.outcome);
    expect(reply.drafts.map((draft) => draft.containerNumber)).toEqual(["MSKU0000006", null]);
  });

  test("reads a list wrapped in an object", async () => {
    const { track } = await connect(json(200, { events: [event(1)] }));
    expect(await track()).toMatchObject({ outcome: "found", skipped: 0 });
  });

  test.each<[string, Responder, object]>([
    ["404", json(404, {}), { outcome: "not_found", httpStatus: 404 }],
    ["204", (_request, response) => response.writeHead(204).end(), { outcome: "not_found", httpStatus: 204 }],
    ["an empty list", json(200, []), { outcome: "not_found", httpStatus: 200 }],
    ["400", json(400, {}), { outcome: "rejected", reason: "invalid_number" }],
    ["422", json(422, {}), { outcome: "rejected", reason: "invalid_number" }],
    ["401", json(401, {}), { outcome: "unauthorized" }],
    ["403", json(403, {}), { outcome: "unauthorized" }],
    ["429 with seconds", json(429, {}, { "retry-after": "7" }), { outcome: "rate_limited", retryAfterMs: 7_000 }],
    ["429 without", json(429, {}), { outcome: "rate_limited", retryAfterMs: null }],
    [
      "429 with a date",
      json(429, {}, { "retry-after": "Thu, 05 Mar 2026 10:00:30 GMT", date: "Thu, 05 Mar 2026 10:00:00 GMT" }),
      { outcome: "rate_limited", retryAfterMs: 30_000 },
    ],
    ["503 with Retry-After", json(503, {}, { "retry-after": "1" }), { outcome: "rate_limited", retryAfterMs: 1_000 }],
    ["503 without", json(503, {}), { outcome: "unreachable", detail: "status 503" }],
    ["500", json(500, {}), { outcome: "unreachable", detail: "status 500" }],
    [
      "a redirect",
      json(302, {}, { location: "http://127.0.0.1:1/" }),
      { outcome: "unrecognized", detail: "status 302" },
    ],
    ["418", json(418, {}), { outcome: "unrecognized" }],
    ["HTML", (_request, response) => response.end("<html>"), { outcome: "unrecognized" }],
    ["JSON of another kind", json(200, { message: "hello" }), { outcome: "unrecognized" }],
    [
      "a list without one readable event",
      json(200, [1, {}]),
      { outcome: "unrecognized", detail: "none of 2 events can be read" },
    ],
    ["a closed connection", (request) => request.socket.destroy(), { outcome: "unreachable" }],
    [
      "a body that ends too early",
      (_request, response) => {
        response.writeHead(200, { "content-length": "1000" }).write("[");
        response.destroy();
      },
      { outcome: "unreachable" },
    ],
  ])("%s", async (_name, respond, expected) => {
    const { track, asked } = await connect(respond);
    expect(await track()).toMatchObject(expected);
    expect(asked).toHaveLength(1);
  });

  test("a refused connection is unreachable", async () => {
    const { carrier, track } = await connect(json(200, []));
    await carrier.close();
    expect((await track()).outcome).toBe("unreachable");
  });

  test("a response that does not end in time is unreachable, even while bytes arrive", async () => {
    const { track } = await connect(
      (_request, response) => {
        response.writeHead(200).write("[");
        const drip = setInterval(() => response.write(" "), 10);
        response.once("close", () => clearInterval(drip));
      },
      { timeoutMs: 150 },
    );
    expect(await track()).toMatchObject({ outcome: "unreachable", detail: "no complete response within 150 ms" });
  });

  test("rejects a body over the limit and stores only its beginning", async () => {
    const { track } = await connect((_request, response) => response.end("[".repeat(200_000)), {
      maxBodyBytes: 100_000,
    });
    const reply = await track();
    if (reply.outcome !== "unrecognized") throw new Error(reply.outcome);
    expect(reply.body.byteLength).toBe(65_536);
  });

  test("throws the reason of the caller's abort", async () => {
    const caller = new AbortController();
    const { track } = await connect(() => caller.abort(new Error("lease lost")));
    await expect(track("ABC123", caller.signal)).rejects.toThrow("lease lost");
  });

  describe("pages", () => {
    const pages =
      (count: number, last: Responder = json(200, [event(count)])): Responder =>
      (request, response, asked) =>
        (asked < count ? json(200, [event(asked)], { "next-page": `/carrier/v2/events?cursor=${asked + 1}` }) : last)(
          request,
          response,
          asked,
        );

    test("are read in order and stored as one document", async () => {
      const { track, asked } = await connect(pages(3));
      const reply = await track();
      if (reply.outcome !== "found") throw new Error(reply.outcome);
      expect(reply.drafts.map((draft) => draft.sourceEventId)).toEqual(["event-1", "event-2", "event-3"]);
      expect(JSON.parse(Buffer.from(reply.body).toString())).toEqual([[event(1)], [event(2)], [event(3)]]);
      expect(asked[2]?.url).toBe("/carrier/v2/events?cursor=3");
      expect(asked[2]?.headers["consumer-key"]).toBe("s3cret");
    });

    test("a missing page makes the whole reply unreachable", async () => {
      for (const last of [json(500, {}), json(404, {}), json(400, {}), json(302, {})]) {
        const { track } = await connect(pages(3, last));
        expect((await track()).outcome).toBe("unreachable");
      }
    });

    test("a rate limit on a later page makes the reply rate limited", async () => {
      const { track } = await connect(pages(2, json(429, {}, { "retry-after": "3" })));
      expect(await track()).toMatchObject({ outcome: "rate_limited", retryAfterMs: 3_000 });
    });

    test("credentials never go to another origin", async () => {
      const otherCarrier = await connect(json(200, [event(9)]));
      const { track } = await connect(json(200, [event(1)], { "next-page": `${otherCarrier.baseUrl}/v2/events` }));
      expect((await track()).outcome).toBe("unrecognized");
      expect(otherCarrier.asked).toEqual([]);
    });

    test("end at the maximum number", async () => {
      const { track, asked } = await connect(pages(1_000));
      expect(await track()).toMatchObject({ outcome: "unrecognized", detail: "more than 100 pages" });
      expect(asked).toHaveLength(100);
    });

    test("an invalid page makes the whole reply unrecognized", async () => {
      const { track } = await connect(pages(2, json(200, "nonsense")));
      expect(await track()).toMatchObject({ outcome: "unrecognized", detail: "page 2 is not a list of events" });
    });

    test("the byte limit applies to all pages together", async () => {
      const { track } = await connect(pages(30), { maxBodyBytes: 2_000 });
      expect(await track()).toMatchObject({ outcome: "unrecognized", detail: "larger than 2000 bytes" });
    });

    test("a page that links to itself is the last", async () => {
      const { track } = await connect((request, response, count) =>
        json(200, [event(1)], { "next-page": request.url ?? "" })(request, response, count),
      );
      expect(await track()).toMatchObject({ outcome: "found" });
    });

    test.each(["eyJwYWdlIjoyfQ==", "c2", "2", "page=2"])(
      "a bare cursor %j in Next-Page is sent as the cursor",
      async (cursor) => {
        const { track, asked } = await connect((request, response, count) =>
          json(200, [event(count)], count === 1 ? { "next-page": cursor } : {})(request, response, count),
        );
        expect(await track()).toMatchObject({ drafts: [{ sourceEventId: "event-1" }, { sourceEventId: "event-2" }] });
        const second = new URL(asked[1]?.url ?? "", "http://line");
        expect([second.pathname, second.searchParams.get("cursor")]).toEqual(["/carrier/v2/events", cursor]);
        expect(second.searchParams.get("transportDocumentReference")).toBe("ABC123");
      },
    );

    test("a bare query in Next-Page is a relative URL", async () => {
      const { track, asked } = await connect((request, response, count) =>
        json(200, [event(count)], count === 1 ? { "next-page": "?cursor=2" } : {})(request, response, count),
      );
      expect(await track()).toMatchObject({ outcome: "found" });
      expect(asked[1]?.url).toBe("/carrier/v2/events?cursor=2");
    });

    test("the profile selects the headers of the next page, or none", async () => {
      const respond: Responder = (request, response, count) =>
        json(200, [event(count)], count === 1 ? { "x-next": "/carrier/v2/events?cursor=2" } : {})(
          request,
          response,
          count,
        );
      const aliased = await connect(respond, { profile: { nextPageHeaders: ["X-Next"], pageSize: null } });
      expect(await aliased.track()).toMatchObject({
        drafts: [{ sourceEventId: "event-1" }, { sourceEventId: "event-2" }],
      });
      expect(aliased.asked[0]?.url).not.toContain("limit");
      const pageless = await connect(pages(3), { profile: { nextPageHeaders: [] } });
      expect(await pageless.track()).toMatchObject({ drafts: [{ sourceEventId: "event-1" }] });
    });
  });
});
