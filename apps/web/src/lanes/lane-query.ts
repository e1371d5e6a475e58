import { isLocode } from "@svc/domain/identifiers";
import type { Client, EtaAccuracyResource, TransitTimeResource } from "@svc/sdk";
import type { Request } from "express";
import { queryText } from "../http/read-request.ts";
import { readPort } from "../saved-views/port-choice.ts";
import { locodeOf } from "../saved-views/port-suggestions.ts";

/** Lanes that the page shows; empty: all. */
export interface LaneFilter {
  /** SCAC. */
  readonly carrier: string;
  /** UN/LOCODEs, or text that names no port. */
  readonly from: string;
  readonly to: string;
}

const nameLengthMax = 60;

/** `?carrier=&from=&to=`, with names of ports by their UN/LOCODEs; what is no SCAC is left out. */
export async function readLaneFilter(request: Request, api: Client): Promise<LaneFilter> {
  const scac = queryText(request, "carrier").trim().toUpperCase();
  const port = (name: string) => locodeOf(api, readPort(queryText(request, name).slice(0, nameLengthMax)));
  const [from, to] = await Promise.all([port("from"), port("to")]);
  return { carrier: /^[A-Z]{2,4}$/.test(scac) ? scac : "", from, to };
}

/** The filter as the query of an address, with its question mark. */
export function laneQuery(filter: LaneFilter, more: Readonly<Record<string, string>> = {}): string {
  const parameters = Object.entries({ ...more, ...filter }).filter(([, value]) => value !== "");
  return parameters.length === 0 ? "" : `?${new URLSearchParams(parameters)}`;
}

/** The filter for the API, without text that names no port. */
export const lanesOf = ({ carrier, from, to }: LaneFilter): LaneFilter => ({
  carrier,
  from: isLocode(from) ? from : "",
  to: isLocode(to) ? to : "",
});

function apiFilter(filter: LaneFilter) {
  const { carrier, from, to } = lanesOf(filter);
  return { carrier: carrier || undefined, portOfLading: from || undefined, portOfDischarge: to || undefined };
}

const pageSize = 100;

interface LanePages {
  readonly etaAccuracy: readonly EtaAccuracyResource[];
  readonly transitTimes: readonly TransitTimeResource[];
  /** Other lanes are in the files only. */
  readonly hasMore: boolean;
}

/** The lanes with the latest arrivals. */
export async function readLanes(api: Client, lanes: LaneFilter): Promise<LanePages> {
  const parameters = { filter: apiFilter(lanes), pageSize };
  const [accuracy, transit] = await Promise.all([api.etaAccuracy.list(parameters), api.transitTimes.list(parameters)]);
  return {
    etaAccuracy: accuracy.data,
    transitTimes: transit.data,
    hasMore: accuracy.links?.next !== undefined || transit.links?.next !== undefined,
  };
}

/** Every lane, by pages. */
export async function* allLanes(
  api: Client,
  table: "etaAccuracy" | "transitTimes",
  lanes: LaneFilter,
): AsyncGenerator<readonly (EtaAccuracyResource | TransitTimeResource)[], void, undefined> {
  for (let page = 1; ; page++) {
    const { data, links } = await api[table].list({ filter: apiFilter(lanes), pageSize, page });
    yield data;
    if (links?.next === undefined) return;
  }
}
