import { describe, expect, test } from "@jest/globals";
import { type ChargedException, sumCharges } from "./sum-charges.ts";

let exceptions = 0;
const charged = (changes: Partial<ChargedException>): ChargedException => ({
  id: String(++exceptions),
  group: null,
  kind: "last_free_day_over",
  number: "TEAU1000001",
  status: "open",
  amounts: [],
  perDay: null,
  isOutdated: false,
  ...changes,
});
const usd = (amount: number) => ({ amount, currencyCode: "USD" });

describe("sums of charges", () => {
  test("count a container of several shipments once, by its exception with known amounts", () => {
    const sums = sumCharges([
      charged({}),
      charged({ amounts: [usd(300)], perDay: usd(150), status: "snoozed" }),
      charged({ number: "TEAU1000002", amounts: [usd(50), { amount: 7, currencyCode: "EUR" }] }),
    ]);
    expect(sums).toEqual([
      {
        value: null,
        containers: 2,
        repeated: 1,
        unpriced: 0,
        outdated: 0,
        snoozed: 1,
        resolved: 0,
        sums: [
          { currencyCode: "USD", amount: 350, perDay: 150, rated: 1 },
          { currencyCode: "EUR", amount: 7, perDay: 0, rated: 0 },
        ],
      },
    ]);
  });

  test("count another kind, and a voyage that is tracked no more, by itself", () => {
    const sums = sumCharges([
      charged({ amounts: [usd(300)] }),
      charged({ kind: "fee", amounts: [usd(20.2)] }),
      charged({ amounts: [usd(100.1)], isOutdated: true, status: "resolved" }),
    ]);
    expect(sums).toMatchObject([{ containers: 3, repeated: 0, outdated: 1, resolved: 1, sums: [{ amount: 420.3 }] }]);
  });

  test.each<[ChargedException["status"], ChargedException["status"]]>([
    ["open", "snoozed"],
    ["snoozed", "open"],
    ["resolved", "open"],
  ])("count the largest charges of a container, %s, and the others %s", (larger, smaller) => {
    const same = [charged({ amounts: [usd(300)], status: smaller }), charged({ amounts: [usd(450)], status: larger })];
    for (const exceptions of [same, same.toReversed()]) {
      expect(sumCharges(exceptions)[0]?.sums).toMatchObject([{ amount: 450 }]);
    }
  });

  test("are separate for each group, the largest first", () => {
    const sums = sumCharges([
      charged({ group: "Kite" }),
      charged({ group: "Acme", number: "TEAU1000003", amounts: [usd(1)] }),
      charged({ group: "Acme", number: "TEAU1000004" }),
    ]);
    expect(sums.map(({ value, containers, unpriced }) => [value, containers, unpriced])).toEqual([
      ["Acme", 2, 1],
      ["Kite", 1, 1],
    ]);
  });
});
