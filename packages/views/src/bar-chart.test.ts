import { expect, test } from "@jest/globals";
import { barChart } from "./bar-chart.ts";

const days = (value: number) => `${value} days`;

test("bars are in proportion, with a mark for the second value", () => {
  const rows = [
    { label: "Shanghai – Rotterdam", value: 50, mark: 100 },
    { label: "A < B", value: 25, mark: null },
  ];
  const markup = String(barChart({ description: "Transit times", rows, format: days }));
  const [first = 0, second = 0] = [...markup.matchAll(/<rect[^>]* width="([\d.]+)%"/g)].map(([, size]) => Number(size));
  expect(first / second).toBeCloseTo(2, 1);
  expect(markup.match(/class="second"/g)).toHaveLength(1);
  expect(markup).toContain(">100 days</text>");
  expect(markup).toContain("A &lt; B");
});
