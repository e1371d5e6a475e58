/** Shape of a body without the expected members. */
export type BodyShape = "html" | "error" | "other";

const errorMembers = ["error", "errors", "errorCode", "errorMessage", "error_description", "fault", "exception"];

const isEmpty = (value: unknown): boolean =>
  value === null || value === false || value === "" || (Array.isArray(value) && value.length === 0);

/** Recognizes a web page, for example of a login or maintenance, and an error in a response with status 200. */
export function shapeOf(body: Uint8Array): BodyShape {
  const text = new TextDecoder().decode(body).trimStart();
  if (text.startsWith("<")) return "html";
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "other";
    const members = value as Readonly<Record<string, unknown>>;
    return errorMembers.some((name) => name in members && !isEmpty(members[name])) ? "error" : "other";
  } catch {
    return "other";
  }
}
