import type { AccountValues, SqlWith, Statement } from "../sql.ts";

/** A number at a carrier, in one of its accepted spellings. */
export interface CarrierNumber {
  readonly scac: string;
  readonly number: string;
}

/** A number that an account tracks, and its subject. */
export interface SubjectOfNumber extends CarrierNumber {
  readonly subjectId: string;
  /** Whether a request waits for it or its shipment is tracked. */
  readonly isLive: boolean;
}

/**
 * The subject of the number itself, of the shipment that its requests created, and of a shipment with the container.
 */
const subjectsOfNumbers: Statement = {
  name: "event-messages.subjects",
  text: `
    WITH wanted AS (SELECT DISTINCT scac, number FROM unnest($2::text[], $3::text[]) AS w(scac, number)),
    own AS (
      SELECT s.id, w.scac, w.number FROM wanted w
      JOIN tracking_subjects s ON s.account_id = $1 AND s.scac = w.scac AND s.number = w.number
        AND s.kind IN ('bill_of_lading', 'booking_number', 'container') AND s.retired_at IS NULL),
    found AS (
      SELECT id, scac, number FROM own
      UNION
      SELECT h.subject_id, own.scac, own.number FROM own
      JOIN tracking_requests r ON r.account_id = $1 AND r.subject_id = own.id
      JOIN shipments h ON h.account_id = $1 AND h.id = r.shipment_id
      JOIN tracking_subjects s ON s.account_id = $1 AND s.id = h.subject_id AND s.retired_at IS NULL
      UNION
      SELECT s.id, w.scac, w.number FROM wanted w
      JOIN containers c ON c.account_id = $1 AND c.number = w.number
      JOIN shipments h ON h.account_id = $1 AND h.id = c.shipment_id
      JOIN tracking_subjects s ON s.account_id = $1 AND s.id = h.subject_id AND s.scac = w.scac
        AND s.retired_at IS NULL)
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
export function findSubjectsOfNumbers(
  sql: SqlWith<AccountValues>,
  accountId: string,
  numbers: readonly CarrierNumber[],
): Promise<SubjectOfNumber[]> {
  const scacs = numbers.map(({ scac }) => scac);
  return sql.rows<SubjectOfNumber>(subjectsOfNumbers, [accountId, scacs, numbers.map(({ number }) => number)]);
}
