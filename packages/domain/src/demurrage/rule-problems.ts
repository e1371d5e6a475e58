import { isCurrencyCode, isDecimalAmount } from "./decimal-amount.ts";
import { countedBetween, type DemurrageSettings, type DemurrageTerms } from "./demurrage-rule.ts";

/** A setting that cannot be combined with the others, and what to do about it. */
export interface RuleProblem {
  readonly setting: keyof DemurrageSettings;
  /** Position in the list of the setting. */
  readonly index?: number;
  readonly detail: string;
}

function tierProblem({ tiers, currencyCode }: DemurrageTerms): RuleProblem | null {
  for (const [index, { fromDay, amountPerDay }] of tiers.entries()) {
    const before = tiers[index - 1];
    const problem = (detail: string): RuleProblem => ({ setting: "tiers", index, detail });
    if (!before && fromDay !== 1)
      return problem("The first tier must begin with day 1, the first day that is charged.");
    if (before && fromDay <= before.fromDay) return problem("Tiers must be in ascending order of their first day.");
    if (!isDecimalAmount(amountPerDay, currencyCode)) {
      const example = "Write it as decimal text such as 75.50, without more decimal places than the currency has";
      return problem(`${JSON.stringify(amountPerDay)} is no amount in ${currencyCode}. ${example}.`);
    }
  }
  return null;
}

/** The first fault of a rule that its single settings do not show; null: it makes sense. */
export function ruleProblem(rule: DemurrageSettings): RuleProblem | null {
  const { kind, direction, countingStart, terminalCode, portLocode, validFrom, validUntil, currencyCode } = rule;
  const { starts } = countedBetween[kind][direction];
  if (!starts.includes(countingStart)) {
    const detail = `Counting of ${direction} ${kind} cannot start with ${countingStart}. Choose ${starts.join(" or ")}.`;
    return { setting: "countingStart", detail };
  }
  if (terminalCode !== null && direction === "export") {
    const detail = "Only the terminal at the port of discharge is known. Leave it out for exports.";
    return { setting: "terminalCode", detail };
  }
  if (terminalCode !== null && portLocode === null) {
    const detail = "Terminal codes are unique within a port only. Add the UN/LOCODE of the port.";
    return { setting: "terminalCode", detail };
  }
  if (validFrom !== null && validUntil !== null && validUntil < validFrom) {
    return { setting: "validUntil", detail: "The last day of validity is before the first. Exchange them." };
  }
  if (new Set(rule.weekendDays).size === 7) {
    return { setting: "weekendDays", detail: "At least one day of the week must be a working day." };
  }
  if (!isCurrencyCode(currencyCode)) {
    const detail = `${JSON.stringify(currencyCode)} is no currency of ISO 4217. Write a code such as USD or EUR.`;
    return { setting: "currencyCode", detail };
  }
  return tierProblem(rule);
}
