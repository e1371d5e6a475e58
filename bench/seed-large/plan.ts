import type { Sql } from "@svc/persistence";
import { type Template, templateAccountId } from "./templates.ts";
import { firstPollDay, pollDays, routes } from "./voyages.ts";

/** Numbers of rows at scale 1. */
export const fullSize = { accounts: 1_000, shipments: 300_000 } as const;

/** The large account has this part of all shipments. */
const largeShare = 0.3;
/**
 * Search terms of the large account: a reference that many shipments share, and an owner code of only the oldest
 * containers.
 */
export const sharedReference = "STOCK";
export const oldOwnerCode = "QLDU";

/** A bill of lading as the carrier prints it, and the part used to poll the carrier. */
const lines = [
  { scac: "MAEU", printed: "MAEU", asked: "", digits: 9, owner: "MSKU" },
  { scac: "MSCU", printed: "MEDUAB", asked: "MEDUAB", digits: 6, owner: "MSCU" },
  { scac: "HLCU", printed: "HLCUSHA2", asked: "HLCUSHA2", digits: 8, owner: "HLXU" },
  { scac: "COSU", printed: "COSU", asked: "", digits: 10, owner: "CBHU" },
  { scac: "OOLU", printed: "OOLU", asked: "", digits: 10, owner: "OOLU" },
  { scac: "EGLV", printed: "EGLV", asked: "", digits: 12, owner: "EISU" },
] as const;

/** Returns what the four letters of a container number add to the sum of its check digit (ISO 6346). */
function letterSum(owner: string): number {
  const values = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((_, index) => 10 + index + Math.floor((index + 9) / 10));
  return [...owner].reduce((sum, letter, place) => sum + (values[letter.charCodeAt(0) - 65] ?? 0) * 2 ** place, 0);
}

const owners = [...lines.map(({ owner }) => owner), oldOwnerCode];

/** A UUID of version 7 with the time in front, whose rest follows from the name: the same in every run. */
const functions = [
  `CREATE FUNCTION pg_temp.seeded_id(time_hex text, name text) RETURNS uuid LANGUAGE sql IMMUTABLE
  RETURN overlay(overlay(md5(name) PLACING time_hex || '7' FROM 1 FOR 13) PLACING '8' FROM 17 FOR 1)::uuid`,
  `CREATE FUNCTION pg_temp.time_hex(moment timestamptz) RETURNS text LANGUAGE sql IMMUTABLE
  RETURN lpad(to_hex(floor(extract(epoch FROM moment) * 1000)::bigint), 12, '0')`,
  `CREATE FUNCTION pg_temp.dice(name text, sides int) RETURNS int LANGUAGE sql IMMUTABLE
  RETURN ('x' || left(md5(name), 7))::bit(28)::int % sides`,
  `CREATE FUNCTION pg_temp.container_number(owner text, letter_sum int, serial text) RETURNS text LANGUAGE sql IMMUTABLE
  RETURN owner || serial || ((letter_sum + substr(serial, 1, 1)::int * 16 + substr(serial, 2, 1)::int * 32
    + substr(serial, 3, 1)::int * 64 + substr(serial, 4, 1)::int * 128 + substr(serial, 5, 1)::int * 256
    + substr(serial, 6, 1)::int * 512) % 11 % 10)`,
];

export interface Plan {
  readonly seed: number;
  readonly accounts: number;
  readonly shipments: number;
  /** The present of the seeded world. */
  readonly until: string;
}

/**
 * Time of creation of the accounts. The statements below are composed of checked numbers and times, because CREATE
 * TABLE AS takes no parameters.
 */
const began = "timestamptz '2020-01-01 00:00:00Z'";

const planTables = [
  `CREATE TEMP TABLE planned_templates (shipment_id uuid, subject_id uuid, route int, created_at timestamptz,
    from_day float8, to_day float8)`,
  `CREATE TEMP TABLE planned_lines (place int, scac text, printed text, asked text, digits int)`,
  `CREATE TEMP TABLE planned_owners (place int, owner text, letter_sum int)`,
  `CREATE TEMP TABLE planned_boxes AS
    SELECT row_number() OVER (PARTITION BY shipment_id ORDER BY number) AS box, shipment_id AS template_id, id
    FROM containers WHERE account_id = '${templateAccountId}'`,
];

const planAccounts = ({ seed, accounts }: Plan) => `
  CREATE TEMP TABLE planned_accounts AS
  SELECT n AS place, pg_temp.seeded_id(pg_temp.time_hex(${began}), '${seed}' || ' account ' || n) AS id,
    'Seeded account ' || n AS company_name
  FROM generate_series(0, ${accounts} - 1) AS n`;

/** Created evenly over the time span, the oldest first; a shipment's stage follows from its age. */
const planShipments = ({ seed, accounts, shipments, until }: Plan) => `
  CREATE TEMP TABLE planned_shipments AS
  SELECT p.*, pg_temp.time_hex(p.created_at) AS time_hex,
    pg_temp.seeded_id(pg_temp.time_hex(p.created_at), '${seed}' || ' shipment ' || p.n) AS id,
    pg_temp.seeded_id(pg_temp.time_hex(p.created_at), '${seed}' || ' subject ' || p.n) AS subject_id,
    pg_temp.seeded_id(pg_temp.time_hex(p.created_at), '${seed}' || ' request ' || p.n) AS request_id,
    a.id AS account_id, l.scac,
    l.printed || lpad(p.n::text, l.digits, '0') AS bill_of_lading_number,
    l.asked || lpad(p.n::text, l.digits, '0') AS number,
    ARRAY['PO-' || lpad(p.n::text, 8, '0')] || CASE WHEN p.is_large AND p.n % 5 = 0 THEN ARRAY['${sharedReference}']
      ELSE '{}' END
      AS ref_numbers,
    CASE p.n % 4 WHEN 0 THEN ARRAY['seeded', 'urgent'] WHEN 1 THEN ARRAY['seeded'] ELSE '{}'::text[] END AS tags,
    CASE WHEN p.n % 2 = 0 THEN pg_temp.seeded_id(pg_temp.time_hex(${began}),
      '${seed}' || ' party ' || a.place || ' ' || p.n / 2 % 5) END
      AS customer_id,
    t.shipment_id AS template_id, t.subject_id AS template_subject_id,
    p.created_at - t.created_at AS shift,
    p.is_large AND p.n < ${shipments} * 0.03 AS is_old
  FROM (
    SELECT d.*, extract(epoch FROM timestamptz '${until}' - d.created_at) / 86400 AS age_days,
      CASE WHEN d.is_large THEN 0 ELSE 1 + pg_temp.dice('${seed}' || ' small ' || d.n, ${accounts} - 1) END AS account
    FROM (
      SELECT n, pg_temp.dice('${seed}' || ' large ' || n, 1000) < ${largeShare * 1000} AS is_large,
        date_trunc('milliseconds', timestamptz '${until}'
          - (${shipments} - n + 0.5) / ${shipments} * interval '365 days') AS created_at,
        pg_temp.dice('${seed}' || ' line ' || n, ${lines.length}) AS line,
        pg_temp.dice('${seed}' || ' route ' || n, ${routes.length}) AS route, 1 + (n * 7 + n / 6) % 6 AS sixth
      FROM generate_series(1, ${shipments}) AS n OFFSET 0) AS d OFFSET 0) AS p
  JOIN planned_accounts a ON a.place = p.account
  JOIN planned_lines l ON l.place = p.line
  JOIN planned_templates t ON t.route = p.route AND p.age_days >= t.from_day AND p.age_days < t.to_day
  ORDER BY p.n`;

/** 3⅓ boxes for each shipment, and every number only once. */
const planContainers = `
  CREATE TEMP TABLE planned_containers AS
  SELECT c.*, pg_temp.seeded_id(c.time_hex, c.shipment_id || ' container ' || c.box) AS id,
    pg_temp.container_number(o.owner, o.letter_sum, lpad(((c.serial * 700001) % 1000000)::text, 6, '0')) AS number
  FROM (
    SELECT s.n, s.account_id, s.id AS shipment_id, s.created_at, CASE WHEN s.is_old THEN ${lines.length}
      ELSE s.line END AS owner, s.time_hex, s.shift, s.ref_numbers, s.is_old, b.box, b.id AS template_id,
      row_number() OVER (ORDER BY s.n, b.box) - 1 AS serial
    FROM planned_shipments s
    JOIN planned_boxes b ON b.template_id = s.template_id AND b.box <= s.sixth) AS c
  JOIN planned_owners o ON o.place = c.owner
  ORDER BY c.n, c.box`;

/** Decides what is to be written in temporary tables: planned_accounts, planned_shipments and planned_containers. */
export async function createPlan(sql: Sql, templates: readonly Template[], plan: Plan): Promise<void> {
  const run = (text: string, values: readonly unknown[] = []) => sql.execute({ name: "", text }, values);
  const insert = (table: string, rows: readonly object[]) =>
    run(`INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`, [
      JSON.stringify(rows),
    ]);
  for (const text of [...functions, ...planTables]) await run(text);
  const stageFrom = (stage: number) => (pollDays[stage] ?? Number.POSITIVE_INFINITY) - firstPollDay;
  await insert(
    "planned_templates",
    templates.map(({ shipmentId, subjectId, route, stage, createdAt }) => ({
      shipment_id: shipmentId,
      subject_id: subjectId,
      route,
      created_at: createdAt,
      from_day: stageFrom(stage),
      to_day: Math.min(stageFrom(stage + 1), 1e6),
    })),
  );
  await insert(
    "planned_lines",
    lines.map((line, place) => ({ ...line, place })),
  );
  await insert(
    "planned_owners",
    owners.map((owner, place) => ({ place, owner, letter_sum: letterSum(owner) })),
  );
  await run(planAccounts(plan));
  await run(planShipments(plan));
  await run(planContainers);
  await run("ANALYZE planned_shipments, planned_containers");
}
