import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { CarrierConnection, createCarriers, type PolledReply } from "@svc/carriers";
import { instant } from "@svc/domain";
import { deriveShipment, type PlaceDirectory } from "@svc/domain/derivation";
import type { Observation } from "@svc/domain/observations";
import type { Database } from "@svc/persistence";
import { loadPlaceDirectory } from "@svc/persistence/reference-data";
import { seedReferenceData } from "@svc/persistence/seed";
import { openTestDatabase } from "@svc/persistence/testing";
import { type ServiceProcess, startServiceProcess } from "@svc/testkit";

const entry = fileURLToPath(new URL("../../../carrier-sandbox/src/main.ts", import.meta.url));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-quirks-"));

let sandbox: ServiceProcess;
let database: Database;
let places: PlaceDirectory & { readonly timeZoneOf: (locode: string) => string | null };

beforeAll(async () => {
  sandbox = await startServiceProcess(entry, { SVC_SANDBOX_DATA_DIR: folder, LOG_LEVEL: "warn" }, 90_000);
  database = await openTestDatabase();
  await seedReferenceData(database);
  places = await loadPlaceDirectory(database.sql);
  await setClock("PUT", "", { paused: true });
  await poll({});
  await setClock("POST", "/advance", { by: "20d" });
}, 120_000);
afterAll(async () => {
  await sandbox?.stop();
  await database?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const setClock = (method: string, route: string, body: object) =>
  fetch(`${sandbox.url}/_sandbox/clock${route}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

type Profile = Partial<CarrierConnection["profile"]>;

/** A bill of lading with more than four pages of twenty events. */
async function poll(profile: Profile, quirks?: string, number = "SBXSPL000005"): Promise<PolledReply> {
  const headers = { "Consumer-Key": "demo", ...(quirks && { "Sandbox-Quirks": quirks }) };
  const pageSize = profile.pageSize === undefined ? 20 : profile.pageSize;
  const line = { scac: "SBXL", protocol: "dcsa-2.2", baseUrl: sandbox.url, headers, profile: { ...profile, pageSize } };
  const carriers = createCarriers([CarrierConnection.parse(line)], { timeZoneOf: places.timeZoneOf });
  try {
    const carrier = carriers.get("SBXL")?.shared;
    if (!carrier) throw new Error("The sandbox line is not connected.");
    return await carrier.track({ kind: "bill_of_lading", number }, new AbortController().signal);
  } finally {
    await Promise.all([...carriers.values()].map((carrier) => carrier.close()));
  }
}

/** The derived shipment, without the ids of observations. */
function shipmentOf(reply: PolledReply) {
  if (reply.outcome !== "found") throw new Error(`The reply is ${reply.outcome}.`);
  const observedAt = instant("2100-01-01T00:00:00Z");
  const facts = reply.drafts.map((draft, index): Observation => ({ ...draft, id: `fact-${index}`, observedAt }));
  const { attributes, containers } = deriveShipment(facts, places);
  const valuesOf = (all: object) => Object.fromEntries(Object.entries(all).map(([name, { value }]) => [name, value]));
  return {
    shipment: valuesOf(attributes),
    containers: containers.map((one) => ({
      number: one.number,
      attributes: valuesOf(one.attributes),
      events: one.events.map(({ event, occurredAt }) => [event, occurredAt]),
    })),
  };
}

const profiles: readonly (readonly [quirk: string, profile: Profile])[] = [
  ["plan_spelling", {}],
  ["wrapped_body", {}],
  ["header_aliases", { nextPageHeaders: ["x-next-page"] }],
  ["bare_cursor", {}],
  ["no_cursor", { nextPageHeaders: [], pageSize: null }],
  ["missing_offset", {}],
  ["local_as_zulu", { offsetIsLocal: true }],
  ["prefix_required", { billOfLadingPrefix: "with" }],
  ["prefix_refused", { billOfLadingPrefix: "without" }],
  ["unstable_call_ids", { stableTransportCallIds: false }],
  ["created_at_reply", {}],
  ["plan_spelling,wrapped_body,header_aliases,prefix_refused", { nextPageHeaders: ["x-next-page"] }],
];

describe("a carrier with quirks, polled over HTTP with the matching profile", () => {
  test.each(profiles)("%s: the shipment is the same", async (quirk, profile) => {
    const plain = shipmentOf(await poll({}));
    expect(plain.containers).toHaveLength(3);
    expect(plain.containers[0]?.events.length).toBeGreaterThan(2);
    expect(shipmentOf(await poll(profile, quirk))).toEqual(plain);
  });

  test.each([
    ["header_aliases", "only the first page is read"],
    ["local_as_zulu", "the hours are wrong"],
    ["prefix_required", "the number is not found"],
    ["no_cursor", "the question is refused"],
  ])("%s without its profile: %s", async (quirk) => {
    const reply = await poll({}, quirk);
    const received = reply.outcome === "found" ? shipmentOf(reply) : reply.outcome;
    expect(received).not.toEqual(shipmentOf(await poll({})));
  });

  test("removes a prefix that the carrier rejects, and adds one that it requires", async () => {
    const prefixedNumber = "SBXLSBXSPL000005";
    expect((await poll({}, "prefix_refused", prefixedNumber)).outcome).toBe("unreachable");
    expect((await poll({ billOfLadingPrefix: "without" }, "prefix_refused", prefixedNumber)).outcome).toBe("found");
    expect((await poll({ billOfLadingPrefix: "with" }, "prefix_required", prefixedNumber)).outcome).toBe("found");
  });

  test("quirks in an account's credentials apply to its own requests only", async () => {
    const line = { scac: "SBXL", protocol: "dcsa-2.2", baseUrl: sandbox.url, headers: { "Consumer-Key": "demo" } };
    const carriers = createCarriers([CarrierConnection.parse(line)], { timeZoneOf: places.timeZoneOf });
    const offered = carriers.get("SBXL");
    const headers = { "Sandbox-Quirks": "wrapped_body, plan_spelling" };
    const query = { kind: "bill_of_lading", number: "SBXSPL000005" } as const;
    const { signal } = new AbortController();
    try {
      const shared = await offered?.shared?.track(query, signal);
      const own = await offered?.withCredentials?.({ kind: "api_key", headers }).track(query, signal);
      if (shared?.outcome !== "found" || own?.outcome !== "found") throw new Error("The sandbox line did not answer.");
      expect([Buffer.from(shared.body).toString()[0], Buffer.from(own.body).toString()[0]]).toEqual(["[", "{"]);
      expect(shipmentOf(own)).toEqual(shipmentOf(shared));
    } finally {
      await Promise.all([...carriers.values()].map((carrier) => carrier.close()));
    }
  });

  test("rejects an unknown quirk", async () => {
    const headers = { "Consumer-Key": "demo", "Sandbox-Quirks": "wrapped_body, singing" };
    const response = await fetch(`${sandbox.url}/v2/events?limit=1`, { headers });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("singing")]);
  });
});
