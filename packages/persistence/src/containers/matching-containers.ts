import type { AccountSql, Statement } from "../sql.ts";

/** The first container by number that matches a search in a shipment. */
export interface MatchingContainer {
  readonly shipmentId: string;
  readonly id: string;
  readonly number: string;
}

const findMatching: Statement = {
  name: "containers.matching",
  text: `
    SELECT DISTINCT ON (shipment_id) shipment_id AS "shipmentId", id, number
    FROM containers WHERE account_id = $1 AND shipment_id = ANY($2::uuid[]) AND strpos(number, $3) > 0
    ORDER BY shipment_id, number`,
};

/** Finds containers, at most one of each shipment. `part`: of a container number, normalised, not empty. */
export const findMatchingContainers = (
  sql: AccountSql,
  accountId: string,
  shipmentIds: readonly string[],
  part: string,
): Promise<readonly MatchingContainer[]> => sql.rows<MatchingContainer>(findMatching, [accountId, shipmentIds, part]);
