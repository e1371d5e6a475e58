import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { CarrierConnection } from "../carrier-connection.ts";
import { DcsaCarrier } from "../dcsa/dcsa-carrier.ts";
import { unknownPlaces } from "../place-lookup.ts";
import { coscoDialect } from "./cosco-dialect.ts";

const containerNumber = (index: number): string => `CBHU${String(index).padStart(7, "0")}`;
const reply = (content: unknown): string => JSON.stringify({ code: 0, data: { content } });

/** A bill of lading is called by the number of its containers. */
const server = createServer((request, response) => {
  const number = (request.url ?? "").split("?")[0]?.split("/").at(-1) ?? "";
  const containers = Array.from({ length: Number(number) || 0 }, (_, index) => ({
    containerNumber: containerNumber(index),
  }));
  const status = {
    containerNumber: number,
    containerNumberStatus: "Loaded at First POL",
    timeOfIssue: "2026-01-05 17:00",
  };
  const isBill = containers.length > 0;
  response.setHeader("content-type", "application/json");
  response.end(
    reply(isBill ? { containerStatus: [{ containers }] } : { containers: [{ containerCircleStatus: [status] }] }),
  );
});
let carrier: DcsaCarrier;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = CarrierConnection.parse({ scac: "COSU", protocol: "cosco-1", baseUrl });
  carrier = new DcsaCarrier({ connection, dialect: coscoDialect, places: unknownPlaces });
});

afterAll(async () => {
  await carrier.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const track = (number: string) => carrier.track({ kind: "bill_of_lading", number }, new AbortController().signal);

test("a bill of lading of more than a hundred containers has the events of each", async () => {
  const found = await track("150");
  expect(found).toMatchObject({ outcome: "found", requests: 151, skipped: 0 });
  const drafts = found.outcome === "found" ? found.drafts : [];
  expect(new Set(drafts.map((draft) => draft.containerNumber)).size).toBe(150);
});

test("a bill of lading of too many containers is refused before they are requested", async () => {
  expect(await track("501")).toMatchObject({
    outcome: "unrecognized",
    detail: "more than 500 containers",
    requests: 1,
  });
});
