/** The end of an export, opaque to clients: the transaction id at which the next export starts. */
export const encodeExportCursor = (transactionId: string): string =>
  Buffer.from(JSON.stringify(["change", transactionId])).toString("base64url");

/** Null when the text is no cursor of an export. */
export function decodeExportCursor(text: string): string | null {
  try {
    const [kind, transactionId] = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return kind === "change" && /^\d{1,18}$/.test(transactionId) ? transactionId : null;
  } catch {
    return null;
  }
}
