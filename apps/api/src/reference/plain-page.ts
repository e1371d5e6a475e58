import { hash } from "node:crypto";
import { errorAnchor, errorCodes, errorDescriptions, statusByCode } from "@svc/jsonapi";
import { escapeHtml } from "@svc/service-kit";

type Schema = Readonly<Record<string, unknown>>;

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Schema[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, Schema>>;
}

interface Description {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<"schemas" | "parameters" | "responses", Readonly<Record<string, Schema>>>>;
}

const style = `
:root { color-scheme: light dark; --line: light-dark(#d7dde4, #3a424c); --soft: light-dark(#f4f6f8, #1c2127); }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem; border-right: 1px solid var(--line);
  box-sizing: border-box; font-size: .9rem; }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; }
main { padding: 1rem 2rem 4rem; max-width: 60rem; }
section { border-top: 1px solid var(--line); margin-top: 2rem; }
code, pre { font: .9em ui-monospace, monospace; }
h3 code { background: var(--soft); padding: .2em .5em; border-radius: 4px; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); }
a { color: light-dark(#0b57a4, #7cb7ff); overflow-wrap: anywhere; }
:target { background: light-dark(#fff3c4, #4a3f12); }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; } }`;

/** Content security policy of the page: only its own style may load. */
export const plainPagePolicy = `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'; frame-ancestors 'none'; base-uri 'none'`;

/** Escapes a text, or the JSON of another value. */
const escapeValue = (value: unknown): string =>
  escapeHtml(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

/** Escaped, with paragraphs and what stands in backquotes as code. */
const prose = (text: string | undefined): string =>
  (text ?? "")
    .split("\n\n")
    .map((paragraph) => `<p>${escapeValue(paragraph).replace(/`([^`]+)`/g, "<code>$1</code>")}</p>`)
    .join("");

const schemaName = (reference: unknown): string => String(reference).split("/").at(-1) ?? "";

function typeText(type: unknown): string {
  if (Array.isArray(type)) return type.map(String).join(" or ");
  return typeof type === "string" ? type : "any";
}

/** A short word for a schema, with a link where it is a named one. */
function typeName(schema: Schema): string {
  if (schema.$ref)
    return `<a href="#schema-${escapeValue(schemaName(schema.$ref))}">${escapeValue(schemaName(schema.$ref))}</a>`;
  const variants = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined;
  if (variants) return variants.map(typeName).join(" or ");
  if (schema.const !== undefined) return `<code>${escapeValue(JSON.stringify(schema.const))}</code>`;
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `<code>${escapeValue(value)}</code>`).join(", ");
  if (schema.type === "array") return `array of ${typeName((schema.items as Schema | undefined) ?? {})}`;
  return escapeValue([typeText(schema.type), schema.format].filter(Boolean).join(", "));
}

/** One row for each member, nested ones by their path. */
function memberRows(schema: Schema, prefix = ""): string {
  const required = new Set((schema.required as readonly string[] | undefined) ?? []);
  return Object.entries((schema.properties as Readonly<Record<string, Schema>> | undefined) ?? {})
    .map(([name, member]) => {
      const path = `${prefix}${name}`;
      const isNested = member.type === "object" && member.properties !== undefined;
      const about = `${escapeValue(member.description)}${required.has(name) ? " <b>required</b>" : ""}`;
      const row = `<tr><td><code>${escapeValue(path)}</code></td><td>${typeName(member)}</td><td>${about}</td></tr>`;
      return row + (isNested ? memberRows(member, `${path}.`) : "");
    })
    .join("");
}

const members = (schema: Schema): string =>
  schema.$ref || schema.properties === undefined
    ? `<p>${typeName(schema)}</p>`
    : `<table><tbody>${memberRows(schema)}</tbody></table>`;

function parameterRow(parameter: Schema): string {
  const about = `${escapeValue(parameter.description)}${parameter.required ? " <b>required</b>" : ""}`;
  const where = escapeValue(parameter.in);
  return `<tr><td><code>${escapeValue(parameter.name)}</code></td><td>${where}</td><td>${typeName(parameter.schema as Schema)}</td><td>${about}</td></tr>`;
}

function responseRow(status: string, response: Schema): string {
  const content = Object.values((response.content as Readonly<Record<string, { schema: Schema }>> | undefined) ?? {});
  const type = content[0] ? typeName(content[0].schema) : "";
  return `<tr><td><code>${escapeValue(status)}</code></td><td>${escapeValue(response.description)}</td><td>${type}</td></tr>`;
}

function operationSection(
  method: string,
  path: string,
  operation: Operation,
  { parameters, responses }: Description["components"],
): string {
  const resolve = (item: Schema, known: Readonly<Record<string, Schema>>): Schema =>
    item.$ref ? (known[schemaName(item.$ref)] ?? {}) : item;
  const rows = (operation.parameters ?? []).map((parameter) => parameterRow(resolve(parameter, parameters)));
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const responseRows = Object.entries(operation.responses).map(([status, response]) =>
    responseRow(status, resolve(response, responses)),
  );
  return `<section id="${escapeValue(operation.operationId)}">
<h3>${escapeValue(operation.summary)}</h3><p><code>${escapeValue(method.toUpperCase())} ${escapeValue(path)}</code></p>
${prose(operation.description)}
${rows.length > 0 ? `<h4>Parameters</h4><table><tbody>${rows.join("")}</tbody></table>` : ""}
${body ? `<h4>Body</h4>${members(body)}` : ""}
<h4>Responses</h4><table><tbody>${responseRows.join("")}</tbody></table></section>`;
}

/** Every code of an error, at the address that `links.type` of the error has. */
function errorSection(): string {
  const rows = errorCodes.map(
    (code) =>
      `<tr id="${errorAnchor(code)}"><td><code>${code}</code></td><td>${statusByCode[code]}</td><td>${escapeValue(errorDescriptions[code])}</td></tr>`,
  );
  return `<h2 id="errors">Errors</h2><table><thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

/** A readable page of the OpenAPI document. It needs no script and loads nothing. */
export function renderPlainPage(document: Readonly<Record<string, unknown>>): string {
  const { info, servers, tags, paths, components } = document as unknown as Description;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const chapters = tags.map((tag) => ({
    tag,
    own: operations.filter(({ operation }) => operation.tags[0] === tag.name),
  }));
  const contents = chapters.map(({ tag, own }) => {
    const items = own.map(
      ({ operation: { operationId, summary } }) =>
        `<li><a href="#${escapeValue(operationId)}">${escapeValue(summary)}</a></li>`,
    );
    return `<b>${escapeValue(tag.name)}</b><ul>${items.join("")}</ul>`;
  });
  const text = chapters.map(({ tag, own }) => {
    const sections = own.map(({ method, path, operation }) => operationSection(method, path, operation, components));
    return `<h2>${escapeValue(tag.name)}</h2>${prose(tag.description)}${sections.join("")}`;
  });
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<section id="schema-${escapeValue(name)}"><h3>${escapeValue(name)}</h3>${members(schema)}</section>`,
  );
  const url = escapeValue(servers[0]?.url);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeValue(info.title)}</title><style>${style}</style></head>
<body><nav>${contents.join("")}<a href="#errors">Errors</a> <a href="#schemas">Schemas</a></nav><main>
<h1>${escapeValue(info.title)}</h1><p>Version ${escapeValue(info.version)}, at <code>${url}</code>.
For programs: <a href="${url}/openapi.json">OpenAPI 3.1</a>. With search, examples and test requests:
<a href="../docs">the API reference</a>.</p>
${prose(info.description)}${text.join("")}${errorSection()}
<h2 id="schemas">Schemas</h2>${schemas.join("")}</main></body></html>
`;
}
