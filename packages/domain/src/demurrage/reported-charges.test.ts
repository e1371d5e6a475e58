import { expect, test } from "@jest/globals";
import { addMs, dayMs, instant } from "../instant.ts";
import { priceOf } from "./reported-charges.ts";

const now = instant("2026-06-01T12:00:00.000Z");

test.each<[string, number | undefined, ...reports: [day: number, amount: number][]]>([
  ["of one day, read within hours", 150, [0, 4200], [0.6, 4350], [1, 4500]],
  ["of two days, read 1.4 days apart after other reports", 150, [0, 4050], [1, 4200], [2.4, 4500]],
  ["of two days, read 1.4 days after the first amount", 150, [0, 150], [1.4, 450]],
  ["as last known, where the last growth may be of one day or two", 150, [0, 1200], [1, 1350], [2.4, 1750]],
  ["of a later tier", 200, [0, 300], [1, 450], [2, 650]],
  ["not known from one growth that may be of one day or two", undefined, [0, 1200], [1.4, 1500]],
  ["not known from one report", undefined, [0, 1200]],
])("the price of a day is %s", (_name, price, ...reports) => {
  const demurrage = (amount: number) => [{ type: "demurrage", amount, currencyCode: "USD" }];
  const feeReports = reports.map(([day, amount]) => ({ at: addMs(now, day * dayMs), fees: demurrage(amount) }));
  const fees = feeReports.at(-1)?.fees ?? [];
  expect(priceOf([], { fees, feeReports }).perDay?.amount).toBe(price);
});
