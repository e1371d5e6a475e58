import type { TransportMode } from "../observations/observation.ts";
import { compareText, mostCredible, newest, type Statement } from "./statement.ts";

/**
 * All reports of one move at one place: the actual of the most credible source, the newest estimate and the newest
 * plan. Each is a maximum, so the order and repetition of observations do not matter.
 */
export interface Series {
  readonly code: string;
  readonly mode: TransportMode | null;
  readonly place: string;
  /** The vessel of a vessel's arrival or departure; null for other moves and when the source named none. */
  readonly vessel: string | null;
  readonly actual: Statement | null;
  readonly estimated: Statement | null;
  readonly planned: Statement | null;
  /** The first estimate that was ever heard, also when it was replaced or vanished since. */
  readonly firstEstimate: Statement | null;
}

type MutableSeries = { -readonly [Key in keyof Series]: Series[Key] };
export type SeriesByKey = ReadonlyMap<string, Series>;

/** ACT before EST before PLN. */
export function primary(series: Series | null): Statement | null {
  return series === null ? null : (series.actual ?? series.estimated ?? series.planned);
}

/** EST before PLN. */
export function estimate(series: Series | null): Statement | null {
  return series === null ? null : (series.estimated ?? series.planned);
}

/** The statement that was made last, whatever it is. */
export function latest(series: Series): Statement | null {
  return newest(series.actual, newest(series.estimated, series.planned));
}

/** The one heard first; of those heard at the same time the one that an estimate is taken from. */
export function firstHeard(a: Statement | null, b: Statement | null): Statement | null {
  if (a === null || b === null) return a ?? b;
  const order = compareText(a.observation.observedAt, b.observation.observedAt);
  if (order !== 0) return order < 0 ? a : b;
  if (a.classifier !== b.classifier) return a.classifier === "EST" ? a : b;
  return newest(a, b);
}

/** Collects source events into series. */
export class SeriesCollector {
  readonly #series = new Map<string, MutableSeries>();

  /** A statement that holds. */
  add(statement: Statement): void {
    const series = this.#seriesOf(statement);
    if (statement.classifier === "ACT") series.actual = mostCredible(series.actual, statement);
    else if (statement.classifier === "EST") series.estimated = newest(series.estimated, statement);
    else series.planned = newest(series.planned, statement);
    this.remember(statement);
  }

  /** A statement that was heard and holds no more: it still tells what the first estimate was. */
  remember(statement: Statement): void {
    if (statement.classifier === "ACT") return;
    const series = this.#seriesOf(statement);
    series.firstEstimate = firstHeard(series.firstEstimate, statement);
  }

  collected(): SeriesByKey {
    return this.#series;
  }

  #seriesOf(statement: Statement): MutableSeries {
    const { code } = statement.observation;
    const { mode, place } = statement;
    const isVesselCall = mode === "VESSEL" && (code === "ARRI" || code === "DEPA");
    const vessel = isVesselCall ? statement.vessel : null;
    const key = `${code} ${mode} ${vessel ?? ""} ${place}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      series = { code, mode, place, vessel, actual: null, estimated: null, planned: null, firstEstimate: null };
      this.#series.set(key, series);
    }
    return series;
  }
}

/** The series of a container merged with those shared by all containers. */
export function mergeSeries(own: SeriesByKey, shared: SeriesByKey): SeriesByKey {
  if (own.size === 0) return shared;
  const merged = new Map<string, Series>(shared);
  for (const [key, series] of own) {
    const other = shared.get(key);
    merged.set(key, other === undefined ? series : merge(series, other));
  }
  return merged;
}

function merge(a: Series, b: Series): Series {
  return {
    ...a,
    actual: mostCredible(a.actual, b.actual),
    estimated: newest(a.estimated, b.estimated),
    planned: newest(a.planned, b.planned),
    firstEstimate: firstHeard(a.firstEstimate, b.firstEstimate),
  };
}
