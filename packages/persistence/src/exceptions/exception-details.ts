/**
 * Details of `exceptions x`, of a waiting request with how the account's connection to its carrier fails. This is read
 * with the exception, because the state of a connection changes without the facts of the exception.
 */
export const exceptionDetails = `(x.details || CASE
  WHEN x.kind = 'tracking_request_waiting' AND x.ended_at IS NULL THEN COALESCE((
    SELECT jsonb_build_object('failingConnection', jsonb_build_object('scac', n.scac, 'error', a.last_error))
    FROM tracking_requests waiting
    JOIN carrier_connections n ON n.account_id = waiting.account_id AND n.scac = waiting.scac AND n.active
    JOIN carrier_access a ON a.credential = n.id::text
    WHERE waiting.account_id = x.account_id AND waiting.id = x.tracking_request_id
      AND a.last_error_at > COALESCE(a.last_success_at, '-infinity')), '{}')
  ELSE '{}' END) AS details`;
