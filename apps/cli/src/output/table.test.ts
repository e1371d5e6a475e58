import { describe, expect, test } from "@jest/globals";
import { cell, flattenFields, formatCells } from "./cells.ts";
import { displayWidth, plainText, shortened } from "./plain-text.ts";
import { renderFields, renderTable } from "./table.ts";

const plain = { columns: 40, colour: false };

describe("tables", () => {
  test("columns are as wide as their longest cell, and nothing trails", () => {
    expect(
      renderTable(
        ["A", "BB"],
        [
          ["long", "x"],
          ["y", ""],
        ],
        plain,
      ),
    ).toBe("A     BB\nlong  x\ny\n");
  });

  test("shrinks the widest column until the line fits", () => {
    const rows = [
      ["MAEU262175000", "a very long name of a place that does not fit in full", "0197a1b2-0000-7000-8000"],
    ];
    for (const columns of [40, 60, 80]) {
      const lines = renderTable(["NUMBER", "PLACE", "ID"], rows, { columns, colour: false }).trim().split("\n");
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    }
    expect(renderTable(["NUMBER", "PLACE"], [["MAEU262175000", "x".repeat(90)]], plain)).toContain("MAEU262175000");
  });

  test("wide characters take two columns", () => {
    expect(displayWidth("上海港")).toBe(6);
    expect(shortened("上海港", 5)).toBe("上海…");
    expect(
      renderTable(
        ["P", "N"],
        [
          ["上海", "1"],
          ["ab", "2"],
        ],
        plain,
      ),
    ).toBe("P     N\n上海  1\nab    2\n");
  });

  test("no text can move the cursor, colour or reverse what follows", () => {
    const hostile = "a\u001b[2Jb\u0007\nc\u202ed\u2028e";
    expect(plainText(hostile)).toBe("a [2Jb c d e");
    expect(renderTable(["T"], [[hostile]], plain).split("\n")).toHaveLength(3);
    expect(renderFields([["name", hostile]], plain)).toBe("name  a [2Jb c d e\n");
  });
});

describe("values", () => {
  test.each([
    ["2026-10-20T07:30:00.000Z", "2026-10-20 07:30"],
    ["MAEU", "MAEU"],
    [null, ""],
    [false, "no"],
    [["a", null, "b"], "a, b"],
    [[{ type: "demurrage", amount: 120 }], "demurrage 120"],
  ])("%j is shown as %j", (value, expected) => {
    expect(cell(value)).toBe(expected);
  });

  test("a path that leads nowhere is an empty cell", () => {
    const record = { ports: { portOfDischarge: null } };
    expect(formatCells(record, [{ title: "ETA", path: "ports.portOfDischarge.eta" }])).toEqual([""]);
  });

  test("omits null fields of a record, and names groups", () => {
    const record = { id: "1", podEtaAt: null, ports: { portOfLading: { locode: "CNSHA" } }, tags: [] };
    expect(flattenFields(record)).toEqual([
      ["id", "1"],
      ["ports port of lading locode", "CNSHA"],
    ]);
  });
});
