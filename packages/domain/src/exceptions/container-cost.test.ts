import { describe, expect, test } from "@jest/globals";
import { containerCost } from "./container-cost.ts";

const usd = (amount: number) => ({ amount, currencyCode: "USD" });
const demurrage = { kind: "demurrage", direction: "import", amount: "50.00", currencyCode: "USD" } as const;
const detention = { ...demurrage, kind: "detention", amount: "150.00" } as const;
const none = { fees: [], charges: [], charged: [] };

describe("the cost of a container so far", () => {
  test("sums the demurrage and other fees that the terminal reported, and the detention by a rule", () => {
    const fees = [
      { type: "demurrage", ...usd(750) },
      { type: "exam", ...usd(385.5) },
      { type: "other", amount: 20, currencyCode: "EUR" },
    ];
    const { soFar } = containerCost({ ...none, fees, charges: [demurrage, detention] });
    expect(soFar).toEqual([usd(1_285.5), { amount: 20, currencyCode: "EUR" }]);
  });

  test("has the demurrage by a rule beside other fees, while the terminal reports none", () => {
    const fees = [{ type: "exam", ...usd(385) }];
    expect(containerCost({ ...none, fees, charges: [demurrage] }).soFar).toEqual([usd(435)]);
  });

  test("counts the total that a terminal reports, not its parts", () => {
    const fees = [
      { type: "demurrage", ...usd(750) },
      { type: "total", ...usd(1_135) },
    ];
    expect(containerCost({ ...none, fees }).soFar).toEqual([usd(1_135)]);
  });

  test("counts a total in its own currency only", () => {
    const exam = { type: "exam", amount: 50, currencyCode: "EUR" };
    const { soFar } = containerCost({ ...none, fees: [{ type: "total", ...usd(300) }, exam] });
    expect(soFar).toEqual([usd(300), { amount: 50, currencyCode: "EUR" }]);
  });

  test("keeps the demurrage of an export by a rule beside what the terminal of the import reports", () => {
    const fees = [{ type: "demurrage", ...usd(750) }];
    const exportDemurrage = { ...demurrage, direction: "export" } as const;
    expect(containerCost({ ...none, fees, charges: [exportDemurrage] }).soFar).toEqual([usd(800)]);
  });

  test("has no sum where nothing is charged", () => {
    expect(containerCost({ ...none, charges: [{ ...demurrage, amount: "0.00" }] })).toEqual({
      soFar: [],
      perDay: null,
    });
  });

  test("has the price of the next day of the exception that knows it", () => {
    expect(containerCost({ ...none, charged: [{}, { perDay: usd(150) }] }).perDay).toEqual(usd(150));
  });
});
