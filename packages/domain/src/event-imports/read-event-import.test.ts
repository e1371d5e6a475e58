import { describe, expect, test } from "@jest/globals";
import { readCsv } from "./read-csv.ts";
import { importRowsMax, readEventImport } from "./read-event-import.ts";

const row = {
  scac: "MAEU",
  number: "B/L no. 123-456",
  event_code: "LOAD",
  classifier: "ACT",
  event_time: "2026-03-05T17:45:00+08:00",
};
const json = (...rows: unknown[]) => readEventImport("json", JSON.stringify({ rows }));
const faultsOf = (read: ReturnType<typeof json>) =>
  "faults" in read ? read.faults.map(({ row: number, column }) => [number, column]) : [];

describe("CSV", () => {
  test("quotes, commas and line ends within them, a byte order mark, empty lines", () => {
    expect(readCsv('\uFEFFa,b\r\n"x, ""y""\r\nz", 2 \n\nlast,')).toEqual([
      { line: 1, fields: ["a", "b"] },
      { line: 2, fields: ['x, "y"\r\nz', "2"] },
      { line: 5, fields: ["last", ""] },
    ]);
    expect(readCsv("")).toEqual([]);
  });

  test("each record uses its own of several separators", () => {
    expect(readCsv('a;b\n1,2 , "x, y" \n"3, 4"; 5, 6\n7\t\t8', ",;\t")).toEqual([
      { line: 1, fields: ["a", "b"] },
      { line: 2, fields: ["1", "2", "x, y"] },
      { line: 3, fields: ["3, 4", "5, 6"] },
      { line: 4, fields: ["7", "", "8"] },
    ]);
  });

  test.each(['a,"b', 'a,b"c', '"a"b,c'])("%s is refused", (text) => {
    expect(readCsv(text)).toContain("Line 1");
  });

  test("has the events of the same rows as JSON", () => {
    const complete = {
      ...row,
      container_number: "msku 000000-6",
      locode: "CNSHA",
      mode: "VESSEL",
      vessel_imo: "9321483",
      empty: "LADEN",
    };
    const csv = `${Object.keys(complete).join(",")}\n${Object.values(complete).join(",")}\n`;
    const read = readEventImport("csv", csv);
    expect(read).toEqual(json(complete));
    expect("events" in read && read.events[0]).toMatchObject({
      number: "123456",
      draft: {
        eventAt: "2026-03-05T09:45:00.000Z",
        containerNumber: "MSKU0000006",
        isEmpty: false,
        eventType: "EQUIPMENT",
      },
    });
  });

  test.each([
    ["an unknown column", "scac,nummer\nMAEU,1"],
    ["a column twice", "scac,scac\nMAEU,1"],
    ["only a header", "scac,number"],
    ["nothing", ""],
  ])("reports %s as a fault of the file", (_name, text) => {
    expect(faultsOf(readEventImport("csv", text))).toEqual([[null, null]]);
  });

  test("a row with too few fields is named", () => {
    expect(faultsOf(readEventImport("csv", "scac,number,event_code\nMAEU,1"))).toEqual([[1, null]]);
  });
});

describe("rows", () => {
  test("reports every fault of every row and imports nothing of such a file", () => {
    const good = { ...row, container_number: "MSKU0000006" };
    const read = json(good, { ...good, event_code: "FLY", event_time: "2026-03-05T17:45:00" }, { ...row }, 7, {
      ...good,
      extra: "x",
    });
    expect(faultsOf(read)).toEqual([
      [2, "event_code"],
      [2, "event_time"],
      [3, "container_number"],
      [4, null],
      [5, null],
    ]);
  });

  test.each([
    ["scac", "maeu"],
    ["number", "x"],
    ["classifier", "PLAN"],
    ["event_time", "2026-13-05T17:45:00Z"],
    ["event_time", "2026-02-30T17:45:00+08:00"],
    ["event_time", "2026-02-30T17:45:00.000Z"],
    ["event_time", "0000-01-01T00:00:00.000Z"],
    ["event_time", "2026-03-05"],
    ["locode", "SHA"],
    ["vessel_imo", "9321484"],
    ["mode", "SHIP"],
    ["empty", "yes"],
    ["equipment_type", "40"],
    ["vessel_name", "a\u0000b"],
    ["voyage", "x".repeat(251)],
    ["facility_type", "PORT"],
  ])("rejects column %s with %p", (column, value) => {
    expect(faultsOf(json({ ...row, container_number: "MSKU0000006", [column]: value }))).toEqual([[1, column]]);
  });

  test.each(["[]", "null", "{", '{"rows": {}}', '{"rows": []}'])("rejects %s as a file of events", (text) => {
    expect(faultsOf(readEventImport("json", text))).toEqual([[null, null]]);
  });

  test("accepts the maximum number of rows and no more", () => {
    const rows = Array.from({ length: importRowsMax + 1 }, () => row);
    expect(faultsOf(json(...rows))).toEqual([[null, null]]);
  });
});
