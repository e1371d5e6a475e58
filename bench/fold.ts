import { deriveShipment } from "@svc/domain/derivation";
import type { Observation } from "@svc/domain/observations";
import { fact, testPlaces, transshippedVoyage } from "@svc/domain/testing";
import { median, type Rate } from "./rounds.ts";

const roundCount = 5;
const warmUpRuns = 50;
const runsEach = 30;
const containerCount = 10;
const observationsPerContainer = 400;

/** Containers on a transshipped voyage with many revised estimates, half of them for single containers. */
function busyShipment(): readonly Observation[] {
  const observations: Observation[] = [];
  for (let index = 0; index < containerCount; index++) {
    const container = `SBXU${String(index).padStart(7, "0")}`;
    const voyage = transshippedVoyage(container);
    observations.push(...voyage);
    for (let revision = voyage.length; revision < observationsPerContainer; revision++) {
      const isShared = revision % 2 === 0;
      const reported = (revision * 28) / observationsPerContainer;
      observations.push(
        isShared
          ? fact("EST ARRI", { at: "NLRTM", day: 30 + (revision % 7) / 10, vessel: "B", reported })
          : fact("EST DISC", { at: "NLRTM", day: 31 + (revision % 5) / 10, vessel: "B", reported, container }),
      );
    }
  }
  return observations;
}

/** Throughput of deriving a shipment from its observations; the aim is 200,000 observations a second. */
export async function benchmarkFold(): Promise<Rate[]> {
  const observations = busyShipment();
  const timeRun = () => {
    const startedMs = performance.now();
    deriveShipment(observations, testPlaces);
    return performance.now() - startedMs;
  };
  const runs = (count: number) => Array.from({ length: count }, timeRun);
  const firstMs = runs(warmUpRuns)[0] ?? Number.NaN;
  const rates = Array.from({ length: roundCount }, () => (observations.length / median(runs(runsEach))) * 1000);
  const each = `${observations.length.toLocaleString("en-US")} observations of ${containerCount} containers`;
  return [
    {
      name: "fold: deriveShipment",
      unit: "observations/s",
      rates,
      note: `${each}, the first ${firstMs.toFixed(1)} ms`,
    },
  ];
}
