import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { CarrierConnection } from "../carrier-connection.ts";
import { unknownPlaces } from "../place-lookup.ts";
import { DcsaCarrier } from "./dcsa-carrier.ts";
import { version2 } from "./dcsa-dialect.ts";

const event = {
  eventID: "event-1",
  eventType: "TRANSPORT",
  eventClassifierCode: "ACT",
  eventDateTime: "2026-03-05T17:45:00Z",
  eventCreatedDateTime: "2026-03-05T17:45:00Z",
  transportEventTypeCode: "DEPA",
};
const sha256 = (text: string) => createHash("sha256").update(text).digest();

describe("an unchanged reply", () => {
  let pages: readonly string[];
  let status: number;
  let server: Server;
  let carrier: DcsaCarrier;

  beforeEach(async () => {
    status = 200;
    server = createServer((request, response) => {
      const page = Number(new URL(request.url ?? "", "http://line").searchParams.get("cursor") ?? 0);
      const next = page + 1 < pages.length ? { "next-page-cursor": String(page + 1) } : {};
      response.writeHead(status, { "content-type": "application/json", ...next }).end(pages[page]);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const connection = CarrierConnection.parse({ scac: "SBXL", protocol: "dcsa-2.2", baseUrl });
    carrier = new DcsaCarrier({ connection, dialect: version2, places: unknownPlaces });
  });
  afterEach(async () => {
    await carrier.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const track = (knownHash: Uint8Array | null) =>
    carrier.track({ kind: "bill_of_lading", number: "ABC123", knownHash }, new AbortController().signal);

  test("is not parsed, but can be on demand", async () => {
    pages = [JSON.stringify([event])];
    const reply = await track(sha256(pages[0]!));
    if (reply.outcome !== "unchanged") throw new Error(reply.outcome);
    expect(reply).toMatchObject({ httpStatus: 200, requests: 1, body: Buffer.from(pages[0]!) });
    expect(reply.read()).toMatchObject({ outcome: "found", drafts: [{ sourceEventId: "event-1" }], skipped: 0 });
  });

  test("is recognized by all its pages together, which are fetched without parsing the first", async () => {
    pages = [JSON.stringify([event]), "no list of events"];
    const complete = `[${pages.join(",")}]`;
    const reply = await track(sha256(complete));
    if (reply.outcome !== "unchanged") throw new Error(reply.outcome);
    expect(reply.requests).toBe(2);
    expect(reply.read()).toMatchObject({ outcome: "unrecognized", detail: "page 2 is not a list of events" });
    expect((await track(sha256(pages[0]!))).outcome).toBe("unrecognized");
  });

  test.each([
    ["parses other bytes", sha256("[]"), "found"],
    ["parses a reply without a known hash", null, "found"],
  ])("%s", async (_, known, outcome) => {
    pages = [JSON.stringify([event])];
    expect((await track(known)).outcome).toBe(outcome);
  });

  test("the same bytes with an error status are an error", async () => {
    pages = [JSON.stringify([event])];
    status = 404;
    expect((await track(sha256(pages[0]!))).outcome).toBe("not_found");
  });
});
