import { describe, expect, test } from "@jest/globals";
import { addMs, dayMs, instant } from "@svc/domain";
import type { ChangeRecord } from "../shipments/api-records.ts";
import { changeRuns, feeGrowthText } from "./change-runs.ts";

const opened = instant("2026-03-04T13:00:00.000Z");

const fee = (amount: number, type = "demurrage") => ({ type, amount, currencyCode: "USD" });

const change = (day: number, previousValue: unknown, value: unknown, field = "feesAtPodTerminal"): ChangeRecord => ({
  field,
  previousValue,
  value,
  validFrom: addMs(opened, day * dayMs),
  dataSource: "terminal",
  rule: "pickup",
  cause: null,
});

const growth = (day: number, from: number, to: number) =>
  change(day, [fee(20, "exam"), fee(from)], [fee(20, "exam"), fee(to)]);

describe("changes of a fee, the newest first", () => {
  test("that raise it by one amount from day to day are one sentence", () => {
    const changes = [growth(3, 450, 600), growth(2, 300, 450), growth(1, 150, 300)];
    expect(feeGrowthText(changes)).toBe("Demurrage grew by 150.00 USD per day to 600.00 USD");
    const first = change(0, null, [fee(150)]);
    expect(feeGrowthText([change(1, [fee(150)], [fee(300)]), first])).toBe(
      "Demurrage grew by 150.00 USD per day to 300.00 USD",
    );
  });

  test.each([
    ["another amount", [growth(3, 450, 700), growth(2, 300, 450)]],
    ["a day is missing", [growth(4, 450, 600), growth(2, 300, 450)]],
    ["the fee falls", [growth(3, 450, 300), growth(2, 600, 450)]],
    ["another fee is new", [change(3, [fee(150)], [fee(150), fee(20, "exam")]), change(2, null, [fee(150)])]],
    ["another fee ends", [change(3, [fee(100, "exam")], [fee(150)]), change(2, null, [fee(150)])]],
    ["another value", [change(3, "1", "2", "podEtaAt"), change(2, "0", "1", "podEtaAt")]],
  ])("are none where %s", (_name, changes) => {
    expect(feeGrowthText(changes)).toBeNull();
  });
});

test("three or more entries about one value are a run; what a member did between them divides it", () => {
  const fees = [3, 2, 1].map((day) => ({ change: growth(day, day * 150, day * 150 + 150) }));
  const [first, ...others] = fees;
  const note = { change: null };
  expect(changeRuns([note, ...fees]).map((run) => run.length)).toEqual([1, 3]);
  expect(changeRuns([first ?? note, note, ...others]).map((run) => run.length)).toEqual([1, 1, 1, 1]);
});
