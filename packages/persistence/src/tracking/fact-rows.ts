import type { Instant } from "@svc/domain";
import type { FieldChange } from "@svc/domain/derivation";
import { uuidV7 } from "../ids.ts";
import type { Sql, Statement } from "../sql.ts";

/** Changed attributes of one record. */
export interface ChangedFacts {
  readonly subjectType: "shipment" | "container";
  readonly subjectId: string;
  readonly fields: readonly FieldChange[];
}

const supersede: Statement = {
  name: "tracking.supersede-facts",
  text: `
    UPDATE field_facts f SET superseded_at = $2
    FROM jsonb_to_recordset($3::jsonb) AS c("subjectId" uuid, field text)
    WHERE f.account_id = $1 AND f.subject_id = c."subjectId" AND f.field = c.field AND f.superseded_at IS NULL`,
};

const insert: Statement = {
  name: "tracking.insert-facts",
  text: `
    INSERT INTO field_facts (account_id, id, subject_type, subject_id, field, value, rule, data_source, observation_id,
      valid_from, cause)
    SELECT $1, c.id, c."subjectType", c."subjectId", c.field, c.value, c.rule, c."dataSource", c."observationId", $2,
      NULLIF(c.cause, 'null')
    FROM jsonb_to_recordset($3::jsonb) AS c(id uuid, "subjectType" text, "subjectId" uuid, field text, value jsonb,
      rule text, "dataSource" text, "observationId" uuid, cause jsonb)`,
};

/** Ends the current values and inserts the new ones; a withdrawn attribute has no current value. */
export async function writeFacts(
  sql: Sql,
  accountId: string,
  changed: readonly ChangedFacts[],
  now: Instant,
): Promise<void> {
  const changes = changed.flatMap(({ fields, ...subject }) => fields.map((field) => ({ ...subject, ...field })));
  if (changes.some(({ before }) => before !== undefined && before !== null)) {
    await sql.execute(supersede, [accountId, now, JSON.stringify(changes)]);
  }
  const present = changes.flatMap(({ subjectType, subjectId, field, after, cause }) =>
    after === null ? [] : [{ id: uuidV7.next(), subjectType, subjectId, field, cause, ...after }],
  );
  if (present.length > 0) await sql.execute(insert, [accountId, now, JSON.stringify(present)]);
}
