import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import pg from "pg";
import type { Statement } from "./sql.ts";
import { openTestDatabase } from "./testing/open-test-database.ts";
import { type DeclaredType, findStatementUses, type StatementUse } from "./testing/statement-uses.ts";

const folder = fileURLToPath(new URL("..", import.meta.url));
const source = path.join(folder, "src");

/** Calls whose statement is built at run time or passed on, by file. The tests of these files run them. */
const builtAtRunTime = {
  "administration/account-state.ts": 4,
  "custom-fields/custom-field-repository.ts": 1,
  "database.ts": 2,
  "delivery/backlog-limit.ts": 1,
  "delivery/settle-outcomes.ts": 1,
  "exceptions/exception-repository.ts": 1,
  "exceptions/exception-writer.ts": 1,
  "exports/export-reader.ts": 1,
  "lists/list-rows.ts": 1,
  "notifications/delivery-log.ts": 1,
  "oauth/oauth-record-repository.ts": 1,
  "operations/refresh-statistics.ts": 1,
  "overviews/location-reader.ts": 1,
  "overviews/overview-reader.ts": 1,
  "reference-data/reference-data-repository.ts": 2,
  "replica/standbys.ts": 2,
  "reseal-secrets.ts": 2,
  "saved-views/saved-view-repository.ts": 1,
  "sql.ts": 2,
  "tenancy/tenant-sql.ts": 2,
  "try-lock.ts": 1,
};

/** Columns that may be null in the table but not in the rows of the statement, because its condition excludes null. */
const neverNull = [
  "oauth-records.connected-applications grantId",
  "reply-archives.finished-shipments stoppedAt",
  "vessel-positions.tracked-vessels imo",
  "webhooks.last-failures at",
];

interface Column {
  readonly name: string;
  readonly dataTypeID: number;
  readonly tableID: number;
  readonly columnID: number;
}

interface Description {
  readonly columns: readonly Column[];
  /** OIDs of the types of the parameters. */
  readonly parameters: readonly number[];
  /** Positions of the columns of the inner side of an outer join, which may be null in any table. */
  readonly outerJoined: ReadonlySet<number>;
}

/** A node of a plan in EXPLAIN's JSON. */
interface Plan {
  readonly "Join Type"?: string;
  readonly "Parent Relationship"?: string;
  readonly Output?: readonly string[];
  readonly Plans?: readonly Plan[];
}

interface Wire {
  once(event: "parameterDescription", listener: (message: { readonly dataTypeIDs: readonly number[] }) => void): void;
  parse(message: { readonly name: string; readonly text: string; readonly types: readonly number[] }): void;
  describe(message: { readonly type: "S"; readonly name: string }): void;
  sync(): void;
}

let client: pg.Client;
let close: () => Promise<void>;
/** Table and number of the columns that may be null. */
let nullable: ReadonlySet<string>;

beforeAll(async () => {
  const database = await openTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  close = () => Promise.all([client.end(), database.close()]).then(() => undefined);
  // Prisma declares no list NOT NULL; every statement that writes one writes a value.
  const { rows } = await client.query<{ key: string }>(
    `SELECT a.attrelid || '.' || a.attnum AS key FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relkind IN ('r', 'p') AND NOT a.attnotnull AND a.attndims = 0 AND a.attnum > 0`,
  );
  nullable = new Set(rows.map(({ key }) => key));
});
afterAll(() => close());

/** Prepares the statement and describes its columns and parameters, without running it. */
function describeColumns({ text }: Statement): Promise<Omit<Description, "outerJoined">> {
  return new Promise((resolve, reject) => {
    let columns: readonly Column[] = [];
    let parameters: readonly number[] = [];
    const query = {
      submit(connection: Wire) {
        connection.once("parameterDescription", ({ dataTypeIDs }) => {
          parameters = [...dataTypeIDs];
        });
        connection.parse({ name: "", text, types: [] });
        connection.describe({ type: "S", name: "" });
        connection.sync();
      },
      handleRowDescription({ fields }: { readonly fields: readonly Column[] }) {
        columns = fields;
      },
      handleError: reject,
      handleReadyForQuery: () => resolve({ columns, parameters }),
    };
    client.query(query as unknown as pg.Submittable);
  });
}

const nullableSides: Readonly<Record<string, readonly string[]>> = {
  Left: ["Inner"],
  Right: ["Outer"],
  Full: ["Inner", "Outer"],
};

/** The expressions of a plan that an outer join may set to null. */
function outerJoinedOutputs(plan: Plan): readonly string[] {
  const sides = nullableSides[plan["Join Type"] ?? ""] ?? [];
  return (plan.Plans ?? []).flatMap((child) => [
    ...(sides.includes(child["Parent Relationship"] ?? "") ? (child.Output ?? []) : []),
    ...outerJoinedOutputs(child),
  ]);
}

async function describeStatement(statement: Statement): Promise<Description> {
  const description = await describeColumns(statement);
  const { rows } = await client.query<{ "QUERY PLAN": readonly { readonly Plan: Plan }[] }>(
    `EXPLAIN (VERBOSE, FORMAT JSON, GENERIC_PLAN) ${statement.text}`,
  );
  const plan = rows[0]?.["QUERY PLAN"][0]?.Plan ?? {};
  const nullable = new Set(outerJoinedOutputs(plan));
  const outputs = plan.Output ?? [];
  return {
    ...description,
    outerJoined: new Set([...outputs.keys()].filter((index) => nullable.has(outputs[index] ?? ""))),
  };
}

/** How the driver returns a type (`types` of named-query.ts), by its OID. */
const kinds: Readonly<Record<number, string>> = {
  16: "boolean",
  17: "bytes",
  20: "number",
  21: "number",
  23: "number",
  25: "string",
  700: "number",
  701: "number",
  1001: "bytes[]",
  1007: "number[]",
  1009: "string[]",
  1015: "string[]",
  1043: "string",
  1184: "string",
  2950: "string",
  2951: "string[]",
};
const jsonOids = [114, 3802];

/**
 * JavaScript types of parameters by the OID of their type; also dates, intervals, and arrays that no statement returns.
 */
const parameterKinds: Readonly<Record<number, string>> = {
  ...kinds,
  1000: "boolean[]",
  1016: "number[]",
  1082: "string",
  1182: "string[]",
  1185: "string[]",
  1186: "string",
};
const bigintOid = 20;

const nameOf = ({ kind }: DeclaredType): string => (typeof kind === "object" ? `${nameOf(kind)}[]` : kind);

/** Whether the driver sends a value as PostgreSQL reads a parameter of the type. */
function isAccepted(value: DeclaredType, oid: number): boolean {
  const kind = nameOf(value);
  if (kind === "unknown") return true;
  // The driver sends an object as JSON, but an array as an array of PostgreSQL.
  if (jsonOids.includes(oid)) return kind === "string" || kind === "object";
  // A bigint can exceed the numbers of JavaScript.
  return kind === parameterKinds[oid] || (oid === bigintOid && kind === "string");
}

/** Values by name in the order of the parameters; one without a value has no kind that a parameter takes. */
const inOrder = (values: ReadonlyMap<string, DeclaredType>, names: readonly string[]): readonly DeclaredType[] =>
  names.map((name) => values.get(name) ?? { kind: "object", isNullable: true });

/** A statement as the program prints it, with the names of its parameters if they have any. */
interface PrintedStatement extends Statement {
  readonly parameters?: readonly string[];
}

/** Returns the differences between the call and the statement. */
function disagreements({ row, ...use }: StatementUse, statement: PrintedStatement, description: Description): string[] {
  const { columns, parameters, outerJoined } = description;
  const { name, parameters: names = [] } = statement;
  const problems: string[] = [];
  const values = use.values && "get" in use.values ? inOrder(use.values, names) : use.values;
  if (values && values.length !== parameters.length)
    problems.push(`has ${parameters.length} parameters and gets ${values.length} values`);
  for (const [index, value] of values?.entries() ?? []) {
    const oid = parameters[index];
    if (oid !== undefined && !isAccepted(value, oid))
      problems.push(`takes $${index + 1} as ${parameterKinds[oid] ?? `type ${oid}`}, gets ${nameOf(value)}`);
  }
  for (const [member, type] of row ?? []) {
    const index = columns.findIndex((one) => one.name === member);
    const column = columns[index];
    if (!column) {
      problems.push(`returns no column "${member}"`);
      continue;
    }
    const kind = kinds[column.dataTypeID] ?? `type ${column.dataTypeID}`;
    if (!jsonOids.includes(column.dataTypeID) && kind !== nameOf(type))
      problems.push(`returns "${member}" as ${kind}, declared as ${nameOf(type)}`);
    const mayBeNull = outerJoined.has(index) || nullable.has(`${column.tableID}.${column.columnID}`);
    if (mayBeNull && !type.isNullable && !neverNull.includes(`${name} ${member}`))
      problems.push(`may return null for "${member}"`);
  }
  return problems;
}

const files = fs
  .readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|-cli\.ts$|^(?:.*\/)?(?:testing|generated)\//.test(file))
  .map((file) => path.join(source, file));

/** The statements of the calls, by module and expression. */
function readStatements(uses: readonly StatementUse[]): Record<string, Record<string, PrintedStatement>> {
  const byModule = Map.groupBy(uses, ({ file }) => pathToFileURL(file).href);
  const requested = Object.fromEntries(
    [...byModule].map(([url, moduleUses]) => [
      url,
      [...new Set(moduleUses.flatMap(({ statement }) => statement ?? []))],
    ]),
  );
  const program = path.join(folder, "tools/print-statements.mjs");
  const output = execFileSync(process.execPath, [program, JSON.stringify(requested)], { maxBuffer: 16 * 1024 * 1024 });
  return JSON.parse(output.toString()) as Record<string, Record<string, PrintedStatement>>;
}

test("agrees for every statement with the migrated schema, the declared rows and the values", async () => {
  const uses = findStatementUses(folder, files);
  const statements = readStatements(uses);
  const problems: string[] = [];
  const unchecked: Record<string, number> = {};
  for (const use of uses) {
    const file = path.relative(source, use.file);
    const statement = use.statement === null ? undefined : statements[pathToFileURL(use.file).href]?.[use.statement];
    if (statement === undefined) {
      unchecked[file] = (unchecked[file] ?? 0) + 1;
      continue;
    }
    const found = await describeStatement(statement).then(
      (description) => disagreements(use, statement, description),
      (error: Error) => [`cannot be prepared: ${error.message}`],
    );
    problems.push(...found.map((problem) => `${file}:${use.line} ${statement.name} ${problem}`));
  }
  expect(problems).toEqual([]);
  expect(unchecked).toEqual(builtAtRunTime);
  expect(uses.length).toBeGreaterThan(250);
});
