import type { Instant } from "@svc/domain";
import type { Page, PageRequest } from "@svc/domain/lists";
import { otherSpellings, type SearchQuery } from "@svc/domain/search";
import {
  type RequestType,
  type TrackingRequest,
  type TrackingRequestStatus,
  trackingRequestFields,
} from "@svc/domain/tracking-requests";
import { conditionsOf, type FilterSql, flagSql, type ListSource, listRows } from "../lists/list-rows.ts";
import { selectList } from "../records/select-list.ts";
import { likePattern } from "../search/like-pattern.ts";
import { type AccountSql, firstRow, type Statement } from "../sql.ts";

/**
 * Condition of a tracking subject `s` whose carrier is not connected. When neither the account nor the service is
 * connected to the carrier, a poll sends no request and is due again a day later (apps/tracking-worker,
 * applyNotConnected). Connecting the carrier makes it due at once.
 */
const isUnconnected = `(s.last_attempted_at IS NULL AND s.last_succeeded_at IS NULL
  AND s.next_poll_at >= s.created_at + interval '20 hours')`;

/** Columns over `tracking_requests r`. */
export const trackingRequestColumns = selectList(Object.keys(trackingRequestFields), "r");

const findOne: Statement = {
  name: "tracking-requests.find",
  text: `SELECT ${trackingRequestColumns} FROM tracking_requests r WHERE r.account_id = $1 AND r.id = $2`,
};

const findByIds: Statement = {
  name: "tracking-requests.find-many",
  text: `SELECT ${trackingRequestColumns} FROM tracking_requests r WHERE r.account_id = $1 AND r.id = ANY($2::uuid[])`,
};

/** The search finds requests without a shipment, which are recent. */
const searchedRequests = 1_000;

/** The number as typed, in the form of the query; the normalized number lacks the SCAC in front. */
const compactNumber = "regexp_replace(upper(r.request_number), '[^A-Z0-9]', '', 'g')";

const search: Statement = {
  name: "tracking-requests.search",
  text: `
    WITH r AS (
      SELECT * FROM tracking_requests WHERE account_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${searchedRequests})
    SELECT ${trackingRequestColumns} FROM r
    WHERE (r.normalized_number LIKE $2 OR ${compactNumber} LIKE $2 OR r.scac || r.normalized_number = $6
        OR reference_keys(r.ref_numbers) && $3::text[])
      AND (r.shipment_id IS NULL OR NOT r.shipment_id = ANY($4::uuid[]))
    ORDER BY r.created_at DESC, r.id DESC LIMIT $5`,
};

/**
 * The newest requests whose number or reference contains the text, those of the given shipments, and those with exactly
 * one of the numbers. An empty number is part of every text, so it is compared as null.
 */
const matching: Statement = {
  name: "tracking-requests.matching",
  text: `
    WITH newest AS (
      SELECT * FROM tracking_requests WHERE account_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${searchedRequests})
    SELECT id FROM (
      SELECT n.id, n.created_at FROM newest n
      WHERE strpos(n.normalized_number, NULLIF($2, '')) > 0 OR upper(n.request_number) LIKE ANY($3::text[])
        OR EXISTS (SELECT FROM unnest(n.ref_numbers) AS reference WHERE search_text(reference) LIKE ANY($3::text[]))
      UNION SELECT r.id, r.created_at FROM tracking_requests r WHERE r.account_id = $1
        AND r.shipment_id = ANY($4::uuid[])
      UNION SELECT r.id, r.created_at FROM tracking_requests r WHERE r.account_id = $1
        AND r.normalized_number = ANY($5::text[])
    ) AS found ORDER BY created_at DESC, id DESC LIMIT $6`,
};

const editOne: Statement = {
  name: "tracking-requests.edit",
  text: `
    UPDATE tracking_requests SET ref_numbers = $3::text[], row_version = row_version + 1, updated_at = $4
    WHERE account_id = $1 AND id = $2 AND ($5::int[] IS NULL OR row_version = ANY($5)) AND ref_numbers IS DISTINCT
      FROM $3::text[]`,
};

const listSource: ListSource = {
  name: "tracking-requests",
  table: "tracking_requests",
  alias: "r",
  scope: "r.account_id = $1",
  columns: trackingRequestColumns,
  joins: "",
  sortKeys: {
    created_at: { column: "r.created_at", type: "timestamptz" },
    updated_at: { column: "r.updated_at", type: "timestamptz" },
  },
};

export type TrackingRequestSortKey = "created_at" | "updated_at";

/** Several values of one filter match any of them; several filters must all match. */
export interface TrackingRequestFilters {
  readonly status?: readonly TrackingRequestStatus[];
  readonly requestType?: readonly RequestType[];
  /** Normalised numbers. */
  readonly requestNumber?: readonly string[];
  readonly id?: readonly string[];
  readonly scac?: readonly string[];
  readonly createdFrom?: Instant;
  readonly createdTo?: Instant;
  readonly updatedFrom?: Instant;
  readonly updatedTo?: Instant;
  /** False: pending requests that wait until their carrier is connected. */
  readonly carrierConnected?: boolean;
  /** True: failed requests that need no action any more. False: all others. */
  readonly resolved?: boolean;
}

/** Condition over `tracking_requests r`: pending while its carrier is not connected. */
export const waitsForConnection = `(r.status = 'pending' AND EXISTS (SELECT FROM tracking_subjects s
  WHERE s.account_id = r.account_id AND s.id = r.subject_id AND ${isUnconnected}))`;

/** Condition over `tracking_requests r`: failed, and its number was requested again. */
export const isReplaced = `(r.status = 'failed' AND EXISTS (SELECT FROM tracking_requests later
  WHERE later.account_id = r.account_id AND later.normalized_number = r.normalized_number
    AND later.created_at > r.created_at))`;

/** Failed without an exception for it (docs/exceptions.md), or a member has resolved the exception. */
const isResolved = `(r.status = 'failed' AND (r.failed_reason IS NOT DISTINCT FROM 'duplicate' OR ${isReplaced}
  OR EXISTS (SELECT FROM exceptions x WHERE x.account_id = r.account_id AND x.subject_id = r.id
    AND x.kind = 'tracking_request_failed' AND x.ended_at IS NULL AND x.resolved_at IS NOT NULL)))`;

const filterSqlOf = ({ resolved }: TrackingRequestFilters): FilterSql<TrackingRequestFilters> => ({
  status: (p) => `r.status = ANY(${p}::text[])`,
  requestType: (p) => `r.request_type = ANY(${p}::text[])`,
  requestNumber: (p) => `r.normalized_number = ANY(${p}::text[])`,
  id: (p) => `r.id = ANY(${p}::uuid[])`,
  scac: (p) => `r.scac = ANY(${p}::text[])`,
  createdFrom: (p) => `r.created_at >= ${p}::timestamptz`,
  createdTo: (p) => `r.created_at <= ${p}::timestamptz`,
  updatedFrom: (p) => `r.updated_at >= ${p}::timestamptz`,
  updatedTo: (p) => `r.updated_at <= ${p}::timestamptz`,
  resolved: flagSql(resolved, isResolved),
  carrierConnected: (p) => `${waitsForConnection} <> ${p}::boolean`,
});

export interface TrackingRequestRepository {
  find(accountId: string, id: string): Promise<TrackingRequest | null>;
  findMany(accountId: string, ids: readonly string[]): Promise<TrackingRequest[]>;
  list(
    accountId: string,
    filters: TrackingRequestFilters,
    page: PageRequest<TrackingRequestSortKey>,
  ): Promise<Page<TrackingRequest>>;
  /**
   * The newest requests whose number contains the search text or whose reference equals it, without those of the given
   * shipments.
   */
  search(
    accountId: string,
    query: SearchQuery,
    options: { readonly withoutShipments: readonly string[]; readonly limit: number },
  ): Promise<TrackingRequest[]>;
  /**
   * Ids, newest first, of the newest requests whose number or reference contains the text, and of all requests of the
   * given shipments or with exactly the given numbers.
   */
  findMatching(
    accountId: string,
    query: SearchQuery,
    options: {
      readonly shipmentIds: readonly string[];
      readonly numbers: readonly string[];
      readonly limit: number;
    },
  ): Promise<readonly string[]>;
  /** Updates under the conditions of `ShipmentRepository.edit`. */
  edit(
    accountId: string,
    id: string,
    edit: { readonly refNumbers: readonly string[] },
    options: { readonly now: Instant; readonly ifVersions: readonly number[] | null },
  ): Promise<boolean>;
}

export function createTrackingRequestRepository(sql: AccountSql): TrackingRequestRepository {
  return {
    find: (accountId, id) => firstRow(sql.rows<TrackingRequest>(findOne, [accountId, id])),
    findMany: (accountId, ids) => sql.rows<TrackingRequest>(findByIds, [accountId, ids]),
    list: (accountId, filters, page) =>
      listRows<TrackingRequest>(sql, listSource, accountId, conditionsOf(filterSqlOf(filters), filters), page),
    search(accountId, { number, text }, { withoutShipments, limit }) {
      const pattern = number === "" ? null : likePattern(number);
      const keys = [text, ...otherSpellings(text)].map((spelling) => `reference:${spelling}`);
      return sql.rows<TrackingRequest>(search, [accountId, pattern, keys, withoutShipments, limit, number]);
    },
    async findMatching(accountId, { number, text }, { shipmentIds, numbers, limit }) {
      const patterns = [text, ...otherSpellings(text)].map(likePattern);
      const values = [accountId, number, patterns, shipmentIds, numbers, limit] as const;
      return (await sql.rows<{ id: string }>(matching, values)).map(({ id }) => id);
    },
    async edit(accountId, id, edit, { now, ifVersions }) {
      return (await sql.execute(editOne, [accountId, id, edit.refNumbers, now, ifVersions])) > 0;
    },
  };
}
