/** Connection classes of SQLSTATE, the ends of the time limits, and what Node says when nobody listens or answers. */
const unavailable =
  /^(?:08\d{3}|57014|57P0[123]|25P03|53300|ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EPIPE|EAI_AGAIN)$/;
const lostConnection =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether a statement failed because the database cannot be reached or does not keep up, and not because of what was asked. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, message, errors } = error as { code?: unknown; message?: unknown; errors?: unknown };
  // Several addresses were tried, each with an error of its own.
  if (Array.isArray(errors) && errors.some(isDatabaseUnavailable)) return true;
  return (
    (typeof code === "string" && unavailable.test(code)) ||
    (typeof message === "string" && lostConnection.test(message))
  );
}
