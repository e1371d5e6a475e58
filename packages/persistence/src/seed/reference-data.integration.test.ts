import { describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { loadPlaceDirectory } from "../reference-data/place-directory.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { seedReferenceData } from "./reference-data.ts";

const database = started(openTestDatabase);

describe("reference data", () => {
  test("keeps the ids and restores changed values in a second run", async () => {
    await seedReferenceData(database);
    const before = await database.prisma.port.findUniqueOrThrow({ where: { locode: "NLRTM" } });
    const ports = await database.prisma.port.count();
    await database.prisma.port.update({ where: { locode: "NLRTM" }, data: { name: "ROTTERDAM" } });
    await seedReferenceData(database);
    expect(await database.prisma.port.findUniqueOrThrow({ where: { locode: "NLRTM" } })).toEqual(before);
    expect(await database.prisma.port.count()).toBe(ports);
  });

  test("has inland places with rail service as metro areas, also when a carrier's reply created a port stub", async () => {
    await database.prisma.port.create({
      data: { id: uuidV7.next(), locode: "USCHI", name: "CHICAGO", countryCode: "US", source: "carrier" },
    });
    const places = await loadPlaceDirectory(database.sql);
    expect(places.kindOf("USCHI")).toBe("metro_area");
    expect(places.timeZoneOf("USCHI")).toBe("America/Chicago");
    expect(places.kindOf("USLAX")).toBe("port");
    expect(places.kindOf("ZZZZZ")).toBeNull();
  });

  test("has a known time zone and valid coordinates for every core port", async () => {
    const ports = await database.prisma.port.findMany({ where: { source: "core" } });
    expect(ports.length).toBeGreaterThan(300);
    for (const port of ports) {
      expect(() => new Intl.DateTimeFormat("en", { timeZone: port.timeZone ?? "missing" })).not.toThrow();
      expect(Math.abs(port.latitude ?? 999)).toBeLessThanOrEqual(90);
      expect(Math.abs(port.longitude ?? 999)).toBeLessThanOrEqual(180);
    }
  });

  test("names a terminal that a carrier reported by its code, and keeps its id", async () => {
    const where = { smdgCode: "TRAP", port: { locode: "USLAX" } };
    const { id, portId } = await database.prisma.terminal.findFirstOrThrow({ where });
    await database.prisma.terminal.delete({ where: { id } });
    const stub = { id: uuidV7.next(), portId, kind: "terminal", name: "TRAP", smdgCode: "TRAP", source: "carrier" };
    await database.prisma.terminal.create({ data: stub });
    await seedReferenceData(database);
    expect(await database.prisma.terminal.findFirstOrThrow({ where })).toMatchObject({
      id: stub.id,
      name: "TraPac Container Terminal",
      firmsCode: "Y258",
      source: "core",
    });
  });

  test("packages terminals of known ports with codes in the formats of their lists", async () => {
    const terminals = await database.prisma.terminal.findMany({ where: { source: "core" }, include: { port: true } });
    expect(terminals.length).toBeGreaterThan(80);
    for (const { port, smdgCode, firmsCode, city, country } of terminals) {
      expect([port?.source, smdgCode, city, country]).toEqual([
        "core",
        expect.stringMatching(/^[A-Z0-9]{2,6}$/),
        expect.any(String),
        expect.any(String),
      ]);
      if (firmsCode !== null) {
        expect([port?.countryCode, firmsCode]).toEqual(["US", expect.stringMatching(/^[A-Z]\d{3}$/)]);
      }
    }
  });

  test("has the city of nearly every core port, and the state of every port in the United States", async () => {
    const ports = await database.prisma.port.findMany({ where: { source: "core" } });
    expect(ports.filter(({ city }) => city === null).length).toBeLessThan(5);
    const american = ports.filter(({ countryCode }) => countryCode === "US");
    for (const { stateAbbr } of american) expect(stateAbbr).toMatch(/^[A-Z]{2}$/);
  });

  test("resolves aliases to their port, and has valid patterns for every shipping line", async () => {
    const alias = await database.prisma.portAlias.findUniqueOrThrow({
      where: { locode: "CNSGH" },
      include: { port: true },
    });
    expect(alias.port.locode).toBe("CNSHA");
    const lines = await database.prisma.shippingLine.findMany();
    expect(lines.map((line) => line.scac)).toEqual(expect.arrayContaining(["MAEU", "MSCU", "SBXL", "TEST"]));
    for (const line of lines)
      for (const pattern of line.billOfLadingPatterns) expect(() => new RegExp(pattern)).not.toThrow();
  });
});
