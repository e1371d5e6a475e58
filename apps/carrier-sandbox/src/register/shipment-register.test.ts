import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { ShipmentRegister } from "./shipment-register.ts";

describe("the register of shipments", () => {
  let folder: string;
  const path = () => join(folder, "shipments.jsonl");
  const at = Date.parse("2026-01-01T10:00:00.000Z");

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "sandbox-register-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("a shipment is booked by its first question and never again", () => {
    const register = new ShipmentRegister(path());
    expect(register.findOrAdd("SBXDIR000001", at)).toEqual({ number: "SBXDIR000001", bookedAt: at });
    expect(register.findOrAdd("SBXDIR000001", at + 5).bookedAt).toBe(at);
    expect(register.all()).toHaveLength(1);
    register.close();
  });

  test("what was answered survives without an orderly stop", () => {
    new ShipmentRegister(path()).findOrAdd("SBXDIR000001", at);
    const register = new ShipmentRegister(path());
    expect(register.find("SBXDIR000001")).toEqual({ number: "SBXDIR000001", bookedAt: at });
    register.close();
  });

  test("a register that somebody damaged is not guessed at", () => {
    appendFileSync(path(), "not a shipment\n");
    expect(() => new ShipmentRegister(path())).toThrow("shipments.jsonl:1 is no shipment");
  });

  test("a line that a crash cut short is dropped, and the next one is whole", () => {
    new ShipmentRegister(path()).findOrAdd("SBXDIR000001", at);
    appendFileSync(path(), '{"number":"SBXDIR0000');
    const register = new ShipmentRegister(path());
    expect(register.all().map((each) => each.number)).toEqual(["SBXDIR000001"]);
    register.findOrAdd("SBXTSP000002", at + 1);
    register.close();
    const again = new ShipmentRegister(path());
    expect(again.all().map((each) => each.number)).toEqual(["SBXDIR000001", "SBXTSP000002"]);
    again.close();
  });
});
