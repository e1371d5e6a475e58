/** Receives the headers of the response to a call. */
export interface ResponseReader {
  readonly onResponse: (response: { readonly headers: Headers }) => void;
}

/**
 * Reads a record with the ETag of the response. An edit with it as `ifMatch` overwrites no later version: it rejects
 * with `PreconditionFailedError`.
 */
export async function withEntityTag<Read>(
  read: (options: ResponseReader) => Promise<Read>,
): Promise<{ readonly read: Read; readonly entityTag: string }> {
  let entityTag = "";
  const onResponse: ResponseReader["onResponse"] = ({ headers }) => {
    entityTag = headers.get("etag") ?? "";
  };
  return { read: await read({ onResponse }), entityTag };
}
