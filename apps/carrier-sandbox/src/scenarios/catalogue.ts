import { direct } from "./direct.ts";
import type { Scenario } from "./scenario.ts";

/** Append only: a scenario's place in this list decides its containers' serial numbers. */
export const scenarios: readonly Scenario[] = [direct];

const byCode = new Map(scenarios.map((scenario, index) => [scenario.code, { scenario, index }]));

/** The scenario of a code with its place in the list; undefined when no number has that code. */
export function scenarioOf(code: string): { readonly scenario: Scenario; readonly index: number } | undefined {
  return byCode.get(code);
}
