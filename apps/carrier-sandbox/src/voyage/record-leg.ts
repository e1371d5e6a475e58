import { dayMs, hourMs, minuteMs } from "@svc/domain";
import type { TransportCall } from "../dcsa/event-schema.ts";
import type { Chance } from "../random.ts";
import { callOf } from "./calls.ts";
import { delayAfterFirstContainerMs, dischargeAfterArrivalMs, type Leg, loadingBeforeDepartureMs } from "./journey.ts";
import type { Logbook } from "./logbook.ts";

interface LegRecording {
  readonly logbook: Logbook;
  readonly chance: Chance;
  readonly leg: Leg;
  readonly departs: TransportCall;
  readonly arrives: TransportCall;
}

/** The plan: departure, arrival, and loading and discharge of each container. */
function recordPlan({ logbook, leg, departs, arrives }: LegRecording): void {
  const { key, planned } = leg;
  const plan = { classifier: "PLN", publishedAt: leg.announcedAt, withdrawnAt: leg.droppedAt } as const;
  const transport = { ...plan, containers: leg.containers };
  logbook.transport({
    ...transport,
    key: `${key}/plan/depa`,
    code: "DEPA",
    place: leg.from,
    call: departs,
    at: planned.departure,
  });
  logbook.transport({
    ...transport,
    key: `${key}/plan/arri`,
    code: "ARRI",
    place: leg.to,
    call: arrives,
    at: planned.arrival,
  });
  leg.containers.forEach((container, index) => {
    const equipment = { ...plan, container, isEmpty: false };
    const gap = delayAfterFirstContainerMs(index, leg.containers.length);
    logbook.equipment({
      ...equipment,
      key: `${key}/plan/load/${container.number}`,
      code: "LOAD",
      place: leg.from,
      call: departs,
      at: planned.departure - loadingBeforeDepartureMs + gap,
    });
    logbook.equipment({
      ...equipment,
      key: `${key}/plan/disc/${container.number}`,
      code: "DISC",
      place: leg.to,
      call: arrives,
      at: planned.arrival + dischargeAfterArrivalMs + gap,
    });
  });
}

/** Estimates converge from the planned to the actual arrival, with decreasing error. Rounded to the quarter hour. */
function recordEstimates({ logbook, chance, leg, departs, arrives }: LegRecording): void {
  const { key, actual, planned } = leg;
  if (!actual) return;
  const estimate = { classifier: "EST", withdrawnAt: leg.droppedAt, containers: leg.containers } as const;
  const departurePublishedAt = actual.departure - 15 * hourMs;
  if (departurePublishedAt > leg.announcedAt) {
    logbook.transport({
      ...estimate,
      key: `${key}/estimate/depa`,
      code: "DEPA",
      place: leg.from,
      call: departs,
      publishedAt: departurePublishedAt,
      at: roundToQuarter(actual.departure + chance.normal(`${key}/estimate/depa`) * hourMs),
    });
  }
  const underway = actual.arrival - actual.departure;
  for (let index = 0; index < leg.estimates; index++) {
    const progress = (index + 0.3) / leg.estimates;
    const error = chance.normal(`${key}/estimate/arri/${index}`) * 0.35 * dayMs * (1 - progress);
    const interpolated = planned.arrival + (actual.arrival - planned.arrival) * Math.min(1, progress * 1.25);
    const isExact = leg.isLastEstimateExact && index === leg.estimates - 1;
    const estimated = isExact ? actual.arrival : interpolated + error;
    logbook.transport({
      ...estimate,
      key: `${key}/estimate/arri/${String(index).padStart(2, "0")}`,
      code: "ARRI",
      place: leg.to,
      call: arrives,
      publishedAt: actual.departure + progress * underway,
      at: roundToQuarter(Math.max(estimated, actual.departure + progress * underway + hourMs)),
    });
  }
}

function roundToQuarter(epochMs: number): number {
  return Math.round(epochMs / (15 * minuteMs)) * 15 * minuteMs;
}

/** Actual events, published half an hour to two hours later. */
function recordActuals({ logbook, chance, leg, departs, arrives }: LegRecording): void {
  const { key, actual } = leg;
  if (!actual) return;
  const publicationTime = (name: string, at: number) => at + chance.between(`${key}/lag/${name}`, 0.5, 2) * hourMs;
  leg.containers.forEach((container, index) => {
    const equipment = { classifier: "ACT", container, isEmpty: false } as const;
    const gap = delayAfterFirstContainerMs(index, leg.containers.length);
    const loadedAt = actual.departure - loadingBeforeDepartureMs + gap;
    const dischargedAt = actual.arrival + dischargeAfterArrivalMs + gap;
    logbook.equipment({
      ...equipment,
      key: `${key}/load/${container.number}`,
      code: "LOAD",
      place: leg.from,
      call: departs,
      at: loadedAt,
      publishedAt: publicationTime(`load/${container.number}`, loadedAt),
    });
    logbook.equipment({
      ...equipment,
      key: `${key}/disc/${container.number}`,
      code: "DISC",
      place: leg.to,
      call: arrives,
      at: dischargedAt,
      publishedAt: publicationTime(`disc/${container.number}`, dischargedAt),
    });
  });
  const transport = { classifier: "ACT", containers: leg.containers } as const;
  logbook.transport({
    ...transport,
    key: `${key}/depa`,
    code: "DEPA",
    place: leg.from,
    call: departs,
    at: actual.departure,
    publishedAt: publicationTime("depa", actual.departure),
  });
  logbook.transport({
    ...transport,
    key: `${key}/arri`,
    code: "ARRI",
    place: leg.to,
    call: arrives,
    at: actual.arrival,
    publishedAt: publicationTime("arri", actual.arrival),
  });
}

/** Records all events of one leg, from the plan to the last discharge. */
export function recordLeg(logbook: Logbook, chance: Chance, leg: Leg): void {
  const recording = { logbook, chance, leg, departs: callOf(leg, "departure"), arrives: callOf(leg, "arrival") };
  recordPlan(recording);
  recordEstimates(recording);
  recordActuals(recording);
}
