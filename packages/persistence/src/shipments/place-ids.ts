import type { AccountSql, Statement } from "../sql.ts";

/** Places belong to no account; it is named, as in every statement, so that the connection of the next one is ready. */
const placeIds: Statement = {
  name: "shipments.place-ids",
  text: `
    SELECT id FROM ports WHERE locode = ANY($2::text[]) AND $1::uuid IS NOT NULL
    UNION SELECT port_id FROM port_aliases WHERE locode = ANY($2::text[])
    UNION SELECT id FROM metro_areas WHERE locode = ANY($2::text[])`,
};

/**
 * Ids of the places with these UN/LOCODEs, aliases included. Found out before the list is asked: PostgreSQL knows how rare the
 * shipments of a certain place are, but of a place that it has yet to look up it expects them everywhere.
 */
export async function findPlaceIds(
  sql: AccountSql,
  accountId: string,
  locodes: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  if (locodes === undefined) return undefined;
  return (await sql.rows<{ id: string }>(placeIds, [accountId, locodes])).map(({ id }) => id);
}
