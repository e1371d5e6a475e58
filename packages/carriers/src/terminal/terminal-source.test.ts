import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { TerminalConnection, TerminalConnectionList } from "./terminal-connection.ts";
import { TerminalSource } from "./terminal-source.ts";

const container = "SBXU0000019";
const facility = {
  UNLocationCode: "USLAX",
  facilityCode: "LAXT1",
  facilityCodeListProvider: "SMDG",
  timeZone: "America/Los_Angeles",
};
const since = "2026-03-05T10:00:00Z";

describe("a terminal source", () => {
  let server: Server;
  let terminal: TerminalSource;
  let stubResponse: { status: number; body: string } = { status: 404, body: "{}" };
  let requested = "";

  beforeAll(async () => {
    server = createServer((request, response) => {
      requested = `${request.url} ${request.headers["x-key"]}`;
      response.writeHead(stubResponse.status, { "content-type": "application/json" }).end(stubResponse.body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const connection = {
      code: "PORTX",
      protocol: "svc-terminal-1",
      baseUrl,
      headers: { "X-Key": "k" },
      locodes: ["USLAX"],
    };
    terminal = new TerminalSource(TerminalConnection.parse(connection));
  });
  afterAll(async () => {
    await terminal.close();
    await new Promise((resolve) => server.close(resolve));
  });

  const track = (status: number, body: unknown) => {
    stubResponse = { status, body: typeof body === "string" ? body : JSON.stringify(body) };
    return terminal.track({ kind: "container", number: container }, new AbortController().signal);
  };
  const visit = (parts: object) => ({ containerNumber: container, visits: [{ facility, ...parts }] });

  test("requests the container with credentials in headers", async () => {
    await track(404, {});
    expect(requested).toBe(`/terminal/v1/containers/${container} k`);
    expect([terminal.serves("USLAX"), terminal.serves("NLRTM")]).toEqual([true, false]);
  });

  test("reads texts without characters that the database rejects, and refuses a hold without a name", async () => {
    const held = (name: string) =>
      visit({ holds: { since, list: [{ name, description: "see\u0000 customs \ud800" }] } });
    expect(await track(200, held("cust\u0000oms"))).toMatchObject({
      outcome: "found",
      drafts: [{ pickup: { holds: [{ name: "cust oms", description: "see  customs \ufffd" }] } }],
    });
    expect((await track(200, held("\u0000"))).outcome).not.toBe("found");
  });

  test("reads a date as midnight in the terminal's time zone", async () => {
    const reply = await track(200, visit({ lastFreeDay: { since, day: "2026-03-09" } }));
    expect(reply).toMatchObject({
      outcome: "found",
      drafts: [
        {
          eventType: "TERMINAL",
          containerNumber: container,
          statedAt: "2026-03-05T10:00:00.000Z",
          dataSource: "terminal",
          pickup: { aspect: "last_free_day", setBy: "terminal", lastFreeDayAt: "2026-03-09T07:00:00.000Z" },
        },
      ],
    });
  });

  test("an inland terminal's last free day is the railway's, and its gate moves concern the container", async () => {
    const gateMoves = [{ direction: "out", at: since, since, isEmpty: false, chassisNumber: "C1" }];
    const body = {
      containerNumber: container,
      visits: [
        { facility: { ...facility, facilityTypeCode: "RAMP" }, lastFreeDay: { since, day: "2026-03-09" }, gateMoves },
      ],
    };
    expect(await track(200, body)).toMatchObject({
      drafts: [
        { dataSource: "rail", pickup: { setBy: "rail" } },
        { eventType: "EQUIPMENT", code: "GTOT", isEmpty: false, chassisNumber: "C1", call: { mode: "TRUCK" } },
      ],
    });
  });

  test.each([
    ["HTML", 200, "<html>", "unrecognized"],
    ["another container's report", 200, { ...visit({}), containerNumber: "SBXU0000024" }, "unrecognized"],
    ["a part of the wrong shape", 200, visit({ holds: { since, list: "none" } }), "unrecognized"],
    ["a time that is none", 200, visit({ availability: { since: "yesterday", isAvailable: true } }), "unrecognized"],
    ["a visit that says nothing", 200, visit({}), "not_found"],
    ["nothing", 404, {}, "not_found"],
    ["a refused key", 401, {}, "unauthorized"],
    ["patience", 429, {}, "rate_limited"],
    ["a failing server", 503, {}, "unreachable"],
  ])("%s", async (_what, status, body, outcome) => {
    expect((await track(status, body)).outcome).toBe(outcome);
  });
});

describe("the list of connections", () => {
  const read = (text: string) => TerminalConnectionList.safeParse(text);
  const connection = {
    code: "PORTX",
    protocol: "svc-terminal-1",
    baseUrl: "https://t.example",
    headers: { key: "s3cret" },
  };

  test.each([
    ["no JSON", "[", /is not JSON/],
    ["a code twice", JSON.stringify([connection, connection]), /names a code twice/],
    [
      "credentials in the address",
      JSON.stringify([{ ...connection, baseUrl: "https://u:s3cret@t.example" }]),
      /at 0.baseUrl/,
    ],
    ["an unknown member", JSON.stringify([{ ...connection, key: "s3cret" }]), /at 0/],
  ])("rejects %s without showing a value", (_what, text, message) => {
    const result = read(text);
    expect(result.error?.message).toMatch(message);
    expect(result.error?.message).not.toContain("s3cret");
  });
});
