import { columnOf } from "../records/column-names.ts";

/** Condition: the row of `field_facts f` was valid at the time of a parameter. */
export const factValidAt = (at: string): string =>
  `f.valid_from <= ${at}::timestamptz AND COALESCE(f.superseded_at, 'infinity'::timestamptz) > ${at}::timestamptz`;

/** Condition: the row of `transport_events e` was valid at the time of a parameter. */
export const eventValidAt = (at: string): string =>
  `e.created_at <= ${at}::timestamptz AND COALESCE(e.invalidated_at, 'infinity'::timestamptz) > ${at}::timestamptz`;

/** The attributes of a record of the account $1 as known at the time $3, as one JSON object `facts`. */
export const factsAsOf = (subjectId: string): string => `
  SELECT COALESCE(jsonb_object_agg(f.field, f.value), '{}') AS facts FROM field_facts f
  WHERE f.account_id = $1 AND f.subject_id = ${subjectId} AND ${factValidAt("$3")}`;

/**
 * The arguments of `jsonb_build_object` that turn `facts` into the columns of a row. An attribute is a column of the
 * same name unless `others` has the SQL of its value; unknown attributes are null.
 */
export function columnsFromFacts(names: readonly string[], others: Readonly<Record<string, string>>): string {
  return names.map((name) => `'${columnOf(name)}', ${others[name] ?? `facts -> '${name}'`}`).join(", ");
}
