import { type FailingStatus, failingStatusLabels } from "@svc/domain/carrier-connections";
import type { Client, MappedTrackingRequest } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";

/** Why no data comes for a waiting request: its carrier is not connected, or the account's connection fails. */
export type ConnectionProblem = "not_connected" | FailingStatus;

/** Problems by id of the request. */
export type ConnectionProblems = ReadonlyMap<string, ConnectionProblem>;

/** The attributes of a request that show whether its carrier is queried. */
export type WaitingRequest = Pick<MappedTrackingRequest, "id" | "scac" | "status" | "createdAt">;

async function findUnconnected(api: Client, requests: readonly WaitingRequest[]): Promise<ReadonlySet<string>> {
  const times = requests.filter(({ status }) => status === "pending").map(({ createdAt }) => createdAt);
  const [createdFrom, createdTo] = [times.toSorted()[0], times.toSorted().at(-1)];
  if (createdFrom === undefined) return new Set();
  const filter = { carrierConnected: false, createdFrom, createdTo };
  const { data } = await api.trackingRequests.list({ pageSize: 100, filter });
  return new Set(data.map(({ id }) => id));
}

/** Reads the failing connections, by SCAC. */
async function readFailing(api: Client): Promise<ReadonlyMap<string, FailingStatus>> {
  const { data } = await api.carrierConnections.list({ pageSize: 100 });
  return new Map(
    data.flatMap(({ attributes: { scac, status } }) =>
      status === "rejected" || status === "failing" || status === "not_offered" ? [[scac, status] as const] : [],
    ),
  );
}

/** Finds the problems of those of the requests that wait for data of a carrier. */
export async function findConnectionProblems(
  api: Client,
  requests: readonly WaitingRequest[],
): Promise<ConnectionProblems> {
  const waiting = requests.filter(({ status }) => status === "pending" || status === "awaiting_manifest");
  if (waiting.length === 0) return new Map();
  const [unconnected, failing] = await Promise.all([findUnconnected(api, waiting), readFailing(api)]);
  return new Map(
    waiting.flatMap(({ id, scac }) => {
      const problem = unconnected.has(id) ? "not_connected" : failing.get(scac ?? "");
      return problem === undefined ? [] : [[id, problem] as const];
    }),
  );
}

export const problemText = (problem: ConnectionProblem): string =>
  problem === "not_connected"
    ? "Carrier not connected"
    : `Connection to the carrier fails: ${failingStatusLabels[problem].toLowerCase()}`;

/** Renders a link to the connection, or to the form that creates it for members who may connect carriers. */
export function problemLink(problem: ConnectionProblem, scac: string | null, caller: Caller): Html | false {
  if (problem !== "not_connected") return html`<a href="/carriers/${scac}">Show connection</a>`;
  return may(caller, "connect_carriers") && html`<a href="/carriers/connect?scac=${scac}">Connect</a>`;
}
