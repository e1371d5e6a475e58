import type { Instant } from "@svc/domain";
import type { InitialCustomField } from "@svc/domain/custom-fields";
import type { RequestType, TrackingRequest } from "@svc/domain/tracking-requests";
import { withNames } from "../named-parameters.ts";
import type { AccountSql, Statement } from "../sql.ts";
import { trackingRequestColumns } from "../tracking-requests/tracking-request-repository.ts";
import { subjectDueNow } from "./subject-due-now.ts";

/** A validated request that is to be stored. */
export interface NewTrackingRequest {
  readonly id: string;
  /** Id of the subject, when the number has none yet. */
  readonly subjectId: string;
  readonly requestType: RequestType;
  readonly requestNumber: string;
  readonly normalizedNumber: string;
  /** Null when the carrier is to be detected from the number. */
  readonly scac: string | null;
  readonly autoDetectScac: boolean;
  readonly refNumbers: readonly string[];
  readonly shipmentTags: readonly string[];
  readonly customerId: string | null;
  readonly initialCustomFields: readonly InitialCustomField[];
  /** Null when it was created in the web application. */
  readonly createdByTokenId: string | null;
  /** The user of the session, or the one that created the token. */
  readonly createdByUserId: string | null;
  readonly now: Instant;
}

export type CreatedOrDuplicate =
  | { readonly kind: "created"; readonly request: TrackingRequest }
  | { readonly kind: "duplicate"; readonly existingId: string | null };

/** No row when an active request has the number: the unique index admits one of concurrent requests. */
const insertOne = withNames(
  {
    name: "tracking-requests.insert",
    wakes: "svc_tracking",
    text: `
    WITH ${subjectDueNow(":requestType", "WHERE")},
    r AS (
      INSERT INTO tracking_requests (account_id, id, request_type, request_number, normalized_number, scac,
        auto_detect_scac, ref_numbers, shipment_tags, customer_id, status, subject_id, created_by_token_id,
        created_by_user_id, created_at, updated_at, initial_custom_fields)
      SELECT :accountId, :id, :requestType, :requestNumber, :normalizedNumber, :scac,
        :autoDetectScac, :refNumbers, :shipmentTags, :customerId, 'pending', subject.id, :createdByTokenId,
        :createdByUserId, :now, :now, :initialCustomFields::jsonb
      FROM subject
      ON CONFLICT (account_id, scac, normalized_number) WHERE status IN ('pending', 'awaiting_manifest', 'created')
        DO NOTHING
      RETURNING *)
    SELECT ${trackingRequestColumns} FROM r`,
  },
  [
    "id",
    "requestType",
    "requestNumber",
    "normalizedNumber",
    "scac",
    "autoDetectScac",
    "refNumbers",
    "shipmentTags",
    "customerId",
    "now",
    "createdByTokenId",
    "subjectId",
    "initialCustomFields",
    "createdByUserId",
  ],
);

/**
 * Nothing can be polled before the carrier is known: the tracking worker detects it from the number, or fails the
 * request.
 */
const insertUndetected = withNames(
  {
    name: "tracking-requests.insert-undetected",
    wakes: "svc_tracking",
    text: `
    WITH r AS (
      INSERT INTO tracking_requests (account_id, id, request_type, request_number, normalized_number,
        auto_detect_scac, ref_numbers, shipment_tags, customer_id, status, created_by_token_id,
        created_by_user_id, created_at, updated_at, initial_custom_fields)
      VALUES (:accountId, :id, :requestType, :requestNumber, :normalizedNumber, true, :refNumbers,
        :shipmentTags, :customerId, 'pending', :createdByTokenId, :createdByUserId, :now, :now,
        :initialCustomFields::jsonb)
      RETURNING *)
    SELECT ${trackingRequestColumns} FROM r`,
  },
  [
    "id",
    "requestType",
    "requestNumber",
    "normalizedNumber",
    "refNumbers",
    "shipmentTags",
    "customerId",
    "now",
    "createdByTokenId",
    "initialCustomFields",
    "createdByUserId",
  ],
);

/** What is absent in `own` of the list `added`, after it. */
const added = (own: string, other: string): string =>
  `${own} || ARRAY(SELECT DISTINCT one FROM unnest(${other}::text[]) AS one WHERE one <> ALL(${own}))`;

/**
 * Corrects the kind of a waiting request, which is pending again. Its former subject is locked first, as a poll does,
 * and ends by itself, as no request waits for it.
 */
const correctKind = withNames(
  {
    name: "tracking-requests.correct-kind",
    wakes: "svc_tracking",
    text: `
    WITH waiting AS (
      SELECT w.id FROM tracking_requests w
        JOIN tracking_subjects former ON former.account_id = w.account_id AND former.id = w.subject_id
      WHERE w.account_id = :accountId AND w.scac = :scac AND w.normalized_number = :normalizedNumber
        AND w.status IN ('pending', 'awaiting_manifest') AND w.request_type <> :requestType FOR UPDATE OF former),
    subject AS (
      INSERT INTO tracking_subjects (id, account_id, scac, kind, number, next_poll_at, created_at)
      SELECT :subjectId, :accountId, :scac, :requestType, :normalizedNumber, :now, :now FROM waiting
      ON CONFLICT (account_id, scac, kind, number) WHERE retired_at IS NULL
        DO UPDATE SET next_poll_at = LEAST(tracking_subjects.next_poll_at, excluded.next_poll_at)
      RETURNING id)
    UPDATE tracking_requests r SET request_type = :requestType, subject_id = subject.id,
      ref_numbers = ${added("r.ref_numbers", ":refNumbers")},
      shipment_tags = ${added("r.shipment_tags", ":shipmentTags")},
      customer_id = COALESCE(:customerId::uuid, r.customer_id),
      initial_custom_fields = COALESCE(:initialCustomFields::jsonb, r.initial_custom_fields),
      status = 'pending', failed_reason = NULL, is_retrying = false, retry_count = 0, awaiting_manifest_since = NULL,
      row_version = r.row_version + 1, updated_at = :now
    FROM waiting, subject
    WHERE r.account_id = :accountId AND r.id = waiting.id AND r.status IN ('pending', 'awaiting_manifest')
    RETURNING ${trackingRequestColumns}`,
  },
  [
    "requestType",
    "normalizedNumber",
    "scac",
    "refNumbers",
    "shipmentTags",
    "customerId",
    "now",
    "subjectId",
    "initialCustomFields",
  ],
);

const findLive: Statement = {
  name: "tracking-requests.find-live",
  text: `SELECT r.id FROM tracking_requests r
    WHERE r.account_id = $1 AND r.scac = $2 AND r.normalized_number = $3
      AND r.status IN ('pending', 'awaiting_manifest', 'created')`,
};

const serializeFields = (fields: readonly InitialCustomField[]): string | null =>
  fields.length === 0 ? null : JSON.stringify(fields);

async function createUndetected(
  sql: AccountSql,
  accountId: string,
  newRequest: NewTrackingRequest,
): Promise<CreatedOrDuplicate> {
  const initialCustomFields = serializeFields(newRequest.initialCustomFields);
  const values = insertUndetected.values({ ...newRequest, accountId, initialCustomFields });
  const [request] = await sql.rows<TrackingRequest>(insertUndetected, values);
  if (request === undefined) throw new Error(`The tracking request ${newRequest.id} was not stored.`);
  return { kind: "created", request };
}

/**
 * Stores the request with its subject, in one statement, and wakes the tracking worker after the commit. Without a
 * carrier it has no subject yet. The number of a request that waits as another kind of number corrects that request,
 * which is then `created`. `duplicate`, with the id of the active request that has the number, stores nothing.
 */
export async function startTracking(
  sql: AccountSql,
  accountId: string,
  request: NewTrackingRequest,
): Promise<CreatedOrDuplicate> {
  if (request.scac === null) return createUndetected(sql, accountId, request);
  const initialCustomFields = serializeFields(request.initialCustomFields);
  const inserted = insertOne.values({ ...request, accountId, initialCustomFields });
  const [created] = await sql.rows<TrackingRequest>(insertOne, inserted);
  if (created) return { kind: "created", request: created };
  const [corrected] = await sql.rows<TrackingRequest>(
    correctKind,
    correctKind.values({ ...request, accountId, initialCustomFields }),
  );
  if (corrected) return { kind: "created", request: corrected };
  const values = [accountId, request.scac, request.normalizedNumber] as const;
  const [existing] = await sql.rows<{ id: string }>(findLive, values);
  return { kind: "duplicate", existingId: existing?.id ?? null };
}
