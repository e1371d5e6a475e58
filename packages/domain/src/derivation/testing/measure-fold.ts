/** How fast the fold is: `node packages/domain/src/derivation/testing/measure-fold.ts`. The aim is under 5 ms, at least 200,000 observations/s. */

import type { Observation } from "../../observations/observation.ts";
import { deriveShipment } from "../derive-shipment.ts";
import { fact, testPlaces } from "./voyage.ts";
import { transshippedVoyage } from "./voyages.ts";

const containerCount = 10;
const observationsPerContainer = 400;

/** Ten boxes on a transshipped voyage whose estimates are revised again and again, half of them box by box. */
function busyShipment(): readonly Observation[] {
  const observations: Observation[] = [];
  for (let box = 0; box < containerCount; box++) {
    const container = `SBXU${String(box).padStart(7, "0")}`;
    const voyage = transshippedVoyage(container);
    observations.push(...voyage);
    for (let revision = voyage.length; revision < observationsPerContainer; revision++) {
      const isShared = revision % 2 === 0;
      const stated = (revision * 28) / observationsPerContainer;
      observations.push(
        isShared
          ? fact("EST ARRI", { at: "NLRTM", day: 30 + (revision % 7) / 10, vessel: "B", stated })
          : fact("EST DISC", { at: "NLRTM", day: 31 + (revision % 5) / 10, vessel: "B", stated, container }),
      );
    }
  }
  return observations;
}

const runs = 200;
const warmUpRuns = 50;

const observations = busyShipment();
const timesMs = Array.from({ length: runs }, () => {
  const startedAt = performance.now();
  deriveShipment(observations, testPlaces);
  return performance.now() - startedAt;
});
const sorted = timesMs.slice(warmUpRuns).toSorted((a, b) => a - b);
const medianMs = sorted[sorted.length >> 1] ?? Number.NaN;
const perSecond = Math.round((observations.length / medianMs) * 1000);
process.stdout.write(
  `${observations.length} observations of ${containerCount} containers: ${medianMs.toFixed(2)} ms (median), ` +
    `${timesMs[0]?.toFixed(1)} ms (first), ${perSecond.toLocaleString("en")} observations/s\n`,
);
