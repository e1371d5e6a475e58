import type { AccountValues, Statement } from "./sql.ts";

/** A statement with the names of its values, for statements with many. */
export interface StatementWithNames<Name extends string, Values extends readonly unknown[]> extends Statement {
  /** The names of $1, $2 and so on. */
  readonly parameters: readonly Name[];
  /** The values by their names, in the order of the parameters. */
  readonly values: (values: Readonly<Record<Name, unknown>>) => Values;
}

/** `:name`, but not a cast (`::text`). */
const written = /(?<!:):([a-z]\w*)/g;

/** @param numbered names whose parameter the text may also write by its number. */
function numberNames<const Name extends string>(
  statement: Statement,
  parameters: readonly Name[],
  numbered: readonly Name[],
): StatementWithNames<Name, readonly unknown[]> {
  const known = new Set<string>(parameters);
  const used = new Set<string>([...numbered, ...[...statement.text.matchAll(written)].map(([, name = ""]) => name)]);
  const differing = [...used].filter((name) => !known.has(name)).concat([...known].filter((name) => !used.has(name)));
  if (differing.length > 0)
    throw new Error(`The statement ${statement.name} and its names differ in ${differing.join(", ")}.`);
  const numbers = new Map<string, number>(parameters.map((name, index) => [name, index + 1]));
  return {
    ...statement,
    text: statement.text.replace(written, (_, name: string) => `$${numbers.get(name)}`),
    parameters,
    values: (values) => parameters.map((name) => values[name]),
  };
}

/**
 * Writes the parameters `:name` of a text as `$2`, `$3` and so on, once when the statement is defined. `$1` and
 * `:accountId` are the account. Throws when the text and `names` differ.
 */
export function withNames<const Name extends string>(
  statement: Statement,
  names: readonly Name[],
): StatementWithNames<"accountId" | Name, AccountValues> {
  const parameters: readonly ("accountId" | Name)[] = ["accountId", ...names];
  const named = numberNames(statement, parameters, ["accountId"]);
  return { ...named, values: (values) => named.values(values) as unknown as AccountValues };
}

/** Writes parameters like `withNames`, for a statement that is not of one account: `$1` is the first of the names. */
export function withServiceNames<const Name extends string>(
  statement: Statement,
  names: readonly Name[],
): StatementWithNames<Name, readonly unknown[]> {
  return numberNames(statement, names, []);
}
