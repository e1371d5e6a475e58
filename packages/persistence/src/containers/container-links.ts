import type { Instant } from "@svc/domain";
import type { ContainerLinks } from "@svc/domain/containers";
import { eventValidAt } from "../history/facts-as-of.ts";
import type { AccountSql, Statement } from "../sql.ts";

/** Maximum number of links of each kind; the related list has the others. */
export const linkedMax = 100;

/** Ids of the newest listed events of the container `c` of the account $1. */
export const newestEventIds = (isValid: string, limit = linkedMax): string => `ARRAY(
      SELECT e.id FROM listed_transport_events e
      WHERE e.account_id = $1 AND e.container_id = c.id AND ${isValid}
      ORDER BY e.created_at DESC, e.id DESC LIMIT ${limit})`;

const linksSql = (isValid: string, isKnown: string): string => `
  SELECT c.id AS "containerId",
    ${newestEventIds(isValid)} AS "transportEventIds",
    ARRAY(SELECT found.id FROM (
      (SELECT o.id FROM observations o
        WHERE o.account_id = $1 AND o.subject_id = s.subject_id AND o.container_number = c.number ${isKnown}
        ORDER BY o.id DESC LIMIT ${linkedMax})
      UNION ALL
      (SELECT o.id FROM observations o
        WHERE o.account_id = $1 AND o.subject_id = s.subject_id AND o.container_number IS NULL ${isKnown}
        ORDER BY o.id DESC LIMIT ${linkedMax})) AS found
      ORDER BY found.id DESC LIMIT ${linkedMax}) AS "rawEventIds"
  FROM containers c JOIN shipments s ON s.account_id = c.account_id AND s.id = c.shipment_id
  WHERE c.account_id = $1 AND c.id = ANY($2::uuid[])`;

const findLinks: Statement = { name: "containers.links", text: linksSql("e.invalidated_at IS NULL", "") };

const findLinksAsOf: Statement = {
  name: "containers.links-as-of",
  text: linksSql(eventValidAt("$3"), "AND o.observed_at <= $3::timestamptz"),
};

export interface ContainerLinkReader {
  /**
   * Links by container id, newest first; with `asOf`, those that were valid at that time. One statement for all
   * containers.
   */
  find(
    accountId: string,
    containerIds: readonly string[],
    asOf?: Instant,
  ): Promise<ReadonlyMap<string, ContainerLinks>>;
}

export function createContainerLinkReader(sql: AccountSql): ContainerLinkReader {
  return {
    async find(accountId, containerIds, asOf) {
      if (containerIds.length === 0) return new Map();
      const rows = await (asOf === undefined
        ? sql.rows<ContainerLinks & { containerId: string }>(findLinks, [accountId, containerIds])
        : sql.rows<ContainerLinks & { containerId: string }>(findLinksAsOf, [accountId, containerIds, asOf]));
      return new Map(rows.map(({ containerId, ...links }) => [containerId, links]));
    },
  };
}
