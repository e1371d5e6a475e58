import type { AccountValues, Statement } from "./sql.ts";

/** A statement of an account with the names of its values, for statements with many. */
export interface StatementWithNames<Name extends string> extends Statement {
  /** The names of $1, $2 and so on. */
  readonly parameters: readonly ["accountId", ...Name[]];
  /** The values by their names, in the order of the parameters. */
  readonly values: (values: { readonly accountId: string } & Readonly<Record<Name, unknown>>) => AccountValues;
}

/** `:name`, but not a cast (`::text`). */
const written = /(?<!:):([a-z]\w*)/g;

/**
 * Writes the parameters `:name` of a text as `$2`, `$3` and so on, once when the statement is defined. `$1` and
 * `:accountId` are the account. Throws when the text and `names` differ.
 */
export function withNames<const Name extends string>(
  statement: Statement,
  names: readonly Name[],
): StatementWithNames<Name> {
  const parameters = ["accountId", ...names] as const;
  const known = new Set<string>(parameters);
  const used = new Set(["accountId", ...[...statement.text.matchAll(written)].map(([, name = ""]) => name)]);
  const differing = [...used].filter((name) => !known.has(name)).concat([...known].filter((name) => !used.has(name)));
  if (differing.length > 0)
    throw new Error(`The statement ${statement.name} and its names differ in ${differing.join(", ")}.`);
  const numbers = new Map<string, number>(parameters.map((name, index) => [name, index + 1]));
  return {
    ...statement,
    text: statement.text.replace(written, (_, name: string) => `$${numbers.get(name)}`),
    parameters,
    values: (values) => [values.accountId, ...names.map((name) => values[name])],
  };
}
