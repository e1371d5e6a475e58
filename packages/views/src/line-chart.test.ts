import { expect, test } from "@jest/globals";
import { lineChart, roundTop } from "./line-chart.ts";

const chart = (...series: (readonly (number | null)[])[]) =>
  String(
    lineChart({
      description: "Latency",
      series: series.map((values, index) => ({ name: `p${index}`, values })),
      labels: ["21 Nov", "22 Nov"],
      format: (value) => `${value} ms`,
    }),
  );

test("the scale ends at a round number above all values", () => {
  expect([0, 1, 3, 42, 500, 601].map(roundTop)).toEqual([2, 2, 4, 60, 600, 1000]);
  expect(chart([30, 420])).toContain(">600 ms</text>");
});

test("a missing value interrupts the line, and a single value is a point", () => {
  const markup = chart([10, 20, null, 40, null, 60, 70]);
  expect(markup.match(/d="M\d+ \d+L\d+ \d+M\d+ \d+M\d+ \d+L\d+ \d+"/)).not.toBeNull();
  expect(markup.match(/<circle/g)).toHaveLength(1);
});

test("several lines have a legend, and a chart without values is empty", () => {
  expect(chart([1, 2], [3, 4])).toContain('<span class="key line-key-2">p1</span>');
  expect(chart([1, 2])).not.toContain("figcaption");
  expect(chart([null, null])).not.toMatch(/NaN|Infinity/);
});

test.each([
  [["1 Nov", "2 Nov"], []],
  [["1 Nov", "2 Nov", "3 Nov"], ["2 Nov"]],
  [
    ["1 Nov", "2 Nov", "3 Nov", "4 Nov", "5 Nov"],
    ["2 Nov", "4 Nov"],
  ],
])("a narrow screen leaves out every second one of the labels %j", (labels, between) => {
  const markup = String(
    lineChart({ description: "Latency", series: [{ name: "p50", values: [1, 2] }], labels, format: String }),
  );
  expect([...markup.matchAll(/class="between"[^>]*>([^<]+)</g)].map(([, label]) => label)).toEqual(between);
});
