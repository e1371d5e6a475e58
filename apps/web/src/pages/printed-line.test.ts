import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { visibleText } from "../testing/visible-text.ts";
import { printedLine, rowsText } from "./printed-line.ts";
import { withoutAges } from "./timestamps.ts";

const line = (now: string, filters: readonly { name: string; value: string }[] = []) =>
  String(printedLine({ filters, order: "delay, descending", rows: "3 containers", now: instant(now) }));

test("says which filters, order, count and time a printed list has", () => {
  const filters = [
    { name: "View", value: "Late" },
    { name: "Carrier", value: "MAEU" },
  ];
  expect(visibleText(line("2026-11-21T12:30:00Z", filters))).toContain(
    "Filters: View Late, Carrier MAEU. Order: delay, descending. 3 containers. As of",
  );
  expect(visibleText(line("2026-11-21T12:30:00Z"))).toContain("Filters: none. Order:");
});

test("its time alone is no other version of the page", () => {
  expect(withoutAges(line("2026-11-21T12:30:00Z"))).toBe(withoutAges(line("2026-11-21T12:45:00Z")));
});

test.each([
  [50, 1_234, "50 of 1,234 containers"],
  [1, 1, "1 container"],
  [25, null, "25 containers"],
])("%j rows of %j are %s", (displayed, total, expected) => {
  expect(rowsText(displayed, total, ["container", "containers"])).toBe(expected);
});
