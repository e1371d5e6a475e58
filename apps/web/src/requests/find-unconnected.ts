import type { Client, MappedTrackingRequest } from "@svc/sdk";

/** Ids of those of the given requests whose carrier is not connected. */
export async function findUnconnected(
  api: Client,
  requests: readonly MappedTrackingRequest[],
): Promise<ReadonlySet<string>> {
  const times = requests.filter(({ status }) => status === "pending").map(({ createdAt }) => createdAt);
  const [createdFrom, createdTo] = [times.toSorted()[0], times.toSorted().at(-1)];
  if (createdFrom === undefined) return new Set();
  const filter = { carrierConnected: false, createdFrom, createdTo };
  const { data } = await api.trackingRequests.list({ pageSize: 100, filter });
  return new Set(data.map(({ id }) => id));
}
