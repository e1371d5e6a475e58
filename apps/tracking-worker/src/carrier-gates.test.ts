import { expect, test } from "@jest/globals";
import type { CarrierReply } from "@svc/carriers";
import { CarrierGates } from "./carrier-gates.ts";

const received = { body: new Uint8Array(), url: "https://line.test", httpStatus: 200 };
const down: CarrierReply = { outcome: "unreachable", detail: "down" };
const up: CarrierReply = { outcome: "not_found", ...received };

test("a carrier never gets more places than its limit, and a broken-off question frees its place", () => {
  const gates = new CarrierGates(2, () => 0);
  gates.begin("MAEU");
  expect(gates.freePlaces().get("MAEU")).toBe(1);
  gates.begin("MAEU");
  expect(gates.freePlaces().get("MAEU")).toBe(0);
  gates.end("MAEU", null);
  expect(gates.freePlaces().get("MAEU")).toBe(1);
});

test("a carrier that is down is probed by one poll at a time until it answers", () => {
  const gates = new CarrierGates(4, () => 0);
  const ask = (reply: CarrierReply): void => {
    gates.begin("MAEU");
    gates.end("MAEU", reply);
  };
  for (let failures = 0; failures < 5; failures++) ask(down);
  expect(gates.freePlaces().get("MAEU")).toBe(1);
  ask(up);
  expect(gates.freePlaces().get("MAEU")).toBe(4);
});

test("a carrier that asks for patience gets no poll until its time is over", () => {
  let now = 0;
  const gates = new CarrierGates(4, () => now);
  gates.begin("MAEU");
  gates.end("MAEU", { outcome: "rate_limited", retryAfterMs: 30_000, ...received });
  expect(gates.freePlaces().get("MAEU")).toBe(0);
  now = 30_000;
  expect(gates.freePlaces().get("MAEU")).toBe(4);
});
