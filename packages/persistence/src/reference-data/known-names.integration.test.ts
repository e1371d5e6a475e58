import { beforeAll, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import type { AccountSql } from "../sql.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createKnownNames, type RequestedNames } from "./known-names.ts";

const accountId = uuidV7.next();
const [portId, areaId, terminalId, vesselId, unknownId] = Array.from({ length: 5 }, () => uuidV7.next());
const everything: RequestedNames = {
  ids: [portId ?? "", areaId ?? "", terminalId ?? "", vesselId ?? "", null],
  scac: "KNWN",
};

const database = started(() => openTestDatabase({ applicationName: "known-names-test" }));
let statementCount: number;
let nowMs: number;
beforeAll(async () => {
  const { prisma } = database;
  await prisma.port.create({
    data: { id: portId ?? "", locode: "XXPRT", name: "Port", countryCode: "XX", timeZone: "Etc/UTC", source: "core" },
  });
  await prisma.metroArea.create({ data: { id: areaId ?? "", locode: "XXMET", name: "Area", countryCode: "XX" } });
  await prisma.terminal.create({
    data: { id: terminalId ?? "", portId: portId ?? "", kind: "rail_terminal", name: "Ramp", source: "test" },
  });
  await prisma.vessel.create({ data: { id: vesselId ?? "", imo: "9000001", name: "Vessel" } });
  await prisma.shippingLine.create({
    data: { id: uuidV7.next(), scac: "KNWN", name: "Known Line", shortName: "Known" },
  });
});
const sql: AccountSql = {
  rows(statement, values) {
    statementCount++;
    return database.tenantSql.rows(statement, values);
  },
  execute: () => Promise.reject(new Error("Names are only read.")),
};

function createNameCache() {
  statementCount = 0;
  nowMs = 0;
  const known = createKnownNames(() => nowMs);
  return (...requested: RequestedNames[]) => known.of(sql, accountId, requested);
}

test("reads all kinds with one statement and caches them for a minute", async () => {
  const findNames = createNameCache();
  for (let time = 0; time < 60; time++) {
    nowMs = time * 1_000;
    const names = await findNames(everything, everything);
    const port = { id: portId, kind: "port", locode: "XXPRT", name: "Port", timeZone: "Etc/UTC" };
    expect(names.place(portId ?? "")).toEqual(port);
    expect(names.place(areaId ?? "")).toMatchObject({ kind: "metro_area", locode: "XXMET", timeZone: null });
    expect(names.terminal(terminalId ?? "")).toEqual({ id: terminalId, kind: "rail_terminal" });
    expect(names.vessel(vesselId ?? "")).toEqual({ name: "Vessel", imo: "9000001" });
    expect(names.line("KNWN")).toEqual({ name: "Known Line", shortName: "Known" });
    expect([names.place(null), names.terminal(portId ?? ""), names.vessel(terminalId ?? "")]).toEqual([
      null,
      null,
      null,
    ]);
  }
  expect(statementCount).toBe(1);
});

test("reads only names that are not cached, and caches unknown ids too", async () => {
  const findNames = createNameCache();
  await findNames({ ids: [portId ?? ""], scac: "KNWN" });
  const unknown: RequestedNames = { ids: [portId ?? "", unknownId ?? ""], scac: "GONE" };
  const names = await findNames(unknown);
  expect([names.place(unknownId ?? ""), names.line("GONE")]).toEqual([null, null]);
  await findNames(unknown);
  expect(statementCount).toBe(2);
});

test("shows a new name within a minute", async () => {
  const findNames = createNameCache();
  await findNames(everything);
  await database.prisma.vessel.update({ where: { id: vesselId ?? "" }, data: { name: "Renamed" } });
  nowMs = 60_000;
  expect((await findNames(everything)).vessel(vesselId ?? "")?.name).toBe("Renamed");
  expect(statementCount).toBe(2);
});

test("removes unused names, and never one that a caller still reads", async () => {
  const findNames = createNameCache();
  const names = await findNames(everything);
  nowMs = 61_000;
  await findNames({ ids: [], scac: "GONE" });
  expect(names.place(portId ?? "")?.locode).toBe("XXPRT");
  nowMs = 200_000;
  await findNames({ ids: [], scac: "GONE" });
  expect(names.place(portId ?? "")).toBeNull();
});
