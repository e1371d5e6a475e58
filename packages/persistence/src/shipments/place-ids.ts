import type { AccountSql, Statement } from "../sql.ts";

/** Places belong to no account; the account is a parameter so that the connection is ready for the next statement. */
const placeIds: Statement = {
  name: "shipments.place-ids",
  text: `
    SELECT id FROM ports WHERE locode = ANY($2::text[]) AND $1::uuid IS NOT NULL
    UNION SELECT port_id FROM port_aliases WHERE locode = ANY($2::text[])
    UNION SELECT id FROM metro_areas WHERE locode = ANY($2::text[])`,
};

/**
 * Ids of the places with these UN/LOCODEs, aliases included. Read before the list, because PostgreSQL can estimate the
 * number of shipments of a known place id but not of a place that a join looks up.
 */
export async function findPlaceIds(
  sql: AccountSql,
  accountId: string,
  locodes: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  if (locodes === undefined) return undefined;
  return (await sql.rows<{ id: string }>(placeIds, [accountId, locodes])).map(({ id }) => id);
}
