/**
 * SQLSTATEs of connection loss, timeouts, shutdown, a full disk (53100) and a demoted primary (25006), and Node's
 * errors when no server listens or responds.
 */
const unavailable =
  /^(?:08\d{3}|25006|25P03|53[13]00|55P03|57014|57P0[123]|ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EPIPE|EAI_AGAIN)$/;
/** PgBouncer ends connections with this code, whatever the reason. Of PostgreSQL it is an ERROR: of the statement. */
const poolerCode = "08P01";
const lostConnection =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client (?:has encountered a connection error|was closed)|Query read timeout)/;

/**
 * Whether a statement failed because the database is unreachable, read-only, full or too slow, and not because of the
 * statement itself.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, severity, message, errors } = error as Readonly<Record<string, unknown>>;
  // An AggregateError contains one error for each address that was tried.
  if (Array.isArray(errors) && errors.some(isDatabaseUnavailable)) return true;
  return (
    (typeof code === "string" && unavailable.test(code)) ||
    (code === poolerCode && severity === "FATAL") ||
    (typeof message === "string" && lostConnection.test(message))
  );
}

/** Whether PostgreSQL ended the statement, usually at its timeout. A single slow statement may be the cause. */
export const isStatementCanceled = (error: unknown): boolean =>
  (error as { readonly code?: unknown } | null)?.code === "57014";
