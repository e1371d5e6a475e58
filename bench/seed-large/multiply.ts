import type { Sql } from "@svc/persistence";
import { templateAccountId } from "./templates.ts";

/** Values that a copy of a template's row gets in place of the row's own; every other time moves with the shipment. */
type Replacements = Readonly<Record<string, string>>;

interface Multiplication {
  readonly table: string;
  /** FROM clause from the template's row `t` to what is planned: `s`, a shipment, or `c`, a container. */
  readonly from: string;
  readonly replacements: Replacements;
}

/** Ids follow from what a row is about, so that they are the same in every run. */
const idOf = (name: string) => `pg_temp.seeded_id(s.time_hex, s.id::text || ${name})`;

/**
 * Every twentieth shipment has provenance: the history of all would be larger than everything else.
 */
const hasHistory = "n % 20 = 0";

const multiplications: readonly Multiplication[] = [
  {
    table: "tracking_subjects",
    from: "planned_shipments s JOIN tracking_subjects t ON t.id = s.template_subject_id",
    replacements: { id: "s.subject_id", scac: "s.scac", number: "s.number" },
  },
  {
    table: "tracking_requests",
    from: `planned_shipments s JOIN tracking_requests t ON t.account_id = '${templateAccountId}' AND t.shipment_id = s.template_id`,
    replacements: {
      id: "s.request_id",
      subject_id: "s.subject_id",
      shipment_id: "s.id",
      scac: "s.scac",
      request_number: "s.bill_of_lading_number",
      normalized_number: "s.number",
      ref_numbers: "s.ref_numbers",
      shipment_tags: "s.tags",
      customer_id: "s.customer_id",
    },
  },
  {
    table: "shipments",
    from: `planned_shipments s JOIN shipments t ON t.account_id = '${templateAccountId}' AND t.id = s.template_id`,
    replacements: {
      id: "s.id",
      subject_id: "s.subject_id",
      bill_of_lading_number: "s.bill_of_lading_number",
      normalized_number: "s.number",
      shipping_line_scac: "s.scac",
      ref_numbers: "s.ref_numbers",
      tags: "s.tags",
      customer_id: "s.customer_id",
    },
  },
  {
    table: "containers",
    from: `planned_containers s JOIN containers t ON t.account_id = '${templateAccountId}' AND t.id = s.template_id`,
    replacements: { id: "s.id", shipment_id: "s.shipment_id", number: "s.number", ref_numbers: "s.ref_numbers" },
  },
  {
    table: "transport_events",
    from: `planned_containers s
      JOIN (SELECT e.*, e.milestone_key || e.created_at AS name,
        previous.milestone_key || previous.created_at AS previous_name
        FROM transport_events e LEFT JOIN transport_events previous ON previous.id = e.previous_version_id
        WHERE e.account_id = '${templateAccountId}') t ON t.container_id = s.template_id`,
    replacements: {
      id: idOf("t.name"),
      shipment_id: "s.shipment_id",
      container_id: "s.id",
      previous_version_id: idOf("t.previous_name"),
      // No replies are seeded, so there is nothing that a row could be traced to.
      observation_id: "NULL",
    },
  },
  {
    table: "field_facts",
    from: `(SELECT id, template_id, account_id, time_hex, shift FROM planned_shipments WHERE ${hasHistory}
        UNION ALL SELECT id, template_id, account_id, time_hex, shift FROM planned_containers WHERE ${hasHistory}) s
      JOIN field_facts t ON t.account_id = '${templateAccountId}' AND t.subject_id = s.template_id`,
    replacements: { id: idOf("t.field || t.valid_from"), subject_id: "s.id", observation_id: "NULL" },
  },
];

const multipliedTables = multiplications.map(({ table }) => table);

/** Every table that is loaded without its indexes. */
export const loadedTables = [...multipliedTables, "search_keys", "search_texts"];

/** The rows that the triggers of shipments and containers would write, for all rows at once. */
const searched = [
  `INSERT INTO search_keys (account_id, key, shipment_created_at, shipment_id)
    SELECT DISTINCT s.account_id, key, s.created_at, s.id FROM planned_shipments s CROSS JOIN unnest(
      shipment_keys(s.bill_of_lading_number, s.number, NULL, s.ref_numbers)) AS key`,
  `INSERT INTO search_keys (account_id, key, shipment_created_at, shipment_id, container_number, container_id)
    SELECT DISTINCT s.account_id, key, s.created_at, s.shipment_id, s.number, s.id
    FROM planned_containers s CROSS JOIN unnest(reference_keys(s.ref_numbers)) AS key`,
  `INSERT INTO search_texts (account_id, shipment_created_at, shipment_id, names, container_numbers)
    SELECT s.account_id, s.created_at, s.id, shipment_search_text(s.bill_of_lading_number, s.number, NULL,
      s.ref_numbers), COALESCE(boxes.numbers, '')
    FROM planned_shipments s LEFT JOIN (
      SELECT shipment_id, string_agg(number, E'\\n' ORDER BY number) AS numbers FROM planned_containers
        GROUP BY shipment_id
    ) AS boxes ON boxes.shipment_id = s.id`,
];

const columnSql = `
  SELECT quote_ident(attname) AS name, atttypid = 'timestamptz'::regtype AS "isTime" FROM pg_attribute
  WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`;

/** Copies the templates' rows for everything that is planned. Other columns are copied unchanged. */
export async function multiply(sql: Sql, report: (table: string, rows: number) => void): Promise<void> {
  const run = (text: string) => sql.execute({ name: "", text }, []);
  for (const table of multipliedTables) await run(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  for (const { table, from, replacements } of multiplications) {
    const columns = await sql.rows<{ name: string; isTime: boolean }>({ name: "", text: columnSql }, [table]);
    const values = columns.map(({ name, isTime }) => {
      if (name === "account_id") return "s.account_id";
      return replacements[name] ?? (isTime ? `t.${name} + s.shift` : `t.${name}`);
    });
    const names = columns.map(({ name }) => name).join(", ");
    const text = `INSERT INTO ${table} (${names}) SELECT ${values.join(", ")} FROM ${from}`;
    report(table, await run(text));
  }
  for (const text of searched) report(/INTO (\w+)/.exec(text)?.[1] ?? "", await run(text));
  for (const table of multipliedTables) await run(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
}
