import {
  customsHold,
  manyPages,
  neverPickedUp,
  neverReturned,
  reloadedContainer,
  reusedContainer,
} from "./containers.ts";
import {
  awaitingManifest,
  corrected,
  duplicated,
  incompleteTimes,
  neverFound,
  noLongerFound,
  outOfOrder,
  silent,
} from "./reports.ts";
import type { Scenario } from "./scenario.ts";
import { failingServer, rateLimited, slowServer } from "./servers.ts";
import {
  byRail,
  cancelled,
  delayed,
  direct,
  portOmitted,
  rolledOver,
  split,
  transshipped,
  twiceTransshipped,
} from "./voyages.ts";

/** Append only: the index of a scenario determines the serial numbers of its containers. */
export const scenarios: readonly Scenario[] = [
  direct,
  transshipped,
  twiceTransshipped,
  byRail,
  rolledOver,
  delayed,
  corrected,
  duplicated,
  outOfOrder,
  incompleteTimes,
  cancelled,
  portOmitted,
  split,
  reusedContainer,
  silent,
  noLongerFound,
  neverReturned,
  neverPickedUp,
  customsHold,
  awaitingManifest,
  neverFound,
  failingServer,
  rateLimited,
  slowServer,
  manyPages,
  reloadedContainer,
];

const byCode = new Map(scenarios.map((scenario, index) => [scenario.code, { scenario, index }]));

/** The scenario of a code with its index; undefined when the code is unknown. */
export function findScenario(code: string): { readonly scenario: Scenario; readonly index: number } | undefined {
  return byCode.get(code);
}
