import type { AccountValues, SqlWith, Statement } from "../sql.ts";

/** A number at a carrier, in one of its accepted spellings. */
export interface CarrierNumber {
  readonly scac: string;
  readonly number: string;
}

/** A number that an account tracks, and its subject. */
export interface NumberSubject extends CarrierNumber {
  readonly subjectId: string;
  /** Whether a request waits for it or its shipment is tracked. */
  readonly isLive: boolean;
}

/**
 * The subject of the number itself, of the shipment that its requests created, and of a shipment with the container. A
 * code of a brand (SUDU) stands for its line (MAEU), under which the number is tracked.
 * OFFSET 0 keeps the order of the look-ups, each of which finds a few rows by an index. A planner with statistics of
 * smaller tables joined all rows of the account instead: two minutes for a file of 400 numbers. Where an index of the
 * account alone would fit too, its condition cannot use it.
 */
const findSubjects: Statement = {
  name: "event-messages.subjects",
  text: `
    WITH lines AS MATERIALIZED (
      SELECT u.scac, COALESCE(
        (SELECT l.scac FROM shipping_lines l WHERE l.scac = u.scac),
        (SELECT l.scac FROM shipping_lines l WHERE u.scac = ANY(l.alternative_scacs) ORDER BY l.scac LIMIT 1),
        u.scac) AS line
      FROM (SELECT DISTINCT scac FROM unnest($2::text[]) AS given(scac)) u),
    wanted AS (
      SELECT DISTINCT w.scac, w.number, lines.line FROM unnest($2::text[], $3::text[]) AS w(scac, number)
      JOIN lines ON lines.scac = w.scac),
    own AS MATERIALIZED (
      SELECT s.id, w.scac, w.number FROM wanted w
      CROSS JOIN LATERAL (
        SELECT x.id FROM tracking_subjects x
        WHERE x.account_id = $1 AND x.scac = w.line AND x.number = w.number
          AND x.kind IN ('bill_of_lading', 'booking_number', 'container') AND x.retired_at IS NULL OFFSET 0) s),
    shipments_of AS MATERIALIZED (
      SELECT r.shipment_id, own.scac, own.number, NULL AS line FROM own
      CROSS JOIN LATERAL (
        SELECT x.shipment_id FROM tracking_requests x
        WHERE (x.account_id = $1) IS TRUE AND x.subject_id = own.id OFFSET 0) r
      UNION ALL
      SELECT c.shipment_id, w.scac, w.number, w.line FROM wanted w
      CROSS JOIN LATERAL (
        SELECT x.shipment_id FROM containers x WHERE x.account_id = $1 AND x.number = w.number OFFSET 0) c),
    found AS (
      SELECT id, scac, number FROM own
      UNION
      SELECT s.id, o.scac, o.number FROM shipments_of o
      CROSS JOIN LATERAL (
        SELECT x.subject_id FROM shipments x WHERE x.account_id = $1 AND x.id = o.shipment_id OFFSET 0) h
      CROSS JOIN LATERAL (
        SELECT x.id, x.scac FROM tracking_subjects x
        WHERE (x.account_id = $1) IS TRUE AND x.id = h.subject_id AND x.retired_at IS NULL OFFSET 0) s
      WHERE o.line IS NULL OR s.scac = o.line)
    SELECT f.id AS "subjectId", f.scac, f.number,
      EXISTS (SELECT FROM tracking_requests r
        WHERE r.account_id = $1 AND r.subject_id = f.id AND r.status IN ('pending', 'awaiting_manifest'))
      OR EXISTS (SELECT FROM shipments h
        WHERE h.account_id = $1 AND h.subject_id = f.id AND h.line_tracking_stopped_at IS NULL) AS "isLive"
    FROM found f`,
};

/**
 * Every subject of one of the numbers: a bill of lading, a booking, or a container that is tracked or part of a
 * shipment.
 */
export function findSubjectsByNumber(
  sql: SqlWith<AccountValues>,
  accountId: string,
  numbers: readonly CarrierNumber[],
): Promise<NumberSubject[]> {
  const scacs = numbers.map(({ scac }) => scac);
  return sql.rows<NumberSubject>(findSubjects, [accountId, scacs, numbers.map(({ number }) => number)]);
}
