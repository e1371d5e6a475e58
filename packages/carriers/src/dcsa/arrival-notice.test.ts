import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { CarrierReply } from "../carrier.ts";
import { CarrierConnection } from "../carrier-connection.ts";
import { createCarriers } from "../create-carriers.ts";

const places = { timeZoneOf: (locode: string) => (locode === "USLAX" ? "America/Los_Angeles" : null) };
const one = "MSKU0000006";
const other = "MSKU0000011";

const notice = (freeTimes: readonly object[], members: object = {}): object => ({
  issueDateTime: "2026-03-01T08:00:00Z",
  transportDocumentReference: "ABC123",
  pickupInformation: {
    pickupLocation: {
      locationName: "Pier 400",
      UNLocationCode: "USLAX",
      facilityTypeCode: "POTE",
      facility: { facilityCode: "AMS", facilityCodeListProvider: "SMDG" },
    },
  },
  utilizedTransportEquipments: [
    { equipment: { equipmentReference: one, ISOEquipmentCode: "22G1" } },
    { equipment: { equipmentReference: other, ISOEquipmentCode: "45G1" } },
  ],
  freeTimes,
  ...members,
});
const until = (value: string, classifier?: string) => ({ lastFreeDate: { value, classifier } });

describe("arrival notices of a line", () => {
  let stubResponse: { status?: number; pages: readonly unknown[] } = { pages: [] };
  const requests: { url: string; headers: Record<string, unknown> }[] = [];
  const server = createServer((request, response) => {
    const url = request.url ?? "";
    requests.push({ url, headers: request.headers });
    const page = Number(new URL(url, "http://line").searchParams.get("cursor") ?? 0);
    if (page + 1 < stubResponse.pages.length) response.setHeader("Next-Page-Cursor", String(page + 1));
    response.writeHead(stubResponse.status ?? 200, { "content-type": "application/json" });
    response.end(JSON.stringify(stubResponse.pages[page] ?? {}));
  });
  let carrier: ReturnType<typeof connect>;
  function connect() {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const connection = CarrierConnection.parse({
      scac: "MAEU",
      protocol: "dcsa-2.2",
      baseUrl,
      arrivalNoticesUrl: `${baseUrl}/an/v1/arrival-notices`,
      credentials: { kind: "api_key", headers: { "Consumer-Key": "secret-key" } },
      profile: { billOfLadingPrefix: "without" },
    });
    const offered = createCarriers([connection], places).get("MAEU");
    if (!offered?.shared) throw new Error("MAEU is not offered.");
    return offered.shared;
  }
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    carrier = connect();
  });
  afterAll(async () => {
    await carrier.close();
    server.closeAllConnections();
    server.close();
  });

  async function track(...notices: readonly object[]): Promise<CarrierReply> {
    stubResponse = { pages: [{ arrivalNotices: notices }] };
    return query();
  }
  async function query(): Promise<CarrierReply> {
    const trackQuery = { kind: "container", number: one, places: ["USLAX"], transportDocument: "MAEUABC123" } as const;
    return (await carrier.track(trackQuery, new AbortController().signal)) as CarrierReply;
  }
  const daysOf = (reply: CarrierReply) =>
    reply.outcome !== "found"
      ? reply.outcome
      : {
          skipped: reply.skipped,
          days: reply.drafts.map(({ containerNumber, classifier, pickup }) => [
            containerNumber,
            classifier,
            pickup?.aspect === "last_free_day" && pickup.lastFreeDayAt,
          ]),
        };

  test("are asked for by bill of lading with the credentials of the line", async () => {
    requests.length = 0;
    const reply = await track(notice([{ typeCodes: ["DEM"], ...until("2026-03-09", "ACT") }]));
    expect(requests).toHaveLength(1);
    const [request] = requests;
    expect(request?.url).toBe("/an/v1/arrival-notices?transportDocumentReferences=ABC123&includeVisualization=false");
    expect(request?.headers).toMatchObject({ "consumer-key": "secret-key", "api-version": "1.0.0" });
    if (reply.outcome !== "found") throw new Error(reply.outcome);
    expect(reply.drafts[0]).toMatchObject({
      eventAt: "2026-03-01T08:00:00.000Z",
      dataSource: "shipping_line",
      documentType: "ARN",
      place: { locode: "USLAX", name: "Pier 400", facilityCode: "AMS", facilityCodeProvider: "SMDG" },
      pickup: { aspect: "last_free_day", setBy: "line", lastFreeDayAt: "2026-03-09T07:00:00.000Z" },
    });
    expect(reply.drafts.map(({ containerNumber }) => containerNumber)).toEqual([one, other]);
  });

  /** Midnight in Los Angeles, where summer time begins on 8 March. */
  const day = "2026-03-09T07:00:00.000Z";
  const cases: readonly [string, readonly object[], object][] = [
    [
      "no date is computed from a duration",
      [{ typeCodes: ["DEM"], duration: 5, timeUnit: "CD" }],
      { skipped: 0, days: [] },
    ],
    [
      "detention and storage are others",
      [{ typeCodes: ["DET", "STO"], ...until("2026-03-09") }],
      { skipped: 0, days: [] },
    ],
    ["an unknown type is counted", [{ typeCodes: ["PDM"], ...until("2026-03-09") }], { skipped: 1, days: [] }],
    ["an unknown classifier is counted", [until("2026-03-09", "REQ")], { skipped: 1, days: [] }],
    ["an unreadable date is counted", [{ equipmentReferences: [one], ...until("soon") }], { skipped: 1, days: [] }],
    [
      "an unknown container is counted",
      [{ equipmentReferences: ["ABCU1"], ...until("2026-03-09") }],
      { skipped: 1, days: [] },
    ],
    [
      "a group of types is not guessed",
      [{ ISOEquipmentCodes: ["22GP"], ...until("2026-03-09") }],
      { skipped: 1, days: [] },
    ],
    [
      "a type of container",
      [{ ISOEquipmentCodes: ["45G1"], ...until("2026-03-09") }],
      { skipped: 0, days: [[other, "ACT", day]] },
    ],
    [
      "an estimate stays one",
      [{ equipmentReferences: [one], ...until("2026-03-09", "EST") }],
      { skipped: 0, days: [[one, "EST", day]] },
    ],
    [
      "the earliest of several",
      [
        { equipmentReferences: [one], ...until("2026-03-12") },
        { equipmentReferences: [one], ...until("2026-03-09") },
      ],
      { skipped: 0, days: [[one, "ACT", day]] },
    ],
    [
      "a time counts as its local day",
      [{ equipmentReferences: [one], lastFreeDateTime: { value: "2026-03-10T05:00:00Z", classifier: "ACT" } }],
      { skipped: 0, days: [[one, "ACT", day]] },
    ],
  ];
  test.each(cases)("%s", async (_title, freeTimes, expected) => {
    expect(daysOf(await track(notice(freeTimes)))).toEqual(expected);
  });

  test("are read together from several pages", async () => {
    const page = (value: string, container: string) => ({
      arrivalNotices: [notice([{ equipmentReferences: [container], ...until(value) }])],
    });
    stubResponse = { pages: [page("2026-03-02", one), page("2026-03-03", other), { arrivalNotices: [] }] };
    const reply = await query();
    expect(reply).toMatchObject({ requests: 3 });
    const days = [
      [one, "ACT", "2026-03-02T08:00:00.000Z"],
      [other, "ACT", "2026-03-03T08:00:00.000Z"],
    ];
    expect(daysOf(reply)).toEqual({ skipped: 0, days });
  });

  test.each([
    ["404", { status: 404, pages: [{}] }, { outcome: "not_found" }],
    ["an empty list", { pages: [{ arrivalNotices: [] }] }, { outcome: "not_found" }],
    ["401", { status: 401, pages: [{}] }, { outcome: "unauthorized" }],
    ["an object without notices", { pages: [{ notices: [] }] }, { outcome: "unrecognized" }],
    [
      "a notice of another bill of lading",
      { pages: [{ arrivalNotices: [notice([], { transportDocumentReference: "XYZ9" })] }] },
      { outcome: "unrecognized", detail: "an arrival notice is about another bill of lading" },
    ],
    [
      "a notice without a reference",
      { pages: [{ arrivalNotices: [notice([], { transportDocumentReference: "" })] }] },
      { outcome: "unrecognized" },
    ],
    [
      "a notice whose reference has the prefix of the line",
      { pages: [{ arrivalNotices: [notice([until("2026-03-09")], { transportDocumentReference: "MAEUABC123" })] }] },
      { outcome: "found", skipped: 0 },
    ],
    [
      "a notice without a time of issue",
      { pages: [{ arrivalNotices: [notice([until("2026-03-09")], { issueDateTime: null })] }] },
      { outcome: "found", drafts: [], skipped: 1 },
    ],
  ])("%s is distinguished", async (_title, stub, expected) => {
    stubResponse = stub;
    expect(await query()).toMatchObject(expected);
  });

  test.each([
    ["notices", { pages: [{ arrivalNotices: [notice([until("2026-03-09")])] }] }, "found"],
    ["no notice", { pages: [{ arrivalNotices: [] }] }, "not_found"],
    ["an invalid number", { status: 400, pages: [{}] }, "rejected"],
    ["refused credentials", { status: 403, pages: [{}] }, "unauthorized"],
    ["an error of the server", { status: 500, pages: [{}] }, "unreachable"],
    ["another document", { pages: [{}] }, "unrecognized"],
  ])("%s says nothing about the polls for events", async (_title, stub, outcome) => {
    stubResponse = stub;
    expect(await query()).toMatchObject({ outcome, isOfArrivalNotices: true });
  });

  test("share the limits of the polls for events", async () => {
    stubResponse = { status: 429, pages: [{}] };
    const reply = await query();
    expect(reply.outcome).toBe("rate_limited");
    expect(reply).not.toHaveProperty("isOfArrivalNotices");
  });

  test("have an address for DCSA lines only", () => {
    const stub = {
      scac: "HDMU",
      protocol: "hmm-1",
      baseUrl: "https://line.test",
      arrivalNoticesUrl: "https://line.test/an",
    };
    expect(CarrierConnection.safeParse(stub).error?.issues[0]?.message).toContain("dcsa-2.2 and dcsa-3 only");
  });
});
