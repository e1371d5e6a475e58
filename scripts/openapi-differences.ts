/** Any part of an OpenAPI document or of a JSON schema. */
type Node = Readonly<Record<string, unknown>>;
type Direction = "request" | "answer";

const methods = ["get", "post", "patch", "put", "delete"] as const;
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);
const nodeAt = (node: Node, name: string): Node => (isNode(node[name]) ? node[name] : {});
const listAt = (node: Node, name: string): readonly unknown[] => (Array.isArray(node[name]) ? node[name] : []);
const without = (list: readonly unknown[], others: readonly unknown[]) => list.filter((one) => !others.includes(one));

/** Returns the differences that break clients of the API of `before`, each in a line; additions do not count. */
export function breakingChanges(before: Node, after: Node): string[] {
  const found: string[] = [];
  for (const [path, operations] of Object.entries(nodeAt(before, "paths"))) {
    for (const method of methods) {
      const [old, now] = [nodeAt(operations as Node, method), nodeAt(nodeAt(nodeAt(after, "paths"), path), method)];
      const at = `${method.toUpperCase()} ${path}`;
      if (Object.keys(old).length === 0) continue;
      if (Object.keys(now).length === 0) found.push(`${at}: is gone.`);
      else found.push(...new Comparison(before, after).operation(old, now, at));
    }
  }
  return found;
}

class Comparison {
  readonly #before: Node;
  readonly #after: Node;
  /** Pairs of components that are being compared: a component may contain itself. */
  readonly #open = new Set<string>();

  constructor(before: Node, after: Node) {
    this.#before = before;
    this.#after = after;
  }

  operation(old: Node, now: Node, at: string): string[] {
    return [...this.#parameters(old, now, at), ...this.#body(old, now, at), ...this.#answers(old, now, at)];
  }

  #parameters(old: Node, now: Node, at: string): string[] {
    const known = this.#named(old, this.#before);
    const found: string[] = [];
    const named = this.#named(now, this.#after);
    for (const [name, parameter] of named) {
      if (parameter.required === true && known.get(name)?.required !== true) found.push(`${at}: needs ${name} now.`);
    }
    for (const [name, parameter] of known) {
      const replacement = named.get(name);
      if (replacement === undefined) found.push(`${at}: ${name} is gone.`);
      else found.push(...this.#schema(parameter.schema, replacement.schema, "request", `${at} ${name}`));
    }
    return found;
  }

  #named(operation: Node, root: Node): Map<string, Node> {
    const parameters = listAt(operation, "parameters").map((parameter) => resolve(parameter, root));
    return new Map(parameters.map((parameter) => [`${parameter.in} parameter ${parameter.name}`, parameter]));
  }

  #body(old: Node, now: Node, at: string): string[] {
    const [oldBody, body] = [nodeAt(old, "requestBody"), nodeAt(now, "requestBody")];
    const needed = body.required === true && oldBody.required !== true ? [`${at}: needs a body now.`] : [];
    return [...needed, ...this.#content(oldBody, body, "request", at)];
  }

  #answers(old: Node, now: Node, at: string): string[] {
    return Object.entries(nodeAt(old, "responses")).flatMap(([status, response]) => {
      if (!status.startsWith("2")) return [];
      const replacement = nodeAt(now, "responses")[status];
      if (replacement === undefined) return [`${at}: never answers ${status} now.`];
      const [before, after] = [resolve(response, this.#before), resolve(replacement, this.#after)];
      const headers = without(Object.keys(nodeAt(before, "headers")), Object.keys(nodeAt(after, "headers")));
      return [
        ...headers.map((name) => `${at} ${status}: the header ${name} is gone.`),
        ...this.#content(before, after, "answer", `${at} ${status}`),
      ];
    });
  }

  #content(old: Node, now: Node, direction: Direction, at: string): string[] {
    const [before, after] = [nodeAt(old, "content"), nodeAt(now, "content")];
    return Object.keys(before).flatMap((type) => {
      if (!(type in after)) return [`${at}: ${type} is gone.`];
      return this.#schema(nodeAt(before, type).schema, nodeAt(after, type).schema, direction, `${at} (${type})`);
    });
  }

  #schema(before: unknown, after: unknown, direction: Direction, at: string): string[] {
    const pair = JSON.stringify([nameOf(before), nameOf(after), direction]);
    const isNamed = nameOf(before) !== null;
    if (isNamed && this.#open.has(pair)) return [];
    if (isNamed) this.#open.add(pair);
    const [old, now] = [resolve(before, this.#before), resolve(after, this.#after)];
    const found = [
      ...typeChanges(old, now, direction, at),
      ...(isWidened(old, now, direction) ? [] : this.#properties(old, now, direction, at)),
      ...(isNode(old.items) && isNode(now.items) ? this.#schema(old.items, now.items, direction, `${at}[]`) : []),
      ...this.#choices(old, now, direction, at),
    ];
    if (isNamed) this.#open.delete(pair);
    return found;
  }

  #properties(old: Node, now: Node, direction: Direction, at: string): string[] {
    const [before, after] = [nodeAt(old, "properties"), nodeAt(now, "properties")];
    const [needed, needs] = [listAt(old, "required"), listAt(now, "required")];
    const [more, fewer] = [without(needs, needed), without(needed, needs)];
    return [
      ...(direction === "request" ? more.map((name) => `${at}.${name}: is required now.`) : []),
      ...(direction === "answer" ? fewer.map((name) => `${at}.${name}: is not always there now.`) : []),
      ...Object.entries(before).flatMap(([name, schema]) => {
        if (name in after) return this.#schema(schema, after[name], direction, `${at}.${name}`);
        return [`${at}.${name}: is gone.`];
      }),
    ];
  }

  /**
   * Each old choice needs a new one that does the same; for a removed choice, the nearest one gives the difference.
   */
  #choices(old: Node, now: Node, direction: Direction, at: string): string[] {
    return (["anyOf", "oneOf"] as const).flatMap((keyword) => {
      const choices = listAt(now, keyword).length > 0 ? listAt(now, keyword) : [now];
      const before = isWidened(old, now, direction) && choices[0] !== now ? [old] : listAt(old, keyword);
      return before.flatMap((choice) => {
        const differences = choices.map((one) => this.#schema(choice, one, direction, at));
        return differences.toSorted((one, other) => one.length - other.length)[0] ?? [];
      });
    });
  }
}

const isChoice = (schema: Node): boolean => [schema.anyOf, schema.oneOf].some((choices) => choices !== undefined);

/** A request schema that is now one of several, as when null became possible too. */
const isWidened = (old: Node, now: Node, direction: Direction): boolean =>
  direction === "request" && isChoice(now) && !isChoice(old);

const nameOf = (schema: unknown): unknown => (isNode(schema) ? (schema.$ref ?? null) : null);

function resolve(part: unknown, root: Node): Node {
  if (!isNode(part)) return {};
  if (typeof part.$ref !== "string") return part;
  const names = part.$ref.slice(2).split("/");
  return names.reduce((node, name) => nodeAt(node, name), root);
}

const bounds = [
  ...["maxLength", "maxItems", "maximum", "maxProperties"].map((name) => ({
    name,
    isNarrower: (a: number, b: number) => b < a,
  })),
  ...["minLength", "minItems", "minimum", "minProperties"].map((name) => ({
    name,
    isNarrower: (a: number, b: number) => b > a,
  })),
];

function typesOf(schema: Node): readonly unknown[] {
  if (schema.type !== undefined) return [schema.type].flat();
  if ("const" in schema) return [schema.const === null ? "null" : typeof schema.const];
  return [];
}

function valuesOf(schema: Node): readonly unknown[] | null {
  if ("const" in schema) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : null;
}

/** A request must not be restricted further; a response must keep its documented type. */
function typeChanges(old: Node, now: Node, direction: Direction, at: string): string[] {
  const [before, after] = [typesOf(old), typesOf(now)];
  const [from, to] = direction === "request" ? [before, after] : [after, before];
  const isDeclared = to.length > 0 && (from.length > 0 || direction === "request");
  const other =
    from.length === 0 ? to : without(from, to).filter((type) => !(type === "integer" && to.includes("number")));
  const changes =
    isDeclared && other.length > 0
      ? [`${at}: is ${after.join(" or ")} now, not ${before.join(" or ") || "anything"}.`]
      : [];
  if (direction === "answer") return changes;
  const [values, accepted] = [valuesOf(old), valuesOf(now)];
  if (accepted !== null && values === null) changes.push(`${at}: accepts certain values only now.`);
  for (const value of accepted === null ? [] : without(values ?? [], accepted)) {
    changes.push(`${at}: does not accept ${JSON.stringify(value)} now.`);
  }
  for (const { name, isNarrower } of bounds) {
    const limit = now[name];
    const had = old[name];
    if (typeof limit === "number" && (typeof had !== "number" || isNarrower(had, limit)))
      changes.push(`${at}: has ${name} ${limit} now.`);
  }
  if (now.pattern !== undefined && now.pattern !== old.pattern) changes.push(`${at}: has another pattern now.`);
  return changes;
}
