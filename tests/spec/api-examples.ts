/** Examples by operation: the JSON of a request and of its response, if it has them. */
export type ApiExamples = Readonly<
  Record<string, { readonly request?: unknown; readonly status?: number; readonly response?: unknown }>
>;

/** Records of a list, and everything else that comes in numbers. */
const retainedItems: Readonly<Record<string, number>> = { data: 2, included: 2, coordinates: 4, events: 6 };

/** Values that only their owner may see; the examples show their form. */
const secrets: Readonly<Record<string, string>> = {
  secret: "whsec_ZXhhbXBsZS1zZWNyZXQtb2YtYS13ZWJob29r",
};

function shorten(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.slice(0, retainedItems[name] ?? 12).map((item) => shorten(item, ""));
  if (typeof value === "string" && value.length > 2_000) return `${value.slice(0, 2_000)}…`;
  if (typeof value === "string") return secrets[name] ?? value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shorten(member, key)]));
}

/** A document with the first items of its lists, public addresses for local ones, and no secret. */
export function shortened(document: unknown, addresses: Readonly<Record<string, string>>): unknown {
  const text = Object.entries(addresses).reduce(
    (all, [local, published]) => all.replaceAll(local, published),
    JSON.stringify(shorten(document, "")),
  );
  return JSON.parse(text.replaceAll(/\/share\/[\w-]+/g, "/share/example-secret"));
}
