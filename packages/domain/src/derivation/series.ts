import { compareText } from "../compare-text.ts";
import type { TransportMode } from "../observations/observation.ts";
import { mostCredible, newest, type SourceEvent } from "./source-event.ts";

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
  readonly actual: SourceEvent | null;
  readonly estimated: SourceEvent | null;
  readonly planned: SourceEvent | null;
  /** The first estimate ever observed, including superseded ones. */
  readonly firstEstimate: SourceEvent | null;
}

type MutableSeries = { -readonly [Key in keyof Series]: Series[Key] };
export type SeriesByKey = ReadonlyMap<string, Series>;

/** ACT before EST before PLN. */
export function primary(series: Series | null): SourceEvent | null {
  return series === null ? null : (series.actual ?? series.estimated ?? series.planned);
}

/** EST before PLN. */
export function estimate(series: Series | null): SourceEvent | null {
  return series === null ? null : (series.estimated ?? series.planned);
}

/** The newest source event of any classifier. */
export function latest(series: Series): SourceEvent | null {
  return newest(series.actual, newest(series.estimated, series.planned));
}

/** The earlier observed one; of simultaneous ones EST before PLN, then the newer. */
export function firstObserved(a: SourceEvent | null, b: SourceEvent | null): SourceEvent | null {
  if (a === null || b === null) return a ?? b;
  const order = compareText(a.observation.observedAt, b.observation.observedAt);
  if (order !== 0) return order < 0 ? a : b;
  if (a.classifier !== b.classifier) return a.classifier === "EST" ? a : b;
  return newest(a, b);
}

/** Collects source events into series. */
export class SeriesCollector {
  readonly #series = new Map<string, MutableSeries>();

  /** Adds a current source event. */
  add(sourceEvent: SourceEvent): void {
    const series = this.#seriesOf(sourceEvent);
    if (sourceEvent.classifier === "ACT") series.actual = mostCredible(series.actual, sourceEvent);
    else if (sourceEvent.classifier === "EST") series.estimated = newest(series.estimated, sourceEvent);
    else series.planned = newest(series.planned, sourceEvent);
    this.remember(sourceEvent);
  }

  /** Adds a superseded source event, which can still be the first estimate. */
  remember(sourceEvent: SourceEvent): void {
    if (sourceEvent.classifier === "ACT") return;
    const series = this.#seriesOf(sourceEvent);
    series.firstEstimate = firstObserved(series.firstEstimate, sourceEvent);
  }

  collected(): SeriesByKey {
    return this.#series;
  }

  #seriesOf(sourceEvent: SourceEvent): MutableSeries {
    const { code } = sourceEvent.observation;
    const { mode, place } = sourceEvent;
    const isVesselCall = mode === "VESSEL" && (code === "ARRI" || code === "DEPA");
    const vessel = isVesselCall ? sourceEvent.vessel : null;
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
    firstEstimate: firstObserved(a.firstEstimate, b.firstEstimate),
  };
}
