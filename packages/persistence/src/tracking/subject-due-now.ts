/**
 * The part `subject` of a statement that stores a tracking request: makes the subject of `:normalizedNumber`, or makes
 * an existing one (of an earlier, failed request) due now. No row when an active request of the account has the number.
 * @param kind expression of the request's type.
 * @param source `WHERE`, or `FROM … WHERE … AND`.
 */
export const subjectDueNow = (kind: string, source: string): string => `subject AS (
      INSERT INTO tracking_subjects (id, account_id, scac, kind, number, next_poll_at, created_at)
      SELECT :subjectId, :accountId, :scac, ${kind}, :normalizedNumber, :now, :now
      ${source} NOT EXISTS (
        SELECT FROM tracking_requests live WHERE live.account_id = :accountId AND live.scac = :scac
          AND live.normalized_number = :normalizedNumber
          AND live.status IN ('pending', 'awaiting_manifest', 'created'))
      ON CONFLICT (account_id, scac, kind, number) WHERE retired_at IS NULL
        DO UPDATE SET next_poll_at = LEAST(tracking_subjects.next_poll_at, excluded.next_poll_at)
      RETURNING id)`;
