import { type Instant, instant, toEpochMs } from "@svc/domain";
import {
  type AlertContent,
  type AlertEntry,
  type AlertSchedule,
  alertEntriesMax,
  nextDigestMs,
} from "@svc/domain/alerts";
import {
  arrivalKinds,
  type ExceptionDetails,
  type ExceptionKind,
  type ExceptionResolution,
  type ExceptionSeverity,
  type ExceptionSubject,
  exceptionCause,
  exceptionContext,
  exceptionSteps,
  exceptionSummary,
} from "@svc/domain/exceptions";
import { planByIndex } from "../connection-settings.ts";
import type { Database } from "../database.ts";
import { isDatabaseUnavailable, isStatementCanceled } from "../database-unavailable.ts";
import { exceptionDetails } from "../exceptions/exception-details.ts";
import type { Sql, Statement } from "../sql.ts";
import { insertAlertMessage } from "./alert-subscription-repository.ts";
import { matchedRecords, matchesFilter } from "./matching-exceptions.ts";

interface DueRow extends AlertSchedule {
  readonly accountId: string;
  readonly id: string;
  readonly includesResolved: boolean;
  readonly now: Instant;
}

/**
 * Locks the subscription that has been due longest. Nothing is composed for a suspended or closed account. The time of
 * the statement, because an index cannot be searched for a time that changes while the statement runs. The time of a
 * digest is compared in the locked row as well: another process may have composed it after this statement began.
 */
const lockDue: Statement = {
  name: "alerts.lock-due",
  text: `
    SELECT a.account_id AS "accountId", a.id, a.frequency, a.hour, a.weekday, a.time_zone AS "timeZone",
      a.includes_resolved AS "includesResolved", clock_timestamp() AS now
    FROM (
      SELECT account_id, subscription_id, due_at, false AS is_digest FROM alert_items
      WHERE due_at <= statement_timestamp()
      UNION ALL
      SELECT account_id, id, next_digest_at, true FROM alert_subscriptions
      WHERE next_digest_at <= statement_timestamp()) AS due
    JOIN alert_subscriptions a ON a.account_id = due.account_id AND a.id = due.subscription_id AND a.active
    JOIN accounts account ON account.id = a.account_id AND account.suspended_at IS NULL
    WHERE NOT due.is_digest OR a.next_digest_at <= statement_timestamp()
    ORDER BY due.due_at LIMIT 1 FOR NO KEY UPDATE OF a SKIP LOCKED`,
};

/**
 * Takes all items, also those that are not due yet: one message contains all that is known. They are locked in the
 * order in which they are planned, so that planning and taking cannot deadlock.
 */
const takeItems: Statement = {
  name: "alerts.take-items",
  text: `
    WITH locked AS (
      SELECT exception_id FROM alert_items WHERE account_id = $1 AND subscription_id = $2
      ORDER BY exception_id FOR UPDATE)
    DELETE FROM alert_items i USING locked
    WHERE i.account_id = $1 AND i.subscription_id = $2 AND i.exception_id = locked.exception_id
    RETURNING i.exception_id AS "exceptionId", i.event`,
};

interface EntryRow extends ExceptionSubject {
  readonly id: string;
  readonly kind: ExceptionKind;
  readonly severity: ExceptionSeverity;
  readonly details: ExceptionDetails;
  readonly endedAt: Instant | null;
  /** Not set: it is open. */
  readonly resolution?: ExceptionResolution | null;
  /** Not set: it is not requested. */
  readonly previousKind?: ExceptionKind | null;
}

interface CountRow {
  readonly kind: ExceptionKind;
  readonly count: number;
  readonly newCount: number;
}

/** A container with an ETA of its own arrives separately (packages/domain/src/shipments/container-arrival.ts). */
const entry = `x.id, x.kind, x.severity, ${exceptionDetails}, x.ended_at AS "endedAt",
  COALESCE(c.number, s.bill_of_lading_number, r.request_number, '') AS number,
  s.bill_of_lading_number AS "shipmentNumber", party.company_name AS "customerName",
  COALESCE(c.ref_numbers, '{}') || COALESCE(s.ref_numbers, r.ref_numbers, '{}') AS "refNumbers",
  lading.name AS "portOfLadingName", discharge.name AS "portOfDischargeName",
  COALESCE(destination_port.name, destination_area.name) AS "destinationName",
  CASE WHEN c.pod_eta_at IS NULL THEN vessel.name ELSE c.pod_vessel_name END AS "vesselName",
  CASE WHEN c.pod_eta_at IS NULL THEN s.pod_voyage_number ELSE c.pod_voyage_number END AS "voyageNumber",
  COALESCE(c.pod_eta_at, s.pod_eta_at) AS "estimatedArrivalAt",
  COALESCE(c.pod_original_eta_at, s.pod_original_eta_at) AS "firstEstimatedArrivalAt",
  discharge.time_zone AS "arrivalTimeZone"`;
const entryRecords = `${matchedRecords}
  LEFT JOIN parties party ON party.account_id = x.account_id AND party.id = COALESCE(s.customer_id, r.customer_id)
  LEFT JOIN ports lading ON lading.id = s.port_of_lading_id
  LEFT JOIN ports discharge ON discharge.id = s.port_of_discharge_id
  LEFT JOIN ports destination_port ON destination_port.id = s.destination_port_id
  LEFT JOIN metro_areas destination_area ON destination_area.id = s.destination_metro_area_id
  LEFT JOIN vessels vessel ON vessel.id = s.pod_vessel_id`;

/** Whether `x` took the place of `p`: one ends when the other opens. */
const isNextStep = `p.account_id = x.account_id AND p.ended_at = x.opened_at AND (
  p.subject_id = x.subject_id
    AND (p.kind, x.kind) IN (${exceptionSteps.map(([from, to]) => `('${from}', '${to}')`).join(", ")})
  OR p.shipment_id = x.shipment_id AND (p.container_id IS NULL) <> (x.container_id IS NULL)
    AND p.kind = x.kind AND p.kind IN (${arrivalKinds.map((kind) => `'${kind}'`).join(", ")}))`;

/** A subquery, which is hashed: a generic plan would compare each exception with each new id. */
const isAmong = (ids: string) => `x.id IN (SELECT unnest(${ids}::uuid[]))`;

/** The kind of the exception whose place a new one took. A digest repeats what is open for a long time. */
const previousKindOf = (newIds: string) => `
  CASE WHEN ${isAmong(newIds)} THEN (
    SELECT p.kind FROM exceptions p WHERE ${isNextStep} ORDER BY p.priority DESC LIMIT 1) END AS "previousKind"`;

/** Selects the given exceptions that meet the condition. */
const listed = (condition: string, records = matchedRecords) => `
  FROM exceptions x ${records} WHERE x.account_id = $1 AND x.id = ANY($2::uuid[]) AND ${condition}`;
/** Selects the open exceptions of the subscription. $4: the time of the tracking clock, by which snoozes end. */
const queued = (records = matchedRecords) => `
  FROM alert_subscriptions a JOIN exceptions x ON x.account_id = a.account_id AND x.resolved_at IS NULL
    AND (x.snoozed_until IS NULL OR x.snoozed_until <= $4) ${records}
  WHERE a.account_id = $1 AND a.id = $2 AND ${matchesFilter}`;
const mostUrgent = `ORDER BY x.priority DESC, x.id DESC LIMIT ${alertEntriesMax}`;
const byKind = `GROUP BY x.kind ORDER BY max(x.priority) DESC`;

const listOpen: Statement = {
  name: "alerts.list-open",
  text: `SELECT ${entry}, ${previousKindOf("$2")} ${listed("x.resolved_at IS NULL", entryRecords)} ${mostUrgent}`,
};
const countOpen: Statement = {
  name: "alerts.count-open",
  text: `SELECT x.kind, count(*)::int AS count, count(*)::int AS "newCount" ${listed("x.resolved_at IS NULL")} ${byKind}`,
};
const listResolved: Statement = {
  name: "alerts.list-resolved",
  text: `SELECT ${entry}, x.resolution ${listed("x.resolved_at IS NOT NULL", entryRecords)} ${mostUrgent}`,
};
const countResolved: Statement = {
  name: "alerts.count-resolved",
  text: `SELECT count(*)::int AS count ${listed("x.resolved_at IS NOT NULL")}`,
};
const listQueue: Statement = {
  name: "alerts.list-queue",
  text: `SELECT ${entry}, ${previousKindOf("$3")} ${queued(entryRecords)} ${mostUrgent}`,
};
const countQueue: Statement = {
  name: "alerts.count-queue",
  text: `
    SELECT x.kind, count(*)::int AS count, (count(*) FILTER (WHERE ${isAmong("$3")}))::int AS "newCount"
    ${queued()} ${byKind}`,
};

const scheduleNext: Statement = {
  name: "alerts.schedule-next",
  text: "UPDATE alert_subscriptions SET next_digest_at = $3 WHERE account_id = $1 AND id = $2",
};

/** Postpones the items after a failure, so that one subscription does not delay the others. */
const postponeItems: Statement = {
  name: "alerts.postpone-items",
  text: `
    UPDATE alert_items SET due_at = clock_timestamp() + interval '10 minutes'
    WHERE account_id = $1 AND subscription_id = $2 AND due_at IS NOT NULL`,
};
const postponeDigest: Statement = {
  name: "alerts.postpone-digest",
  text: `
    UPDATE alert_subscriptions SET next_digest_at = clock_timestamp() + interval '10 minutes'
    WHERE account_id = $1 AND id = $2 AND next_digest_at <= clock_timestamp()`,
};

const toEntry = ({
  id,
  kind,
  severity,
  details,
  endedAt,
  previousKind,
  resolution,
  ...subject
}: EntryRow): AlertEntry => ({
  id,
  kind,
  severity,
  number: subject.number,
  summary: exceptionSummary({ kind, details, endedAt }),
  cause: exceptionCause({ kind, details, endedAt }),
  context: exceptionContext(kind, subject),
  ...(previousKind && { previousKind }),
  ...(resolution && { resolution }),
});

const listAssigned: Statement = {
  name: "alerts.list-assigned",
  text: `
    SELECT ${entry} FROM exceptions x ${entryRecords}
    WHERE x.account_id = $1 AND x.resolved_at IS NULL AND x.owner_user_id = $3
      AND x.id IN (
        SELECT unnest($2::uuid[])
        UNION ALL
        SELECT x.id FROM exceptions p JOIN exceptions x ON ${isNextStep} AND x.ended_at IS NULL
        WHERE p.account_id = $1 AND p.id = ANY($2::uuid[])) ${mostUrgent}`,
};

/** Reads the exceptions that are still assigned to the member, or what took their place, as a message lists them. */
export async function readAssignedEntries(
  sql: Sql,
  {
    accountId,
    userId,
    exceptionIds,
  }: Readonly<Record<"accountId" | "userId", string>> & {
    readonly exceptionIds: readonly string[];
  },
): Promise<AlertEntry[]> {
  return (await sql.rows<EntryRow>(listAssigned, [accountId, exceptionIds, userId])).map(toEntry);
}

const total = (counts: readonly { readonly count: number }[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0);

async function composeImmediate(sql: Sql, due: DueRow, items: readonly ItemRow[]): Promise<AlertContent> {
  const { accountId, includesResolved } = due;
  const ids = items.map(({ exceptionId }) => exceptionId);
  const resolvedIds = includesResolved
    ? items.filter(({ event }) => event === "resolved").map(({ exceptionId }) => exceptionId)
    : [];
  const counts = await sql.rows<CountRow>(countOpen, [accountId, ids]);
  const [resolved] = await sql.rows<{ count: number }>(countResolved, [accountId, resolvedIds]);
  return {
    reason: "at_once",
    open: (await sql.rows<EntryRow>(listOpen, [accountId, ids])).map(toEntry),
    openCount: total(counts),
    newCount: null,
    countByKind: counts.map(({ kind, count }) => ({ kind, count })),
    resolved: (await sql.rows<EntryRow>(listResolved, [accountId, resolvedIds])).map(toEntry),
    resolvedCount: resolved?.count ?? 0,
  };
}

async function composeDigest(
  sql: Sql,
  { accountId, id, frequency }: DueRow,
  items: readonly ItemRow[],
  trackingNow: Instant,
): Promise<AlertContent> {
  const newIds = items.map(({ exceptionId }) => exceptionId);
  const values = [accountId, id, newIds, trackingNow] as const;
  const counts = await sql.rows<CountRow>(countQueue, values);
  return {
    reason: frequency,
    open: (await sql.rows<EntryRow>(listQueue, values)).map(toEntry),
    openCount: total(counts),
    newCount: counts.reduce((sum, { newCount }) => sum + newCount, 0),
    countByKind: counts.map(({ kind, count }) => ({ kind, count })),
    resolved: [],
    resolvedCount: 0,
  };
}

interface ItemRow {
  readonly exceptionId: string;
  readonly event: "opened" | "resolved";
}

/** A message without content is not sent. */
async function compose(sql: Sql, due: DueRow, trackingNow: Instant): Promise<boolean> {
  const { accountId, id } = due;
  const items = await sql.rows<ItemRow>(takeItems, [accountId, id]);
  const content = await (due.frequency === "at_once"
    ? composeImmediate(sql, due, items)
    : composeDigest(sql, due, items, trackingNow));
  const isWorthSending = content.openCount + content.resolvedCount > 0;
  if (isWorthSending) await insertAlertMessage(sql, accountId, id, content);
  const nextMs = nextDigestMs(due, toEpochMs(due.now));
  if (nextMs !== null) await sql.execute(scheduleNext, [accountId, id, instant(nextMs)]);
  return isWorthSending;
}

/**
 * Composes the message of one subscription that is due, in one transaction with the removal of its items: a process
 * that ends half-way composes nothing. Several processes may call it.
 * @param trackingNow time of the tracking clock, by which snoozes end. Messages are due in real time.
 * @returns whether there was one, and whether it had content.
 */
export async function composeNextAlert(
  database: Database,
  trackingNow: Instant,
  onFailure: (error: unknown, subscriptionId: string) => void,
): Promise<"none" | "composed" | "empty" | "postponed"> {
  let due: DueRow | undefined;
  try {
    return await database.transaction(async (sql) => {
      [due] = await sql.rows<DueRow>(lockDue, []);
      if (!due) return "none";
      // A digest reads all open exceptions of an account. Without a sort, PostgreSQL would search all of the account's
      // for the step before each new one, in the order in which that search returns them.
      await sql.rows(planByIndex, []);
      return (await compose(sql, due, trackingNow)) ? "composed" : "empty";
    });
  } catch (error) {
    if (!due || (isDatabaseUnavailable(error) && !isStatementCanceled(error))) throw error;
    onFailure(error, due.id);
    await database.sql.execute(postponeItems, [due.accountId, due.id]);
    await database.sql.execute(postponeDigest, [due.accountId, due.id]);
    return "postponed";
  }
}
