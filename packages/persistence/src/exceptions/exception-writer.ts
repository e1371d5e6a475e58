import { addMs, type Instant, jsonEqual } from "@svc/domain";
import {
  type ExceptionHandling,
  type ExceptionResolution,
  type ExceptionStep,
  exceptionKinds,
  exceptionPriority,
  type FoundException,
  inheritedHandling,
  isNextStep,
} from "@svc/domain/exceptions";
import { uuidV7 } from "../ids.ts";
import type { Sql, Statement } from "../sql.ts";
import { type DueCheck, type SettledCheck, settleChecks } from "./exception-checks.ts";

/** Subject with the conditions that the rules found. */
export interface CheckedSubject extends DueCheck {
  readonly found: readonly FoundException[];
  readonly nextCheckAt: Instant | null;
  /** Why exceptions that are not found any more are resolved. */
  readonly resolution: Exclude<ExceptionResolution, "by_member" | "superseded">;
}

export interface ExceptionChanges {
  readonly openedIds: readonly string[];
  /** Subset of `openedIds` whose shipment had the condition already when its tracking began. */
  readonly initialIds: ReadonlySet<string>;
  /** Exceptions that were resolved now, without those that a member had resolved before and those superseded. */
  readonly resolvedIds: readonly string[];
  /** Exceptions whose place one of `openedIds` took, without those that a member had resolved before. */
  readonly supersededIds: readonly string[];
}

interface CurrentRow extends ExceptionStep {
  readonly id: string;
  readonly severity: string;
  readonly priority: number;
  readonly details: unknown;
  readonly resolvedAt: Instant | null;
}

const findCurrent: Statement = {
  name: "exceptions.find-current",
  text: `
    SELECT id, COALESCE(shipment_id, tracking_request_id) AS "scopeId", subject_id AS "subjectId", kind, severity,
      priority, details, resolved_at AS "resolvedAt"
    FROM exceptions WHERE account_id = $1 AND ended_at IS NULL
      AND (shipment_id = ANY($2::uuid[]) OR subject_id = ANY($2::uuid[]))`,
};

const open: Statement = {
  name: "exceptions.open",
  text: `
    INSERT INTO exceptions (account_id, id, kind, severity, priority, subject_id, shipment_id, container_id,
      tracking_request_id, details, owner_user_id, note, opened_at, created_at, updated_at)
    SELECT $1, e.id, e.kind, e.severity, e.priority, e."subjectId", e."shipmentId", e."containerId",
      e."trackingRequestId", e.details, e."ownerUserId", e.note, $2, $2, $2
    FROM jsonb_to_recordset($3::jsonb) AS e(id uuid, kind text, severity text, priority int, "subjectId" uuid,
      "shipmentId" uuid, "containerId" uuid, "trackingRequestId" uuid, details jsonb, "ownerUserId" uuid, note text)
    ON CONFLICT (account_id, subject_id, kind) WHERE ended_at IS NULL DO NOTHING RETURNING id`,
};

const change: Statement = {
  name: "exceptions.change",
  text: `
    UPDATE exceptions x SET severity = e.severity, priority = e.priority, details = e.details,
      row_version = row_version + 1, updated_at = $2
    FROM jsonb_to_recordset($3::jsonb) AS e(id uuid, severity text, priority int, details jsonb)
    WHERE x.account_id = $1 AND x.id = e.id AND x.ended_at IS NULL`,
};

/** One that a member resolved before keeps that resolution. Waits for an edit that has locked one, and returns it. */
const end: Statement = {
  name: "exceptions.end",
  text: `
    UPDATE exceptions x SET ended_at = $2, resolved_at = COALESCE(x.resolved_at, $2),
      resolution = COALESCE(x.resolution, e.resolution), row_version = row_version + 1, updated_at = $2
    FROM jsonb_to_recordset($3::jsonb) AS e(id uuid, resolution text)
    WHERE x.account_id = $1 AND x.id = e.id AND x.ended_at IS NULL
    RETURNING x.id, x.subject_id AS "subjectId", x.kind, x.priority, x.resolution, x.owner_user_id AS "ownerUserId",
      x.note, COALESCE(x.shipment_id, x.tracking_request_id) AS "scopeId", old.resolved_at IS NULL AS "isNew"`,
};

interface EndedRow extends ExceptionHandling, ExceptionStep {
  readonly id: string;
  readonly priority: number;
  readonly resolution: ExceptionResolution | null;
  readonly isNew: boolean;
}

const key = (subjectId: string, kind: string): string => `${subjectId} ${kind}`;

const isKnown = ({ kind }: { readonly kind: string }): boolean => (exceptionKinds as readonly string[]).includes(kind);

/** When a worker of a newer build may check a subject whose exception has a kind that this build does not have. */
const newerBuildMs = 600_000;

/** Schedules the next check of each subject, soon if one of its exceptions was not evaluated. */
function nextChecks(subjects: readonly CheckedSubject[], unknown: readonly CurrentRow[], now: Instant): SettledCheck[] {
  const unevaluated = new Set(unknown.map(({ scopeId }) => scopeId));
  const soon = addMs(now, newerBuildMs);
  return subjects.map(({ subjectId, nextCheckAt }) => {
    const isSooner = unevaluated.has(subjectId) && (nextCheckAt === null || nextCheckAt > soon);
    return { subjectId, nextCheckAt: isSooner ? soon : nextCheckAt };
  });
}

/**
 * Writes the exceptions that the rules found for the subjects, with a constant number of statements, and schedules
 * their next checks. The next step of a case keeps the owner and the note. Exceptions of a kind that only a newer build
 * has stay as they are, for its workers to evaluate. Call it in the transaction that locks the checks.
 */
export async function writeExceptions(
  sql: Sql,
  accountId: string,
  subjects: readonly CheckedSubject[],
  now: Instant,
): Promise<ExceptionChanges> {
  const rows = await sql.rows<CurrentRow>(findCurrent, [accountId, subjects.map(({ subjectId }) => subjectId)]);
  const current = rows.filter(isKnown);
  const unknown = rows.filter((row) => !isKnown(row));
  const currentByKey = new Map(current.map((row) => [key(row.subjectId, row.kind), row]));
  const resolutionBySubject = new Map(subjects.map(({ subjectId, resolution }) => [subjectId, resolution]));
  const foundExceptions = subjects.flatMap(({ subjectId: scopeId, subjectType, found }) =>
    found.map(({ kind, severity, details, containerId }) => ({
      id: uuidV7.next(),
      kind,
      severity,
      priority: exceptionPriority({ kind, details }),
      subjectId: containerId ?? scopeId,
      scopeId,
      shipmentId: subjectType === "shipment" ? scopeId : null,
      containerId,
      trackingRequestId: subjectType === "tracking_request" ? scopeId : null,
      details,
    })),
  );
  const added = foundExceptions.filter((one) => !currentByKey.has(key(one.subjectId, one.kind)));
  const changed = foundExceptions.flatMap((one) => {
    const before = currentByKey.get(key(one.subjectId, one.kind));
    // A new kind changes the priority of others.
    const isSame =
      before?.severity === one.severity &&
      before.priority === one.priority &&
      jsonEqual(before.details, JSON.parse(JSON.stringify(one.details)));
    return before === undefined || isSame ? [] : [{ ...one, id: before.id }];
  });
  const foundKeys = new Set(foundExceptions.map((one) => key(one.subjectId, one.kind)));
  const addedByScope = Map.groupBy(added, ({ scopeId }) => scopeId);
  const ended = current
    .filter((row) => !foundKeys.has(key(row.subjectId, row.kind)))
    .map((row) => ({
      id: row.id,
      resolution: addedByScope.get(row.scopeId)?.some((one) => isNextStep(row, one))
        ? "superseded"
        : (resolutionBySubject.get(row.scopeId) ?? "cleared"),
    }));
  const write = <Row extends object>(statement: Statement, rows: readonly object[]): Promise<Row[]> =>
    rows.length === 0 ? Promise.resolve([]) : sql.rows<Row>(statement, [accountId, now, JSON.stringify(rows)]);
  const closed = (await write<EndedRow>(end, ended)).toSorted((one, other) => other.priority - one.priority);
  const closedByScope = Map.groupBy(closed, ({ scopeId }) => scopeId);
  const opened = await write<{ id: string }>(
    open,
    added.map((one) => ({
      ...one,
      ...inheritedHandling((closedByScope.get(one.scopeId) ?? []).filter((step) => isNextStep(step, one))),
    })),
  );
  await write(change, changed);
  await settleChecks(sql, accountId, nextChecks(subjects, unknown, now));
  const newSubjects = new Set(subjects.flatMap(({ subjectId, isNew }) => (isNew ? subjectId : [])));
  const initial = added.filter(({ shipmentId }) => shipmentId !== null && newSubjects.has(shipmentId));
  return {
    openedIds: opened.map(({ id }) => id),
    initialIds: new Set(initial.map(({ id }) => id)),
    resolvedIds: closed.flatMap(({ id, isNew, resolution }) => (isNew && resolution !== "superseded" ? id : [])),
    supersededIds: closed.flatMap(({ id, isNew, resolution }) => (isNew && resolution === "superseded" ? id : [])),
  };
}
