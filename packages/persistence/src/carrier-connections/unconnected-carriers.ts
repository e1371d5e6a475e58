/**
 * Condition of a tracking subject `s` whose carrier is not connected. When neither the account nor the service is
 * connected to the carrier, a poll sends no request and is due again a day later (apps/tracking-worker,
 * applyNotConnected). Connecting the carrier makes it due at once.
 */
export const isUnconnected = `(s.last_attempted_at IS NULL AND s.last_succeeded_at IS NULL
  AND s.next_poll_at >= s.created_at + interval '20 hours')`;
