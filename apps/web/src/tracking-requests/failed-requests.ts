import type { Client, MappedTrackingRequest } from "@svc/sdk";

/** Ids of those of the given requests that failed and need no action any more. */
export async function findResolved(
  api: Client,
  requests: readonly MappedTrackingRequest[],
): Promise<ReadonlySet<string>> {
  const times = requests.filter(({ status }) => status === "failed").map(({ createdAt }) => createdAt);
  const [createdFrom, createdTo] = [times.toSorted()[0], times.toSorted().at(-1)];
  if (createdFrom === undefined) return new Set();
  const filter = { resolved: true, createdFrom, createdTo };
  const { data } = await api.trackingRequests.list({ pageSize: 100, filter }, { include: [] });
  return new Set(data.map(({ id }) => id));
}

/** Resolves the exception of a failed request, which is not counted as failed any more. */
export async function dismissRequest(api: Client, id: string): Promise<void> {
  const filter = { trackingRequest: id, kind: ["tracking_request_failed"], ended: false } as const;
  const { data } = await api.exceptions.list({ filter, pageSize: 1 });
  for (const exception of data) await api.exceptions.update(exception.id, { status: "resolved" });
}
