import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { CarrierConnection, CarrierConnectionList } from "../carrier-connection.ts";
import { createCarriers } from "../create-carriers.ts";

interface StubResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly document?: unknown;
}

describe("a poll of a terminal operator with two requests", () => {
  const number = "WFHU5080179";
  const state: StubResponse = { status: 200, document: [{ containerId: number, readyForDelivery: "true" }] };
  /** Null: the connection ends without a response. */
  let history: StubResponse | null = null;
  const server = createServer((request, response) => {
    const stubResponse = request.url?.startsWith("/container-event-history") ? history : state;
    if (stubResponse === null) {
      request.socket.destroy();
      return;
    }
    response.writeHead(stubResponse.status, { "content-type": "application/json", ...stubResponse.headers });
    response.end(JSON.stringify(stubResponse.document ?? {}));
  });
  let carrier: ReturnType<typeof connect>;
  function connect() {
    const [catalogued] = CarrierConnectionList.parse("[]").filter(({ scac }) => scac === "APMT");
    const connection = CarrierConnection.parse({
      scac: "APMT",
      protocol: "apm-terminals-1",
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      credentials: { kind: "api_key", headers: { "Consumer-Key": "secret-key" } },
      terminal: catalogued?.terminal,
    });
    const offered = createCarriers([connection]).get("APMT");
    if (!offered?.shared) throw new Error("APMT is not offered.");
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

  const limited = { outcome: "rate_limited", httpStatus: 429, retryAfterMs: 120_000 };
  const unreachable = { outcome: "unreachable" };
  const stateOnly = { outcome: "found", drafts: [{ code: "AVAILABILITY" }] };
  test.each<[string, StubResponse | null, object]>([
    ["a limit holds for the whole poll", { status: 429, headers: { "retry-after": "120" } }, limited],
    ["a pause of the server, too", { status: 503, headers: { "retry-after": "120" } }, { ...limited, httpStatus: 503 }],
    ["an error of the server is a poll without an answer", { status: 500 }, unreachable],
    ["so is a connection that ends", null, unreachable],
    ["events that the credentials do not include leave the state", { status: 403 }, stateOnly],
    ["so do events that are not found", { status: 404 }, stateOnly],
  ])("of the second one, %s", async (_what, stub, expected) => {
    history = stub;
    const query = { kind: "container", number, places: ["USLAX"] } as const;
    expect(await carrier.track(query, new AbortController().signal)).toMatchObject({ ...expected, requests: 2 });
  });
});
