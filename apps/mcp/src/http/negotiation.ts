/** Whether the media type is JSON, with or without a charset. */
export function isJson(contentType: string | undefined): boolean {
  return contentType?.split(";")[0]?.trim().toLowerCase() === "application/json";
}

/**
 * Whether the caller takes both forms of answer, as the protocol demands of clients. No header, or a wildcard, takes all.
 */
export function acceptsAnswers(accept: string | undefined): boolean {
  if (accept === undefined) return true;
  const types = accept.split(",").map((part) => part.split(";")[0]?.trim().toLowerCase() ?? "");
  const takes = (type: string) =>
    types.includes(type) || types.includes("*/*") || types.includes(`${type.split("/")[0]}/*`);
  return takes("application/json") && takes("text/event-stream");
}
