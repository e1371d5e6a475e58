import { detectCarrier, type FailedReason, normalizeRequestNumber } from "@svc/domain/tracking-requests";
import { trackingRequestContent } from "@svc/jsonapi/notifications";
import { isDatabaseUnavailable, type Sql } from "@svc/persistence";
import { type CatalogueLine, readShippingLineCatalogue } from "@svc/persistence/reference-data";
import {
  assignCarrier,
  findSubscriptions,
  findUndetectedRequests,
  type LiveRequest,
  lockUndetectedRequest,
  type UndetectedRequest,
  writeNotificationEvents,
  writeRequests,
} from "@svc/persistence/tracking";
import type { Logger } from "@svc/service-kit";
import type { TrackingContext } from "../apply/poll-transaction.ts";

/** Due subjects are polled between two batches. */
const requestBatchMax = 100;
const batchMaxMs = 5_000;

/**
 * Detects the carriers of requests with `auto_detect_vocc_scac` (docs/contract/reference.md 4). Each request is then
 * polled, or fails with its reason, in a transaction of its own and by one worker only. Ends early when the database is
 * unavailable or slow, because polls wait meanwhile.
 * @returns whether there may be more of them.
 */
export async function detectCarriers(context: TrackingContext, logger: Logger): Promise<boolean> {
  const { database } = context;
  const requests = await findUndetectedRequests(database.sql, requestBatchMax);
  if (requests.length === 0) return false;
  const carriers = await readShippingLineCatalogue(database.sql);
  const untilMs = performance.now() + batchMaxMs;
  let settled = 0;
  for (const request of requests) {
    if (performance.now() > untilMs) return settled > 0;
    const about = { account_id: request.accountId, tracking_request_id: request.id };
    try {
      const outcome = await database.transaction((sql) => detectRequestCarrier(context, sql, request, carriers));
      settled += 1;
      logger.info({ ...about, outcome }, "carrier_detection.finished");
    } catch (error) {
      // For example a unique violation with a concurrent request for the same number: the next run finds a duplicate.
      logger.warn({ ...about, err: error }, "carrier_detection.failed");
      if (isDatabaseUnavailable(error)) return false;
    }
  }
  return requests.length === requestBatchMax && settled > 0;
}

/** @returns the SCAC, the reason why the request fails, or null when another worker settles it. */
async function detectRequestCarrier(
  context: TrackingContext,
  sql: Sql,
  pending: UndetectedRequest,
  carriers: readonly CatalogueLine[],
): Promise<string | null> {
  const request = await lockUndetectedRequest(sql, pending);
  if (request === null) return null;
  const carrier = detectCarrier(request, carriers);
  if (carrier === null) return fail(context, sql, pending.accountId, request, "scac_auto_detect_failed");
  const normalizedNumber = normalizeRequestNumber(request.requestType, request.requestNumber, carrier);
  const isAssigned = await assignCarrier(sql, pending, { scac: carrier.scac, normalizedNumber }, context.clock.now());
  return isAssigned ? carrier.scac : fail(context, sql, pending.accountId, request, "duplicate");
}

async function fail(
  { clock, baseUrl }: TrackingContext,
  sql: Sql,
  accountId: string,
  request: LiveRequest,
  failedReason: FailedReason,
): Promise<FailedReason> {
  const now = clock.now();
  const event = "tracking_request.failed";
  const failed = await writeRequests(sql, accountId, [{ ...request, status: "failed", failedReason }], now);
  const related = { containerIds: [], related: () => [], baseUrl };
  const events = failed.map((one) => ({ event, ...trackingRequestContent(event, one, related) }) as const);
  await writeNotificationEvents(sql, accountId, events, await findSubscriptions(sql, accountId), now);
  return failedReason;
}
