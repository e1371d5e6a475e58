import { buildOpenApi } from "../../apps/api/src/openapi/build-openapi.ts";
import { routes } from "../../apps/api/src/routes.ts";

/** The part of JSON Schema that the published description uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: "object" | "array" | "string" | "integer" | "number" | "boolean" | "null";
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

interface DescribedOperation {
  readonly parameters: readonly {
    readonly $ref?: string;
    readonly name?: string;
    readonly in?: string;
    readonly deprecated?: boolean;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const description = JSON.parse(JSON.stringify(buildOpenApi(routes, "http://localhost/v2"))) as Description;

function resolve<Value extends { readonly $ref?: string }>(value: Value): Value {
  if (value.$ref === undefined) return value;
  const [, , kind = "", name = ""] = value.$ref.split("/");
  return resolve(description.components[kind]?.[name] as Value);
}

/** The schema with every reference replaced by what it refers to. */
function inlined(schema: Schema): Schema {
  const { items, properties, anyOf, ...rest } = resolve(schema);
  return {
    ...rest,
    ...(items && { items: inlined(items) }),
    ...(anyOf && { anyOf: anyOf.map(inlined) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, inlined(member)])),
    }),
  };
}

/** Returns the schema of an operation's JSON body; undefined: it takes none. */
export function describedBody(path: string, method: string): Schema | undefined {
  const content = description.paths[path]?.[method]?.requestBody?.content;
  const schema = content?.["application/json"]?.schema;
  return schema && inlined(schema);
}

export interface QueryParameter {
  readonly name: string;
  readonly schema: Schema;
}

/** The parameters that have an effect. Deprecated ones are accepted with any value. */
export function describedQuery(path: string, method: string): QueryParameter[] {
  return (description.paths[path]?.[method]?.parameters ?? [])
    .map(resolve)
    .flatMap((parameter) =>
      parameter.in === "query" && parameter.name !== undefined && !parameter.deprecated
        ? [{ name: parameter.name, schema: parameter.schema ?? {} }]
        : [],
    );
}
