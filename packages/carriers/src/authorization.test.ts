import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { z } from "zod";
import { CarrierConnection } from "./carrier-connection.ts";
import { DcsaCarrier } from "./dcsa/dcsa-carrier.ts";
import { version2 } from "./dcsa/dcsa-dialect.ts";
import { unknownPlaces } from "./place-lookup.ts";

const opened: { server: Server; carrier: DcsaCarrier }[] = [];
afterEach(async () => {
  for (const { server, carrier } of opened.splice(0)) {
    await carrier.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

interface Line {
  /** Tokens issued by the server, newest last. */
  tokens: string[];
  tokenStatus: number;
  tokenDelayMs: number;
  expiresIn: number;
  /** The Authorization header that the carrier accepts. */
  accepts: (authorization: string | undefined) => boolean;
  asked: { path: string; headers: IncomingMessage["headers"]; body: string }[];
}

async function connect(credentials: z.input<typeof CarrierConnection>["credentials"], overrides: Partial<Line> = {}) {
  const line: Line = {
    tokens: [],
    tokenStatus: 200,
    tokenDelayMs: 0,
    expiresIn: 299,
    accepts: () => true,
    asked: [],
    ...overrides,
  };
  const respond = async (request: IncomingMessage, response: ServerResponse, body: string) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    line.asked.push({ path, headers: request.headers, body });
    if (path === "/token") {
      const token = `token-${line.tokens.push(`token-${line.tokens.length + 1}`)}`;
      await setTimeout(line.tokenDelayMs);
      response.writeHead(line.tokenStatus).end(JSON.stringify({ access_token: token, expires_in: line.expiresIn }));
      return;
    }
    response.writeHead(line.accepts(request.headers.authorization) ? 200 : 401).end("[]");
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => void respond(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = CarrierConnection.parse({
    scac: "CMDU",
    protocol: "dcsa-2.2",
    baseUrl,
    tokenUrl: `${baseUrl}/token`,
    credentials,
  });
  const carrier = new DcsaCarrier({ connection, dialect: version2, places: unknownPlaces });
  opened.push({ server, carrier });
  const track = (signal = new AbortController().signal) =>
    carrier.track({ kind: "bill_of_lading", number: "A1" }, signal);
  return { line, track, carrier };
}

const client = { kind: "oauth2_client_credentials", clientId: "me", clientSecret: "s3cret&", scope: "tnt" } as const;

test("sends basic credentials, those of an account instead of the service's", async () => {
  const { line, track, carrier } = await connect({ kind: "basic", username: "me", password: "s3cret" });
  await track();
  expect(line.asked[0]?.headers.authorization).toBe(`Basic ${Buffer.from("me:s3cret").toString("base64")}`);
  const own = carrier.withCredentials({ kind: "api_key", headers: { KeyId: "theirs" } });
  await own.track({ kind: "container", number: "B1" }, new AbortController().signal);
  expect(line.asked[1]?.headers).toMatchObject({ keyid: "theirs" });
  expect(line.asked[1]?.headers.authorization).toBeUndefined();
});

describe("OAuth2 client credentials", () => {
  test("are exchanged once for concurrent requests, and the token is cached (RFC 6749)", async () => {
    const { line, track } = await connect({ ...client, headers: { "Consumer-Key": "beside" } });
    const replies = await Promise.all([track(), track(), track()]);
    await track();
    const tokens = line.asked.filter(({ path }) => path === "/token");
    expect(tokens.map(({ body }) => body)).toEqual(["grant_type=client_credentials&scope=tnt"]);
    expect(tokens[0]?.headers.authorization).toBe(`Basic ${Buffer.from("me:s3cret%26").toString("base64")}`);
    const [events] = line.asked.filter(({ path }) => path === "/v2/events");
    expect(events?.headers).toMatchObject({ authorization: "Bearer token-1", "consumer-key": "beside" });
    expect(replies.map(({ requests }) => requests).sort()).toEqual([1, 1, 2]);
  });

  test("a caller that gives up does not wait for the token, which the others receive", async () => {
    const { track } = await connect(client, { tokenDelayMs: 500 });
    const caller = new AbortController();
    const abandoned = expect(track(caller.signal)).rejects.toThrow("stopping");
    const others = Promise.race([track(), abandoned.then(() => "abandoned first")]);
    caller.abort(new Error("stopping"));
    expect(await others).toBe("abandoned first");
    expect(await track()).toMatchObject({ outcome: "not_found", requests: 1 });
  });

  test("renews a token shortly before it expires", async () => {
    const { line, track } = await connect(client, { expiresIn: 0.05 });
    await track();
    await setTimeout(60);
    await track();
    expect(line.tokens).toHaveLength(2);
  });

  test("renews a token once when it is refused before it expires, but not a new one", async () => {
    const { line, track } = await connect(client);
    await track();
    line.accepts = (authorization) => authorization === "Bearer token-2";
    expect(await track()).toMatchObject({ outcome: "not_found", requests: 3 });
    line.accepts = () => false;
    expect(await track()).toMatchObject({ outcome: "unauthorized", httpStatus: 401 });
    expect(line.tokens).toHaveLength(3);
  });

  test.each([
    [400, "unauthorized"],
    [401, "unauthorized"],
    [500, "unreachable"],
    [429, "rate_limited"],
  ])(
    "when the token server answers %d, the outcome is %s and no events are requested",
    async (tokenStatus, outcome) => {
      const { line, track } = await connect(client, { tokenStatus });
      const reply = await track();
      expect(reply.outcome).toBe(outcome);
      expect(JSON.stringify(reply)).not.toContain("s3cret");
      expect(line.asked.map(({ path }) => path)).toEqual(["/token"]);
    },
  );
});
