import type { PageRequest } from "@svc/domain/lists";
import { fieldNames, includable, type ResourceType, resourceSchemas } from "../resource-graph.ts";
import { TrackingError } from "../tracking-error.ts";
import type { ParameterValues, QueryDefinition, SortKeyOf } from "./query-definition.ts";
import { QueryText } from "./query-text.ts";
import { readCompleteListPage, readPage } from "./read-page.ts";

/** The requested fields by type. A type that is absent has all fields. */
export type SparseFields = ReadonlyMap<string, ReadonlySet<string>>;

export interface Query<Definition extends QueryDefinition = QueryDefinition> {
  /** Paths to include, without duplicates. Null: none requested and no default. */
  readonly include: readonly (readonly string[])[] | null;
  readonly fields: SparseFields;
  readonly page: PageRequest<SortKeyOf<Definition>>;
  readonly parameters: ParameterValues<Definition>;
  /** Parameters as given, for the links of the response. */
  readonly pairs: readonly (readonly [name: string, value: string])[];
}

const includeDepthMax = 4;

function followsGraph(types: readonly ResourceType[], path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  const next = types.flatMap((type) => (Object.hasOwn(includable[type], name) ? (includable[type][name] ?? []) : []));
  return next.length > 0 && followsGraph(next, rest);
}

function readInclude(query: QueryText, definition: QueryDefinition): readonly (readonly string[])[] | null {
  const text = query.take("include");
  const { type, extraInclude = [] } = definition;
  if (text === undefined) return definition.defaultInclude?.map((path) => path.split(".")) ?? null;
  if (text === "" && type) return [];
  const direct = [...(type ? Object.keys(includable[type]) : []), ...extraInclude];
  if (!type || direct.length === 0) {
    query.fault("include", "include is not supported here.");
    return null;
  }
  const paths = new Map<string, readonly string[]>();
  for (const written of text.split(",")) {
    const path = written.split(".");
    const known = extraInclude.includes(written) || (path.length <= includeDepthMax && followsGraph([type], path));
    if (known) paths.set(written, path);
    else {
      const detail = `include does not know ${JSON.stringify(written.slice(0, 100))}. From a ${type}: ${direct.join(", ")}, and further with dots.`;
      query.fault("include", detail);
    }
  }
  return [...paths.values()];
}

function readFields(query: QueryText, definition: QueryDefinition): SparseFields {
  const fields = new Map<string, ReadonlySet<string>>();
  if (!definition.type) return fields;
  for (const [parameter, type, text] of query.takeFamily("fields")) {
    if (!Object.hasOwn(resourceSchemas, type)) {
      query.fault(parameter, `There is no resource type ${JSON.stringify(type.slice(0, 100))}.`);
      continue;
    }
    const known = fieldNames(type as ResourceType);
    const names = text === "" ? [] : text.split(",");
    const unknown = names.filter((name) => !known.has(name));
    if (unknown.length > 0) {
      const list = unknown.map((name) => JSON.stringify(name.slice(0, 100))).join(", ");
      query.fault(parameter, `A ${type} has no field ${list}.`);
    }
    fields.set(type, new Set(names));
  }
  return fields;
}

function readParameters(query: QueryText, definition: QueryDefinition): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [key, parameter] of Object.entries(definition.parameters ?? {})) {
    const text = query.take(parameter.name);
    if (text === undefined) {
      if (parameter.required) query.fault(parameter.name, `${parameter.name} is required.`);
      continue;
    }
    const read = parameter.read(text);
    if ("value" in read) values[key] = read.value;
    else query.fault(parameter.name, `${parameter.name} ${read.problem}.`);
  }
  return values;
}

function reportUnknown(query: QueryText, definition: QueryDefinition): void {
  const known = Object.values(definition.parameters ?? {}).map((parameter) => parameter.name);
  if (definition.type) known.push("include", "fields[type]");
  if (definition.list) known.push("sort", "page[number]", "page[size]", "page[after]", "page[before]");
  if (definition.wholeList) known.push("page[number]", "page[size]");
  const hint = known.length > 0 ? `Known here: ${known.join(", ")}.` : "None are known here.";
  for (const [index, name] of [...query.leftNames].entries()) {
    const detail = `There is no query parameter ${JSON.stringify(name.slice(0, 100))}.`;
    // Listed only once, so that the response does not grow by the whole list with each unknown name.
    query.fault(name.slice(0, 200), index === 0 ? `${detail} ${hint}` : detail);
  }
}

function readRequestedPage(query: QueryText, { list, wholeList }: QueryDefinition): PageRequest {
  if (list) return readPage(query, list);
  if (wholeList) return readCompleteListPage(query);
  return { size: 1, sortBy: "", descending: true, position: { kind: "number", number: 1 } };
}

/** Reads the query of a request. Throws `TrackingError` with all faults, each with its parameter. */
export function readQuery<Definition extends QueryDefinition>(definition: Definition, raw: string): Query<Definition> {
  const text = new QueryText(raw);
  const include = readInclude(text, definition);
  const fields = readFields(text, definition);
  const parameters = readParameters(text, definition);
  const page = readRequestedPage(text, definition);
  for (const name of definition.ignored ?? []) text.take(name);
  reportUnknown(text, definition);
  const [first, ...others] = text.faults;
  if (first) throw new TrackingError([first, ...others]);
  return {
    include,
    fields,
    page: page as PageRequest<SortKeyOf<Definition>>,
    parameters: parameters as ParameterValues<Definition>,
    pairs: text.pairs,
  };
}
