import type { Instant } from "@svc/domain";
import {
  type ChargedException,
  type ChargeSums,
  type chargedExceptionKinds,
  type Exception,
  type ExceptionKind,
  type ExceptionResolution,
  type ExceptionSeverity,
  type ExceptionStatus,
  sumCharges,
} from "@svc/domain/exceptions";
import type { Page, PageRequest } from "@svc/domain/lists";
import type { SearchQuery } from "@svc/domain/search";
import {
  type Condition,
  conditionsOf,
  type FilterSql,
  type ListSource,
  listRows,
  numberConditions,
} from "../lists/list-rows.ts";
import { withNames } from "../named-parameters.ts";
import { hasField, hasText, textForms } from "../overviews/overview-filters.ts";
import type { OverviewGroup } from "../overviews/overview-reader.ts";
import { containerTable } from "../overviews/overview-tables.ts";
import { likePattern } from "../search/like-pattern.ts";
import { withoutAccents, withoutAccentsSql } from "../search/without-accents.ts";
import { findPlaceIds } from "../shipments/place-ids.ts";
import { type AccountSql, firstRow, type Statement } from "../sql.ts";
import { exceptionDetails } from "./exception-details.ts";

const columns = `x.id, x.kind, x.severity, x.priority, ${exceptionDetails}, x.shipment_id AS "shipmentId",
  x.container_id AS "containerId", x.tracking_request_id AS "trackingRequestId",
  COALESCE(c.number, s.bill_of_lading_number, r.request_number) AS number, s.bill_of_lading_number AS "shipmentNumber",
  x.opened_at AS "openedAt", x.ended_at AS "endedAt", x.resolved_at AS "resolvedAt", x.resolution,
  resolver.name AS "resolvedBy", x.owner_user_id AS "ownerUserId", x.snoozed_until AS "snoozedUntil", x.note,
  x.row_version AS "rowVersion", x.created_at AS "createdAt", x.updated_at AS "updatedAt"`;
const joins = `
  LEFT JOIN containers c ON c.account_id = x.account_id AND c.id = x.container_id
  LEFT JOIN shipments s ON s.account_id = x.account_id AND s.id = x.shipment_id
  LEFT JOIN tracking_requests r ON r.account_id = x.account_id AND r.id = x.tracking_request_id
  LEFT JOIN LATERAL (
    SELECT a.actor_name AS name FROM audit_events a
    WHERE a.account_id = x.account_id AND a.subject_id = x.id AND a.changes ? 'resolved_at'
    ORDER BY a.created_at DESC, a.id DESC LIMIT 1) resolver ON x.resolution = 'by_member'`;

const source: ListSource = {
  name: "exceptions",
  table: "exceptions",
  alias: "x",
  scope: "x.account_id = $1",
  columns,
  joins,
  sortKeys: {
    priority: { column: "x.priority", type: "int" },
    opened_at: { column: "x.opened_at", type: "timestamptz" },
    updated_at: { column: "x.updated_at", type: "timestamptz" },
    resolved_at: { column: "COALESCE(x.resolved_at, x.opened_at)", type: "timestamptz", isUnindexed: true },
  },
};

/** `resolved_at`: those that are not resolved by the time when they were opened. */
export type ExceptionSortKey = "priority" | "opened_at" | "updated_at" | "resolved_at";

/** Several values of one: any of them; several filters: all. */
export interface ExceptionFilters {
  readonly kind?: readonly ExceptionKind[];
  readonly severity?: readonly ExceptionSeverity[];
  readonly status?: readonly ExceptionStatus[];
  /** Ids of users; null: without an owner. */
  readonly owner?: readonly (string | null)[];
  readonly shipment?: readonly string[];
  readonly container?: readonly string[];
  readonly trackingRequest?: readonly string[];
  /** Resolutions; limits the list to resolved exceptions. */
  readonly resolution?: readonly ExceptionResolution[];
  /** Whether the next step of its case took its place. */
  readonly superseded?: boolean;
  readonly openedAfter?: Instant;
  /** Whether the condition has ended. A member can have resolved one whose condition still holds. */
  readonly ended?: boolean;
  /** SCACs of the shipment or the tracking request. */
  readonly carrier?: readonly string[];
  /** Parts of the customer's name. */
  readonly customer?: readonly string[];
  /** The customer's name, in any case. */
  readonly customerName?: readonly string[];
  /** Tags of the shipment, or those that the request gives it. */
  readonly tag?: readonly string[];
  /** UN/LOCODEs of the shipment's port of discharge. */
  readonly portOfDischarge?: readonly string[];
  /** Ids of the shipments and tracking requests that a search found. */
  readonly foundSubject?: readonly string[];
  /** Text that a container or its shipment has, of exceptions of a container. */
  readonly containerText?: SearchQuery;
}

/**
 * Exceptions of shipments and of tracking requests with a property, which both have in columns of their own. A scalar
 * subquery is never hashed: it reads one row for each exception, of which there are few, not all rows of the account.
 */
const subjectSql = (shipment: string, request: string): string => `(
  (SELECT ${shipment} FROM own_shipments subject
    WHERE subject.account_id = x.account_id AND subject.id = x.shipment_id)
  OR (SELECT ${request} FROM tracking_requests subject
    WHERE subject.account_id = x.account_id AND subject.id = x.tracking_request_id))`;

const hasCustomer = (p: string): string => `EXISTS (SELECT 1 FROM parties customer
  WHERE customer.account_id = subject.account_id AND customer.id = subject.customer_id
    AND ${withoutAccentsSql("customer.company_name")} ILIKE ANY(${p}::text[]))`;

const isOfCustomer = (p: string): string => `EXISTS (SELECT 1 FROM parties customer
  WHERE customer.account_id = subject.account_id AND customer.id = subject.customer_id
    AND lower(customer.company_name) = ANY(SELECT lower(name) FROM unnest(${p}::text[]) AS name))`;

/** An instant has one shape, so that it can stand in the text of a statement. */
const statusConditions = (now: Instant): Readonly<Record<ExceptionStatus, string>> => ({
  open: `x.resolved_at IS NULL AND (x.snoozed_until IS NULL OR x.snoozed_until <= timestamptz '${now}')`,
  snoozed: `x.resolved_at IS NULL AND x.snoozed_until > timestamptz '${now}'`,
  resolved: "x.resolved_at IS NOT NULL",
});

/** @param placeIds the ids of the places of the filter by port. */
function exceptionConditions(
  filters: ExceptionFilters,
  now: Instant,
  placeIds: readonly string[] | undefined,
): Condition[] {
  const conditionsByStatus = statusConditions(now);
  const statuses = (filters.status ?? []).map((status) => `(${conditionsByStatus[status]})`).join(" OR ");
  const filterSql: FilterSql<ExceptionFilters> = {
    kind: (p) => `x.kind = ANY(${p}::text[])`,
    severity: (p) => `x.severity = ANY(${p}::text[])`,
    status: (p) => `${p}::text[] IS NOT NULL AND (${statuses})`,
    owner: (p) =>
      `(x.owner_user_id = ANY(${p}::uuid[]) OR x.owner_user_id IS NULL AND array_position(${p}::uuid[], NULL) > 0)`,
    shipment: (p) => `x.shipment_id = ANY(${p}::uuid[])`,
    container: (p) => `x.container_id = ANY(${p}::uuid[])`,
    trackingRequest: (p) => `x.tracking_request_id = ANY(${p}::uuid[])`,
    carrier: (p) => subjectSql(`subject.shipping_line_scac = ANY(${p}::text[])`, `subject.scac = ANY(${p}::text[])`),
    customer: (p) => subjectSql(hasCustomer(p), hasCustomer(p)),
    customerName: (p) => subjectSql(isOfCustomer(p), isOfCustomer(p)),
    tag: (p) => subjectSql(`subject.tags && ${p}::text[]`, `subject.shipment_tags && ${p}::text[]`),
    portOfDischarge: (p) => `EXISTS (SELECT 1 FROM own_shipments subject WHERE subject.account_id = x.account_id
      AND subject.id = x.shipment_id AND subject.port_of_discharge_id = ANY(${p}::uuid[]))`,
    foundSubject: (p) => `(x.shipment_id = ANY(${p}::uuid[]) OR x.tracking_request_id = ANY(${p}::uuid[]))`,
    containerText: (p) => `(x.container_id IS NULL OR EXISTS (SELECT 1 FROM ${containerTable} AS o
      WHERE o.account_id = x.account_id AND o.id = x.container_id AND (${hasText(p)} OR ${hasField(p)})))`,
    ended: (p) => `${p}::boolean IS NOT NULL AND x.ended_at IS ${filters.ended ? "NOT NULL" : "NULL"}`,
    resolution: (p) => `x.resolution = ANY(${p}::text[])`,
    superseded: (p) => `(x.resolution IS NOT DISTINCT FROM 'superseded') = ${p}::boolean`,
    openedAfter: (p) => `x.opened_at > ${p}::timestamptz`,
  };
  return conditionsOf(filterSql, filters, {
    customer: filters.customer?.map((part) => likePattern(withoutAccents(part))),
    portOfDischarge: placeIds,
    containerText: filters.containerText && textForms(filters.containerText),
  });
}

const groups = {
  kind: "x.kind",
  severity: "x.severity",
  customer: `(SELECT y.company_name FROM parties y WHERE y.account_id = x.account_id AND y.id = COALESCE(
    (SELECT s.customer_id FROM own_shipments s WHERE s.account_id = x.account_id AND s.id = x.shipment_id),
    (SELECT r.customer_id FROM tracking_requests r
      WHERE r.account_id = x.account_id AND r.id = x.tracking_request_id)))`,
  status: (now: Instant) =>
    `CASE WHEN x.resolved_at IS NOT NULL THEN 'resolved' WHEN x.snoozed_until > timestamptz '${now}' THEN 'snoozed' ELSE 'open' END`,
} as const;

/** Filters of exceptions that charge, or will from the next day on. */
export type ChargeFilters = Omit<ExceptionFilters, "kind" | "ended"> & {
  readonly kind: readonly (typeof chargedExceptionKinds)[number][];
};

export type ExceptionGrouping = keyof typeof groups;
export const chargeGroupings = ["kind", "customer"] as const satisfies readonly ExceptionGrouping[];
export type ChargeGrouping = (typeof chargeGroupings)[number];
export const exceptionGroupings = Object.keys(groups) as ExceptionGrouping[];

export interface ExceptionEdit {
  readonly status?: "open" | "resolved" | undefined;
  readonly ownerUserId?: string | null | undefined;
  readonly snoozedUntil?: Instant | null | undefined;
  readonly note?: string | null | undefined;
}

const findByIds: Statement = {
  name: "exceptions.find-many",
  text: `SELECT ${columns} FROM exceptions x ${joins} WHERE x.account_id = $1 AND x.id = ANY($2::uuid[])`,
};

const lockOne: Statement = {
  name: "exceptions.lock",
  text: `SELECT ${columns} FROM exceptions x ${joins} WHERE x.account_id = $1 AND x.id = $2 FOR NO KEY UPDATE OF x`,
};

const editOne = withNames(
  {
    name: "exceptions.edit",
    text: `
    UPDATE exceptions SET resolved_at = :resolvedAt, resolution = :resolution, owner_user_id = :ownerUserId,
      snoozed_until = :snoozedUntil, note = :note, row_version = row_version + 1, updated_at = :now
    WHERE account_id = :accountId AND id = :id`,
  },
  ["id", "resolvedAt", "resolution", "ownerUserId", "snoozedUntil", "note", "now"],
);

export interface ExceptionRepository {
  find(accountId: string, id: string): Promise<Exception | null>;
  findMany(accountId: string, ids: readonly string[]): Promise<Exception[]>;
  /** `now`: of the tracking clock, by which snoozes end. */
  list(
    accountId: string,
    filters: ExceptionFilters,
    page: PageRequest<ExceptionSortKey>,
    now: Instant,
  ): Promise<Page<Exception>>;
  /** How many match, by one of their values; the largest groups first. */
  count(
    accountId: string,
    filters: ExceptionFilters,
    by: ExceptionGrouping,
    now: Instant,
  ): Promise<readonly OverviewGroup[]>;
  /**
   * Sums the charges of those of containers that match and whose condition lasts, by kind or customer. Of one container
   * in several shipments the largest charges count.
   */
  sumCharges(
    accountId: string,
    filters: ChargeFilters,
    by: ChargeGrouping,
    now: Instant,
  ): Promise<readonly ChargeSums[]>;
  /** Locks the exception against changes until the transaction ends. */
  lock(accountId: string, id: string): Promise<Exception | null>;
  /** Edits an exception that is locked. */
  edit(accountId: string, exception: Exception, edit: ExceptionEdit, now: Instant): Promise<Exception>;
}

type ExceptionEnd = Pick<Exception, "resolvedAt" | "resolution">;

function editedEnd({ resolvedAt, resolution }: Exception, { status }: ExceptionEdit, now: Instant): ExceptionEnd {
  if (status === "open") return { resolvedAt: null, resolution: null };
  if (status === "resolved" && resolvedAt === null) return { resolvedAt: now, resolution: "by_member" };
  return { resolvedAt, resolution };
}

/** `open` also ends the snooze, unless the edit sets one. */
function edited(exception: Exception, edit: ExceptionEdit, now: Instant) {
  const { ownerUserId, snoozedUntil, note } = exception;
  const snooze = edit.status === "open" ? null : snoozedUntil;
  return {
    ...editedEnd(exception, edit, now),
    ownerUserId: edit.ownerUserId === undefined ? ownerUserId : edit.ownerUserId,
    snoozedUntil: edit.snoozedUntil === undefined ? snooze : edit.snoozedUntil,
    note: edit.note === undefined ? note : edit.note,
  };
}

export function createExceptionRepository(sql: AccountSql): ExceptionRepository {
  const findMany = (accountId: string, ids: readonly string[]) => sql.rows<Exception>(findByIds, [accountId, ids]);
  const conditions = async (accountId: string, filters: ExceptionFilters, now: Instant) =>
    exceptionConditions(filters, now, await findPlaceIds(sql, accountId, filters.portOfDischarge));
  /** Reads all that match. `textOf`: the statement with their condition. */
  const read = async <Row extends object>(
    accountId: string,
    { filters, now }: { readonly filters: ExceptionFilters; readonly now: Instant },
    textOf: (where: string) => string,
  ) => {
    const values: [string, ...unknown[]] = [accountId];
    const conditionTexts = numberConditions(await conditions(accountId, filters, now), values);
    const text = textOf([source.scope, ...conditionTexts].join(" AND "));
    return sql.rows<Row>({ name: "", text }, values);
  };
  return {
    findMany,
    find: (accountId, id) => firstRow(findMany(accountId, [id])),
    list: async (accountId, filters, page, now) =>
      listRows<Exception>(sql, source, accountId, await conditions(accountId, filters, now), page),
    count(accountId, filters, by, now) {
      const group = groups[by];
      return read<OverviewGroup>(
        accountId,
        { filters, now },
        (where) => `SELECT ${typeof group === "string" ? group : group(now)} AS value, count(*)::int AS count
          FROM exceptions x WHERE ${where} GROUP BY 1 ORDER BY 2 DESC, 1`,
      );
    },
    async sumCharges(accountId, filters, by, now) {
      const charged = await read<ChargedException>(
        accountId,
        { filters, now },
        (where) => `SELECT x.id, ${groups[by]} AS "group", x.kind, c.number, ${groups.status(now)} AS status,
            COALESCE(x.details->'amounts', '[]') AS amounts, x.details->'perDay' AS "perDay",
            x.details ? 'amounts' AND x.details ? 'trackingStoppedDate' AS "isOutdated"
          FROM exceptions x JOIN containers c ON c.account_id = x.account_id AND c.id = x.container_id
          WHERE ${where} AND x.ended_at IS NULL ORDER BY x.id`,
      );
      return sumCharges(charged);
    },
    lock: (accountId, id) => firstRow(sql.rows<Exception>(lockOne, [accountId, id])),
    async edit(accountId, exception, edit, now) {
      const after = edited(exception, edit, now);
      const isSame = Object.entries(after).every(([name, value]) => exception[name as keyof typeof after] === value);
      if (isSame) return exception;
      await sql.execute(editOne, editOne.values({ ...after, accountId, id: exception.id, now }));
      const [written = exception] = await findMany(accountId, [exception.id]);
      return written;
    },
  };
}
