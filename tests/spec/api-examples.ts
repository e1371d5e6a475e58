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

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** The value with the times that `known` has at the same places. Its ids are noted with those of `known` there. */
function withKnownTimes(value: unknown, known: unknown, ids: Map<string, string>): unknown {
  if (typeof value === "string" && typeof known === "string") {
    if (uuid.test(value) && uuid.test(known) && !ids.has(value)) ids.set(value, known);
    return time.test(value) && time.test(known) ? known : value;
  }
  if (!isObject(value) || !isObject(known)) return value;
  if (Array.isArray(value)) return value.map((item, index) => withKnownTimes(item, known[index], ids));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withKnownTimes(item, known[key], ids)]));
}

/**
 * New examples with the ids and times of the committed ones where both have one at the same place, so that a recording
 * changes what the API has changed.
 */
export function withKnownValues(examples: ApiExamples, committed: ApiExamples): ApiExamples {
  const ids = new Map<string, string>();
  const text = JSON.stringify(withKnownTimes(examples, committed, ids));
  return JSON.parse(text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => ids.get(id) ?? id));
}
