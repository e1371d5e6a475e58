import { expect, test } from "@jest/globals";
import { runningCost } from "./running-cost.ts";

const usd = (amount: number) => ({ amount, currencyCode: "USD" });

test("sums demurrage and other fees of a currency, and has the price of the next day", () => {
  const over = { amounts: [usd(450)], perDay: usd(150) };
  const fees = { amounts: [usd(385.5), { amount: 20, currencyCode: "EUR" }] };
  expect(runningCost([fees, over])).toEqual({
    soFar: [usd(835.5), { amount: 20, currencyCode: "EUR" }],
    perDay: usd(150),
  });
});

test("costs nothing without amounts", () => {
  expect(runningCost([{}])).toEqual({ soFar: [], perDay: null });
  expect(runningCost([{ amounts: [usd(0)] }])).toEqual({ soFar: [], perDay: null });
});
