import { expect, test } from "@jest/globals";
import type { DemurrageSettings } from "./demurrage-rule.ts";
import { demurrageSettings } from "./demurrage-settings.ts";
import { ruleProblem } from "./rule-problems.ts";

const tiers = [{ fromDay: 1, amountPerDay: "75.00" }];
const rule = demurrageSettings({ portLocode: "USLAX", freeDays: 4, currencyCode: "USD", tiers }, null);

test("a rule that makes sense has no problem", () => {
  expect(ruleProblem(rule)).toBeNull();
});

test.each<[string, Partial<DemurrageSettings>, string, RegExp]>([
  ["another start", { countingStart: "full_in" }, "countingStart", /Choose discharged or vessel_arrived or available/],
  ["a terminal without a port", { terminalCode: "Y258", portLocode: null }, "terminalCode", /Add the UN\/LOCODE/],
  [
    "a terminal for exports",
    { terminalCode: "Y258", direction: "export", countingStart: "full_in" },
    "terminalCode",
    /Leave it out/,
  ],
  ["an end before its start", { validFrom: "2026-02-01", validUntil: "2026-01-01" }, "validUntil", /Exchange/],
  ["no working day", { weekendDays: [1, 2, 3, 4, 5, 6, 7] }, "weekendDays", /working day/],
  ["an unknown currency", { currencyCode: "ABC" }, "currencyCode", /ISO 4217/],
  ["a later first tier", { tiers: [{ fromDay: 2, amountPerDay: "1" }] }, "tiers", /day 1/],
  [
    "tiers out of order",
    {
      tiers: [
        { fromDay: 1, amountPerDay: "1" },
        { fromDay: 1, amountPerDay: "2" },
      ],
    },
    "tiers",
    /ascending/,
  ],
  ["an amount in words", { tiers: [{ fromDay: 1, amountPerDay: "1e3" }] }, "tiers", /decimal text/],
  ["a part of a cent", { tiers: [{ fromDay: 1, amountPerDay: "1.005" }] }, "tiers", /decimal places/],
  ["a part of a yen", { currencyCode: "JPY", tiers: [{ fromDay: 1, amountPerDay: "1.5" }] }, "tiers", /decimal places/],
])("%s is a problem that says what to do", (_name, changes, setting, detail) => {
  expect(ruleProblem({ ...rule, ...changes })).toMatchObject({ setting, detail: expect.stringMatching(detail) });
});
