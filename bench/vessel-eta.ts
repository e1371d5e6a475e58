import { addMs, dayMs, hourMs, type Instant, instant, msBetween } from "@svc/domain";
import { splitRoute } from "@svc/domain/container-route";
import { leadTimes, predictArrival } from "@svc/domain/eta-predictions";
import { findSeaRoute, type SeaPort, type SeaRoute } from "@svc/domain/sea-routes";
import type { VesselPosition } from "@svc/domain/vessel-positions";
import type { Reading } from "./rounds.ts";

/** The margin of the interval was fitted to the first voyages, so others are measured. */
const fittedCount = 500;
const voyageCount = 500;
const predictEveryMs = 6 * hourMs;
/** Receivers stand on coasts: far from both ports a position arrives only now and then, by satellite. */
const [coastNm, oceanGapHours] = [400, 8];

const ports = {
  shanghai: { locode: "CNSHA", position: [122.07, 30.63] },
  yantian: { locode: "CNYTN", position: [114.27, 22.57] },
  busan: { locode: "KRPUS", position: [128.82, 35.08] },
  singapore: { locode: "SGSIN", position: [103.76, 1.27] },
  rotterdam: { locode: "NLRTM", position: [4.05, 51.95] },
  santos: { locode: "BRSSZ", position: [-46.31, -23.95] },
  losAngeles: { locode: "USLAX", position: [-118.26, 33.74] },
  oakland: { locode: "USOAK", position: [-122.32, 37.8] },
} as const satisfies Record<string, SeaPort>;
const lanes = [
  [ports.shanghai, ports.losAngeles],
  [ports.yantian, ports.losAngeles],
  [ports.busan, ports.oakland],
  [ports.singapore, ports.rotterdam],
  [ports.santos, ports.rotterdam],
] as const;

type Random = () => number;

/** Mulberry32: the same voyages in every run. */
function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Box–Muller. */
const normal = (random: Random): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

interface Voyage {
  readonly route: SeaRoute;
  readonly departedAt: Instant;
  readonly arrivedAt: Instant;
  /** The arrival as planned at the departure. */
  readonly plannedAt: Instant;
  /** Distance sailed at each full hour. */
  readonly sailedNm: readonly number[];
}

/**
 * The speed drifts around that of the schedule (an Ornstein–Uhlenbeck process), storms slow the vessel for a day, and
 * one in four waits before the port.
 */
function simulateVoyage(route: SeaRoute, random: Random, departedAt: Instant): Voyage {
  const scheduleKnots = 15 + 3 * random();
  const meanKnots = scheduleKnots + 0.8 * normal(random);
  let [knots, stormHours] = [meanKnots, 0];
  const sailedNm = [0];
  while ((sailedNm.at(-1) ?? 0) < route.distanceNm) {
    knots += 0.05 * (meanKnots - knots) + 0.3 * normal(random);
    if (stormHours === 0 && random() < 1 / 200) stormHours = 12 + Math.floor(random() * 24);
    stormHours = Math.max(0, stormHours - 1);
    sailedNm.push((sailedNm.at(-1) ?? 0) + Math.min(23, Math.max(5, knots - (stormHours > 0 ? 5 : 0))));
  }
  const waitMs = random() < 0.25 ? -Math.log(1 - random()) * 12 * hourMs : 0;
  return {
    route,
    departedAt,
    sailedNm,
    arrivedAt: addMs(departedAt, Math.round((sailedNm.length - 1) * hourMs + waitMs + 2 * hourMs)),
    plannedAt: addMs(departedAt, Math.round((route.distanceNm / scheduleKnots) * hourMs + 8 * hourMs)),
  };
}

function positionsOf({ route, departedAt, sailedNm }: Voyage, random: Random): readonly VesselPosition[] {
  let silentUntil = 0;
  return sailedNm.flatMap((sailed, hour) => {
    const isAtSea = sailed > coastNm && route.distanceNm - sailed > coastNm;
    if (hour < silentUntil) return [];
    if (isAtSea) silentUntil = hour + 1 + Math.floor(random() * oceanGapHours);
    const { position } = splitRoute(route.points, Math.min(1, sailed / route.distanceNm));
    const at = addMs(departedAt, hour * hourMs);
    return [{ position, at, speedKnots: null, courseDegrees: null, headingDegrees: null }];
  });
}

/**
 * The line's ETA as the sandbox publishes it: once a day, from the plan towards the actual arrival, with an error that
 * decreases. It knows part of the delay in advance, as a line that knows its berths does.
 */
function carrierEtaAt(voyage: Voyage, now: Instant, errors: readonly number[]): Instant {
  const { departedAt, arrivedAt, plannedAt } = voyage;
  const day = Math.floor(msBetween(departedAt, now) / dayMs);
  const progress = Math.min(1, (day * dayMs) / msBetween(departedAt, arrivedAt));
  const known = msBetween(plannedAt, arrivedAt) * Math.min(1, progress * 1.25);
  const etaAt = addMs(plannedAt, Math.round(known + (errors[day] ?? 0) * 0.35 * dayMs * (1 - progress)));
  return etaAt < now ? now : etaAt;
}

interface Sample {
  readonly leadDays: number;
  readonly errorHours: number;
  /** Errors of a line that updates its ETA every day, and of one that keeps its plan. */
  readonly carrierErrorHours: number;
  readonly planErrorHours: number;
  readonly isWithin: boolean;
}

function samplesOf(seed: number): readonly Sample[] {
  const random = seeded(seed);
  const [from, to] = lanes[seed % lanes.length] ?? lanes[0];
  const route = findSeaRoute(from, to);
  if (route === null) throw new Error(`No route from ${from.locode} to ${to.locode}.`);
  const voyage = simulateVoyage(route, random, instant("2026-01-01T00:00:00Z"));
  const positions = positionsOf(voyage, random);
  const errors = Array.from({ length: 60 }, () => normal(random));
  const samples: Sample[] = [];
  for (let now = voyage.departedAt; now < voyage.arrivedAt; now = addMs(now, predictEveryMs)) {
    const predicted = predictArrival(
      route.points,
      positions.filter(({ at }) => at <= now),
      now,
    );
    if (predicted === null) continue;
    const hoursFrom = (at: Instant): number => msBetween(at, voyage.arrivedAt) / hourMs;
    samples.push({
      leadDays: msBetween(now, voyage.arrivedAt) / dayMs,
      errorHours: hoursFrom(predicted.etaAt),
      carrierErrorHours: hoursFrom(carrierEtaAt(voyage, now, errors)),
      planErrorHours: hoursFrom(voyage.plannedAt < now ? now : voyage.plannedAt),
      isWithin: predicted.earliestAt <= voyage.arrivedAt && voyage.arrivedAt <= predicted.latestAt,
    });
  }
  return samples;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Error of predicted arrivals and of the line's own ETA on 500 simulated voyages, by lead time. */
export async function benchmarkVesselEta(): Promise<Reading[]> {
  const samples = Array.from({ length: voyageCount }, (_, index) => samplesOf(fittedCount + index + 1)).flat();
  const rows = leadTimes.map(([from, until]) => {
    const some = samples.filter(({ leadDays }) => leadDays >= from && (until === null || leadDays < until));
    const own = some.map(({ errorHours }) => errorHours);
    const carrier = some.map(({ carrierErrorHours }) => carrierErrorHours);
    const plan = some.map(({ planErrorHours }) => planErrorHours);
    const cells = [
      until === null ? `${from} and more` : `${from}–${until}`,
      some.length.toLocaleString("en-US"),
      mean(own.map(Math.abs)).toFixed(1),
      mean(own).toFixed(1),
      `${Math.round(mean(some.map(({ isWithin }) => Number(isWithin))) * 100)} %`,
      mean(carrier.map(Math.abs)).toFixed(1),
      mean(carrier).toFixed(1),
      mean(plan.map(Math.abs)).toFixed(1),
      mean(plan).toFixed(1),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    {
      name: "vessel-eta: 500 simulated voyages",
      lines: [
        "| Lead time, days | predictions | mean absolute error, h | bias, h | in the interval | line with daily updates: mean absolute error, h | bias, h | line that keeps its plan: mean absolute error, h | bias, h |",
        "|---|---|---|---|---|---|---|---|---|",
        ...rows,
      ],
    },
  ];
}
