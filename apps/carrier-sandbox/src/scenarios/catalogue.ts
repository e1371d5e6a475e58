import { awaitingManifest } from "./awaiting-manifest.ts";
import { byRail } from "./by-rail.ts";
import { cancelled } from "./cancelled.ts";
import { corrected } from "./corrected.ts";
import { delayed } from "./delayed.ts";
import { direct } from "./direct.ts";
import { duplicated } from "./duplicated.ts";
import { failingServer } from "./failing-server.ts";
import { forgotten } from "./forgotten.ts";
import { heldAtCustoms } from "./held-at-customs.ts";
import { looseTimes } from "./loose-times.ts";
import { manyPages } from "./many-pages.ts";
import { neverFetched } from "./never-fetched.ts";
import { neverFound } from "./never-found.ts";
import { neverReturned } from "./never-returned.ts";
import { outOfOrder } from "./out-of-order.ts";
import { portOmitted } from "./port-omitted.ts";
import { rateLimited } from "./rate-limited.ts";
import { reloadedContainer, reusedBox } from "./reused-box.ts";
import { rolledOver } from "./rolled-over.ts";
import type { Scenario } from "./scenario.ts";
import { silent } from "./silent.ts";
import { slowServer } from "./slow-server.ts";
import { split } from "./split.ts";
import { transshipped } from "./transshipped.ts";
import { twiceTransshipped } from "./twice-transshipped.ts";

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
  looseTimes,
  cancelled,
  portOmitted,
  split,
  reusedBox,
  silent,
  forgotten,
  neverReturned,
  neverFetched,
  heldAtCustoms,
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
export function scenarioOf(code: string): { readonly scenario: Scenario; readonly index: number } | undefined {
  return byCode.get(code);
}
