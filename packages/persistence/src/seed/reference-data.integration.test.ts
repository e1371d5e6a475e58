import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createTestDatabase } from "@svc/testkit";
import { connectDatabase, type Database } from "../database.ts";
import { seedReferenceData } from "./reference-data.ts";

let database: Database;

beforeAll(async () => {
  const url = await createTestDatabase(fileURLToPath(new URL("../../prisma/migrations", import.meta.url)));
  database = connectDatabase({ url, applicationName: "test", onIdleError: () => undefined });
});
afterAll(() => database.close());

describe("reference data", () => {
  test("a second run changes no id and repairs what was changed", async () => {
    await seedReferenceData(database);
    const before = await database.prisma.port.findUniqueOrThrow({ where: { locode: "NLRTM" } });
    const ports = await database.prisma.port.count();
    await database.prisma.port.update({ where: { locode: "NLRTM" }, data: { name: "ROTTERDAM" } });
    await seedReferenceData(database);
    expect(await database.prisma.port.findUniqueOrThrow({ where: { locode: "NLRTM" } })).toEqual(before);
    expect(await database.prisma.port.count()).toBe(ports);
  });

  test("every core port has a zone that the platform knows, and coordinates on the globe", async () => {
    const ports = await database.prisma.port.findMany();
    expect(ports.length).toBeGreaterThan(300);
    for (const port of ports) {
      expect(() => new Intl.DateTimeFormat("en", { timeZone: port.timeZone ?? "missing" })).not.toThrow();
      expect(Math.abs(port.latitude ?? 999)).toBeLessThanOrEqual(90);
      expect(Math.abs(port.longitude ?? 999)).toBeLessThanOrEqual(180);
    }
  });

  test("aliases lead to their port, and the patterns of every line compile", async () => {
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
