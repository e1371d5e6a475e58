import { repeat } from "@svc/service-kit";
import type { Caller } from "../api/caller.ts";
import { concerns, type Subject, type WatchedResource } from "./watched-resource.ts";

/** A report may become visible so much later than its time, and the clocks of two hosts may differ by as much. */
const overlapMs = 120_000;
const pageSize = 100;
/** When more is reported, everything that is watched counts as updated. */
const pagesMax = 10;

export interface AccountWatchOptions {
  readonly caller: Caller;
  readonly watched: readonly WatchedResource[];
  readonly everyMs: number;
  onUpdated(uri: string): void;
  /** A round failed. The next one covers its time too. */
  onError(error: unknown): void;
}

interface Report extends Subject {
  /** Another one for each change of the same record. */
  readonly key: string;
}

/** Undefined: of all shipments. */
function watchedShipments(watched: readonly WatchedResource[]): readonly string[] | undefined {
  const ids = watched.flatMap(({ shipmentId }) => shipmentId ?? []);
  return ids.length === watched.length ? [...new Set(ids)] : undefined;
}

/** Changed attributes, and exceptions that were opened, edited or resolved, since then. Null: too many to read. */
async function reportsSince(
  since: Date,
  shipment: readonly string[] | undefined,
  { client }: Caller,
): Promise<Report[] | null> {
  const reports: Report[] = [];
  for (let page = 1, isLast = false; !isLast; page += 1) {
    if (page > pagesMax) return null;
    const { data } = await client.overviews.changes({ filter: { since, shipment }, page, pageSize });
    for (const { id, attributes } of data) {
      const { record_type, record_id, shipment_id: shipmentId } = attributes;
      reports.push({ key: id, shipmentId, containerId: record_type === "container" ? record_id : undefined });
    }
    isLast = data.length < pageSize;
  }
  const { data: exceptions } = await client.exceptions.list({ filter: { shipment }, sort: "-updated_at", pageSize });
  const recent = exceptions.filter(({ attributes }) => Date.parse(attributes.updated_at) >= since.getTime());
  if (recent.length === pageSize) return null;
  for (const { id, attributes, relationships } of recent) {
    const [shipmentId, containerId] = [relationships.shipment.data?.id, relationships.container.data?.id];
    reports.push({ key: `${id} ${attributes.updated_at}`, shipmentId, containerId });
  }
  return reports;
}

/**
 * Polls the API for changes, and reports which of the watched resources changed with them: two requests a round,
 * however many resources are watched. Resolves to the function that ends it, once what is reported until then is
 * known. Throws SvcError when the API does not answer.
 */
export async function watchAccount(options: AccountWatchOptions): Promise<() => void> {
  const { caller, watched, everyMs, onUpdated, onError } = options;
  const shipments = watchedShipments(watched);
  let isStopped = false;
  let since = new Date(Date.now() - overlapMs);
  let reportedKeys = new Set((await reportsSince(since, shipments, caller))?.map(({ key }) => key));

  const { stop } = repeat(
    everyMs,
    async () => {
      const beganAt = Date.now();
      const reports = await reportsSince(since, shipments, caller);
      if (isStopped) return;
      const unseen = reports?.filter(({ key }) => !reportedKeys.has(key));
      for (const resource of watched) {
        if (unseen?.some((report) => concerns(resource, report)) ?? true) onUpdated(resource.uri);
      }
      since = new Date(beganAt - overlapMs);
      reportedKeys = new Set(reports?.map(({ key }) => key));
    },
    onError,
  );
  return () => {
    isStopped = true;
    void stop();
  };
}
