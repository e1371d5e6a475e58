import { expect, test } from "@jest/globals";
import { moneyCells } from "./money-columns.ts";

const charge = (kind: "demurrage" | "detention" | "per_diem", amount: string) =>
  ({
    kind,
    direction: "import",
    status: "charged",
    last_free_day: null,
    amount,
    currency_code: "EUR",
    amount_per_day: null,
  }) as const;

test("amounts of a container are numbers with their currency", () => {
  const fees = [
    { type: "demurrage", amount: 120.5, currency_code: "USD" },
    { type: "total", amount: 150.75, currency_code: "USD" },
  ];
  const demurrage = [charge("demurrage", "80.10"), charge("detention", "10.20"), charge("per_diem", "0.10")];
  const cost_so_far = [{ amount: 240.9, currency_code: "USD" }];
  const cost_per_day = { amount: 75, currency_code: "USD" };
  expect(moneyCells({ fees, demurrage, cost_so_far, cost_per_day })).toEqual({
    fees_amount: 150.75,
    fees_currency_code: "USD",
    terminal_demurrage_amount: 120.5,
    terminal_demurrage_currency_code: "USD",
    rule_demurrage_amount: 80.1,
    rule_demurrage_currency_code: "EUR",
    rule_detention_amount: 10.3,
    rule_detention_currency_code: "EUR",
    cost_so_far_amount: 240.9,
    cost_so_far_currency_code: "USD",
    cost_per_day_amount: 75,
    cost_per_day_currency_code: "USD",
  });
});

test("leaves unreported amounts empty, and sums no amounts of several currencies", () => {
  const fees = [
    { type: "exam", amount: 1, currency_code: "USD" },
    { type: "other", amount: 2, currency_code: "CAD" },
  ];
  const none = { rule_demurrage_amount: null, rule_demurrage_currency_code: "" };
  expect(moneyCells({ fees, demurrage: [], cost_so_far: [], cost_per_day: null })).toMatchObject({
    fees_amount: null,
    fees_currency_code: "CAD + USD",
    ...none,
  });
});
