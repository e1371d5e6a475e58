import type { Instant } from "@svc/domain";
import type { TransportEvent, TransportEventName } from "@svc/domain/transport-events";
import { eventValidAt } from "../history/facts-as-of.ts";
import type { AccountSql, Statement } from "../sql.ts";

/** The last reported event of a container. */
export type LastEvent = Pick<TransportEvent, "event" | "occurredAt" | "timeZone" | "timePrecision"> & {
  readonly containerId: string;
};

/** A container has a few valid events, which are adjacent in the index. */
const lastEventsStatement = (name: string, isValid: string): Statement => ({
  name,
  text: `
    SELECT c.id AS "containerId", e.event, e.occurred_at AS "occurredAt", e.time_zone AS "timeZone",
      e.time_precision AS "timePrecision"
    FROM unnest($2::uuid[]) AS c(id) CROSS JOIN LATERAL (
      SELECT e.event, e.occurred_at, e.time_zone, e.time_precision FROM transport_events e
      WHERE e.account_id = $1 AND e.container_id = c.id AND e.event <> ALL ($3::text[]) AND ${isValid}
      ORDER BY e.occurred_at DESC, e.id DESC LIMIT 1) AS e`,
});

const lastEvents = lastEventsStatement("transport-events.last", "e.invalidated_at IS NULL");
const lastEventsAsOf = lastEventsStatement("transport-events.last-as-of", eventValidAt("$4"));

interface LastEventOptions {
  /** Not set: as known now. */
  readonly asOf?: Instant;
  /** Names of events that are skipped; default: none. */
  readonly except?: readonly TransportEventName[];
}

/** The last events of the given containers that have any, now or as known at `asOf`. */
export const readLastEvents = (
  sql: AccountSql,
  accountId: string,
  containerIds: readonly string[],
  { asOf, except = [] }: LastEventOptions = {},
): Promise<LastEvent[]> =>
  asOf === undefined
    ? sql.rows<LastEvent>(lastEvents, [accountId, containerIds, except])
    : sql.rows<LastEvent>(lastEventsAsOf, [accountId, containerIds, except, asOf]);
