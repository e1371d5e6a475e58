import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "@jest/globals";
import { CarrierConnectionList } from "../carrier-connection.ts";
import { createCarriers } from "../create-carriers.ts";
import { testCertificate } from "../testing/client-certificate.ts";
import { type CatalogueEntry, catalogue } from "./catalogue.ts";

type Choice = CatalogueEntry["credentials"][number];

const choices = catalogue.flatMap((entry) =>
  entry.credentials.map((choice) => [entry.scac, choice.label, entry, choice] as const),
);

/** The fields of the form, each filled in with a different value. */
function credentialsOf({ kind, fields }: Choice): Record<string, unknown> {
  const headers: Record<string, string> = {};
  const own: Record<string, unknown> = { kind };
  for (const { field } of fields) {
    if (field === "certificate" || field === "privateKey") own[field] = testCertificate[field];
    else if (field === "tenant") own[field] = "our-tenant";
    else if (field.startsWith("headers.")) headers[field.slice(8)] = `value of ${field.slice(8)}`;
    else own[field] = `${field} & more`;
  }
  return Object.keys(headers).length > 0 ? { ...own, headers } : own;
}

/** The request that each carrier's documentation requires, independent of the catalogue, which must agree. */
const demands: Readonly<
  Record<
    string,
    { path: string; tokenBody?: RegExp; tokenHeader?: string; headers: string[]; number: string; limit: boolean }
  >
> = {
  "HLCU api_key": {
    path: "/events",
    headers: ["x-ibm-client-id", "x-ibm-client-secret"],
    number: "HLCUABC1234567",
    limit: true,
  },
  "MAEU oauth2_client_credentials": {
    path: "/events",
    tokenBody: /^grant_type=client_credentials&client_id=clientId\+%26\+more&client_secret=clientSecret\+%26\+more$/,
    tokenHeader: "consumer-key",
    headers: ["consumer-key", "authorization"],
    number: "ABC123456",
    limit: true,
  },
  "CMDU api_key": { path: "/events", headers: ["keyid"], number: "CMDUABC123456", limit: true },
  "CMDU oauth2_client_credentials": {
    path: "/events",
    tokenBody: /scope=tandtcommercial%3Aread%3Abe\+tandtpublic%3Aread%3Abe&client_id=/,
    headers: ["authorization"],
    number: "CMDUABC123456",
    limit: true,
  },
  "ZIMU oauth2_client_credentials": {
    path: "/trackAndTrace/v2/",
    tokenBody: /scope=tracing&client_id=/,
    headers: ["authorization", "ocp-apim-subscription-key"],
    number: "ZIMUABC123456",
    limit: false,
  },
  "MSCU oauth2_private_key_jwt": {
    path: "/events",
    tokenBody:
      /^grant_type=client_credentials&scope=scope\+%26\+more&client_id=clientId\+%26\+more&client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer&client_assertion=[\w-]+\.[\w-]+\.[\w-]+$/,
    headers: ["authorization"],
    number: "MEDUAB123456",
    limit: true,
  },
  "EGLV oauth2_client_credentials": {
    path: "/tnt/v2/events",
    tokenBody: /^grant_type=client_credentials$/,
    tokenHeader: "authorization",
    headers: ["authorization"],
    number: "ABC123456",
    limit: true,
  },
};
const printed: Readonly<Record<string, string>> = {
  HLCU: "HLCUABC1234567",
  MAEU: "MAEUABC123456",
  CMDU: "CMDUABC123456",
  ZIMU: "ZIMUABC123456",
  EGLV: "EISUABC123456",
  MSCU: "MEDUAB123456",
};

const departure = (eventID: string) => ({
  eventID,
  eventType: "TRANSPORT",
  eventClassifierCode: "ACT",
  transportEventTypeCode: "DEPA",
  eventDateTime: "2026-03-05T17:45:00+08:00",
  eventCreatedDateTime: "2026-03-05T11:00:00Z",
  transportCall: { modeOfTransport: "VESSEL", UNLocationCode: "CNSHA", vessel: { vesselIMONumber: 9321483 } },
});

interface Asked {
  readonly url: URL;
  readonly method: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A server that behaves like the carrier: tokens at /token, else events. */
async function fakeOf(
  answer: (asked: Asked, count: number) => { status: number; body: unknown; headers?: Record<string, string> },
) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      const url = new URL(request.url ?? "/", "http://line");
      const received = { url, method: request.method ?? "", headers: request.headers, body };
      asked.push(received);
      const token = { status: 200, body: { access_token: "t1", expires_in: 1800 }, headers: {} };
      const reply = url.pathname === "/token" ? token : answer(received, asked.length);
      response.writeHead(reply.status, reply.headers).end(JSON.stringify(reply.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    asked,
    origin,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}

async function ask(entry: CatalogueEntry, choice: Choice, answer: Parameters<typeof fakeOf>[0]) {
  const fake = await fakeOf(answer);
  const text = JSON.stringify([
    {
      catalogue: entry.scac,
      credentials: credentialsOf(choice),
      baseUrl: fake.origin,
      tokenUrl: `${fake.origin}/token`,
    },
  ]);
  const carriers = createCarriers(CarrierConnectionList.parse(text));
  try {
    const carrier = carriers.get(entry.scac)?.shared;
    if (carrier == null) throw new Error(`${entry.scac} is not connected.`);
    const number = printed[entry.scac] ?? "";
    return {
      reply: await carrier.track({ kind: "bill_of_lading", number }, new AbortController().signal),
      asked: fake.asked,
    };
  } finally {
    await Promise.all([...carriers.values()].map((each) => each.close()));
    await fake.close();
  }
}

describe("every entry of the catalogue against a server that behaves like its carrier", () => {
  test.each(choices)(
    "%s, %s: sends the request that the carrier's documentation requires",
    async (scac, _label, entry, choice) => {
      const demand = demands[`${scac} ${choice.kind}`];
      if (demand === undefined) throw new Error(`The demands of ${scac} ${choice.kind} are not written down.`);
      const { reply, asked } = await ask(entry, choice, () => ({ status: 200, body: [departure("e1")] }));
      expect(reply).toMatchObject({ outcome: "found", drafts: [{ call: { vessel: { imo: "9321483" } } }] });
      const events = asked.at(-1) as Asked;
      expect(events.url.pathname).toBe(demand.path);
      expect(events.url.searchParams.get("transportDocumentReference")).toBe(demand.number);
      expect(events.url.searchParams.has("limit")).toBe(demand.limit);
      expect(Object.keys(events.headers)).toEqual(expect.arrayContaining(demand.headers));
      const token = asked.find(({ url }) => url.pathname === "/token");
      expect(token === undefined).toBe(demand.tokenBody === undefined);
      if (token === undefined || demand.tokenBody === undefined) return;
      expect(token.body).toMatch(demand.tokenBody);
      expect("authorization" in token.headers).toBe(demand.tokenHeader === "authorization");
      if (demand.tokenHeader !== undefined) expect(token.headers).toHaveProperty([demand.tokenHeader]);
      expect(events.headers.authorization).toBe("Bearer t1");
    },
  );

  test.each(choices)(
    "%s, %s: distinguishes not found, refused and rate limited",
    async (_scac, _label, entry, choice) => {
      const outcome = async (status: number, headers = {}) =>
        (await ask(entry, choice, () => ({ status, body: {}, headers }))).reply;
      expect(await outcome(404)).toMatchObject({ outcome: "not_found" });
      expect(await outcome(401)).toMatchObject({ outcome: "unauthorized" });
      expect(await outcome(429, { "retry-after": "7" })).toMatchObject({
        outcome: "rate_limited",
        retryAfterMs: 7_000,
      });
      expect(await outcome(500)).toMatchObject({ outcome: "unreachable" });
    },
  );

  test("CMDU: a bare cursor in Next-Page leads to the next page [issue 15.13]", async () => {
    const [, , entry, choice] = choices.find(([scac]) => scac === "CMDU") ?? choices[0]!;
    const { reply } = await ask(entry, choice, ({ url }) =>
      url.searchParams.has("cursor")
        ? { status: 200, body: [departure("e2")] }
        : { status: 200, body: [departure("e1")], headers: { "next-page": "abc" } },
    );
    expect(reply).toMatchObject({ outcome: "found", drafts: [{ sourceEventId: "e1" }, { sourceEventId: "e2" }] });
  });
});

describe("a connection from the catalogue", () => {
  const refusal = (list: unknown) => CarrierConnectionList.safeParse(JSON.stringify(list)).error?.issues[0]?.message;

  test("keeps given values, and completes limits and profile member by member", () => {
    const [connection] = CarrierConnectionList.parse(
      JSON.stringify([{ catalogue: "HLCU", ownCredentialsOnly: true, limits: { perMinute: 150 } }]),
    );
    expect(connection).toMatchObject({
      scac: "HLCU",
      baseUrl: "https://api.hlag.com/hlag/external/v2",
      ownCredentialsOnly: true,
      limits: { perMinute: 150, perDay: 6_000 },
      profile: { eventsPath: "/events" },
    });
  });

  test("is offered for the accounts' own credentials without configuration, and the operator's entry replaces it", () => {
    const offered = (list: unknown) =>
      CarrierConnectionList.parse(JSON.stringify(list)).map(({ scac, ownCredentialsOnly }) => [
        scac,
        ownCredentialsOnly,
      ]);
    const withAddress = catalogue.filter(({ connection }) => "baseUrl" in connection).map(({ scac }) => [scac, true]);
    expect(withAddress).toHaveLength(5);
    expect(offered([])).toEqual(withAddress);
    const maersk = { catalogue: "MAEU", credentials: { kind: "api_key", headers: { "Consumer-Key": "key" } } };
    expect(offered([maersk])).toEqual([["MAEU", false], ...withAddress.filter(([scac]) => scac !== "MAEU")]);
  });

  test("requires the base URL of a carrier with one URL per customer", () => {
    expect(refusal([{ catalogue: "EGLV" }])).toMatch(/^at 0.baseUrl/);
  });

  test("rejects an unknown entry", () => {
    expect(refusal([{ catalogue: "XXXX", credentials: { kind: "none" } }])).toBe(
      `at 0.catalogue: must be one of ${catalogue.map(({ scac }) => scac).join(", ")}`,
    );
  });
});

test.each(catalogue.map((entry) => [entry.scac, entry] as const))(
  "docs/carriers.md links the page of %s",
  (scac, { name, verified }) => {
    const guide = readFileSync(new URL("../../../../docs/carriers.md", import.meta.url), "utf8");
    expect(guide).toContain(`| \`${scac}\` | [${name}](carriers/${scac.toLowerCase()}.md) | ${verified} |`);
  },
);
