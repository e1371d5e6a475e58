/** Options of one call of the API. */
export interface ResponseReader {
  readonly onResponse: (response: { readonly headers: Headers }) => void;
}

/** A record and the ETag of the same response, so that saving overwrites no later version. */
export async function withEntityTag<Read>(
  read: (options: ResponseReader) => Promise<Read>,
): Promise<{ readonly read: Read; readonly entityTag: string }> {
  let entityTag = "";
  const onResponse: ResponseReader["onResponse"] = ({ headers }) => {
    entityTag = headers.get("etag") ?? "";
  };
  return { read: await read({ onResponse }), entityTag };
}
