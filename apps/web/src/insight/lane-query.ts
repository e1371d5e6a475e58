import type { Client, EtaAccuracyResource, TransitTimeResource } from "@svc/sdk";
import type { Request } from "express";
import { queryText } from "../http/read-request.ts";

/** Lanes that the page shows; empty: all. */
export interface LaneFilter {
  /** SCAC. */
  readonly carrier: string;
  /** UN/LOCODEs. */
  readonly from: string;
  readonly to: string;
}

const readCode = (request: Request, name: string, length: number): string => {
  const code = queryText(request, name).trim().toUpperCase();
  return new RegExp(`^[A-Z0-9]{${length}}$`).test(code) ? code : "";
};

/** `?carrier=&from=&to=`; what is not a code is left out. */
export const readLaneFilter = (request: Request): LaneFilter => ({
  carrier: readCode(request, "carrier", 4),
  from: readCode(request, "from", 5),
  to: readCode(request, "to", 5),
});

/** The filter as the query of an address, with its question mark. */
export function laneQuery(filter: LaneFilter, more: Readonly<Record<string, string>> = {}): string {
  const parameters = Object.entries({ ...more, ...filter }).filter(([, value]) => value !== "");
  return parameters.length === 0 ? "" : `?${new URLSearchParams(parameters)}`;
}

const apiFilter = ({ carrier, from, to }: LaneFilter) => ({
  carrier: carrier || undefined,
  portOfLading: from || undefined,
  portOfDischarge: to || undefined,
});

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
