/** Whether the media type is JSON, with or without a charset. */
export function isJson(contentType: string | undefined): boolean {
  return contentType?.split(";")[0]?.trim().toLowerCase() === "application/json";
}

/** Whether the caller accepts both response types, as the protocol requires. No header or a wildcard accepts both. */
export function acceptsAnswers(accept: string | undefined): boolean {
  if (accept === undefined) return true;
  const types = accept.split(",").map((part) => part.split(";")[0]?.trim().toLowerCase() ?? "");
  const takes = (type: string) =>
    types.includes(type) || types.includes("*/*") || types.includes(`${type.split("/")[0]}/*`);
  return takes("application/json") && takes("text/event-stream");
}
