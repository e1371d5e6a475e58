import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { ShipmentRegister } from "./shipment-register.ts";

describe("ShipmentRegister", () => {
  let folder: string;
  const path = () => join(folder, "shipments.jsonl");
  const at = Date.parse("2026-01-01T10:00:00.000Z");

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "sandbox-register-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("books a shipment at its first request only", () => {
    const register = new ShipmentRegister(path());
    expect(register.findOrAdd("SBXDIR000001", at)).toEqual({ number: "SBXDIR000001", bookedAt: at });
    expect(register.findOrAdd("SBXDIR000001", at + 5).bookedAt).toBe(at);
    expect(register.all()).toHaveLength(1);
    register.close();
  });

  test("keeps a registration without an orderly stop", () => {
    new ShipmentRegister(path()).findOrAdd("SBXDIR000001", at);
    const register = new ShipmentRegister(path());
    expect(register.find("SBXDIR000001")).toEqual({ number: "SBXDIR000001", bookedAt: at });
    register.close();
  });

  test("rejects a damaged file", () => {
    appendFileSync(path(), "not a shipment\n");
    expect(() => new ShipmentRegister(path())).toThrow("shipments.jsonl:1 is not a shipment");
  });

  test("drops a line that a crash cut short and writes the next one whole", () => {
    new ShipmentRegister(path()).findOrAdd("SBXDIR000001", at);
    appendFileSync(path(), '{"number":"SBXDIR0000');
    const register = new ShipmentRegister(path());
    expect(register.all().map((each) => each.number)).toEqual(["SBXDIR000001"]);
    register.findOrAdd("SBXTSP000002", at + 1);
    register.close();
    const reopened = new ShipmentRegister(path());
    expect(reopened.all().map((each) => each.number)).toEqual(["SBXDIR000001", "SBXTSP000002"]);
    reopened.close();
  });
});
