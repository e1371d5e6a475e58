import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { dayMs } from "@svc/domain";
import type { Sql } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { containerMove, type DcsaEvent, vesselMove, voyage } from "../testing/dcsa-carrier.ts";
import { track } from "../testing/tracked-number.ts";
import { setUpTracking } from "../testing/tracking-setup.ts";

/**
 * Records every written row of every table, also one that is written without a change. A row of a partition counts for
 * its table.
 */
const noteEveryWrite = `
  CREATE TABLE touched_rows (relation text, operation text);
  CREATE FUNCTION note_touched_row() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO public.touched_rows VALUES (TG_ARGV[0], TG_OP); RETURN NULL; END $$;
  DO $$ DECLARE relation regclass; BEGIN
    FOR relation IN SELECT oid FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
      AND relnamespace = 'public'::regnamespace AND relname <> 'touched_rows' LOOP
      EXECUTE format('CREATE TRIGGER note_touched_row AFTER INSERT OR UPDATE OR DELETE ON %s
        FOR EACH ROW EXECUTE FUNCTION note_touched_row(%L)', relation, relation);
    END LOOP;
  END $$`;

const setup = started(setUpTracking);
beforeAll(async () => {
  await setup.rows(noteEveryWrite);
});
beforeEach(() => setup.reset());

/** The writes of the next poll of the number: `INSERT observations` and so on, with the number of rows. */
async function touchedBy(number: string, events: readonly DcsaEvent[]): Promise<Record<string, number>> {
  setup.clock.advance(25 * dayMs);
  setup.line.answer(number, events);
  await setup.rows("UPDATE tracking_subjects SET next_poll_at = NULL WHERE number <> $1", number);
  await setup.rows("UPDATE tracking_subjects SET next_poll_at = $2 WHERE number = $1", number, setup.clock.now());
  await setup.rows("TRUNCATE touched_rows");
  expect(await setup.pollDue()).toBe(1);
  // The counts of the carrier are written once a second for all its replies.
  const touched = await setup.rows<{ what: string; count: number }>(
    `SELECT operation || ' ' || relation AS what, count(*)::int AS count FROM touched_rows
     WHERE relation <> 'carrier_access' GROUP BY 1`,
  );
  return Object.fromEntries(touched.map(({ what, count }) => [what, count]));
}

/** The names of the statements that transactions of polls run from now on. */
function countStatements(): string[] {
  const { database } = setup.context;
  const names: string[] = [];
  const recording = (sql: Sql): Sql => ({
    rows: (statement, values) => {
      names.push(statement.name);
      return sql.rows(statement, values);
    },
    execute: (statement, values) => {
      names.push(statement.name);
      return sql.execute(statement, values);
    },
  });
  const transaction: typeof database.transaction = (work) =>
    database.transaction((sql) => work({ ...sql, ...recording(sql) }));
  Object.assign(setup.context, { database: { ...database, transaction } });
  return names;
}

/** The claim, and its settlement. */
const subject = { "UPDATE tracking_subjects": 2 };
/** The reply as evidence, and its one new observation. */
const evidence = { "INSERT raw_replies": 1, "INSERT observations": 1 };
const notificationRows = (count: number) => ({
  "INSERT notification_events": count,
  "INSERT webhook_notifications": count,
  "INSERT webhook_deliveries": count,
});

/** Two containers after departure. */
const sailed = voyage(["MSKU0000006", "MSKU0000011"]);

describe("the rows of all tables that a reply touches", () => {
  test("contain only the subject when nothing changed", async () => {
    setup.line.answer("TOUCH1", sailed);
    await track(setup, "TOUCH1");
    expect(await touchedBy("TOUCH1", sailed)).toEqual(subject);
  });

  test("contain the milestone, the status and the implied arrival of a discharged container, and nothing of the other", async () => {
    setup.line.answer("TOUCH2", sailed);
    await track(setup, "TOUCH2");
    const discharged = [...sailed, containerMove("DISC", "MSKU0000006", "NLRTM", "2026-02-01T20:00:00+01:00")];
    expect(await touchedBy("TOUCH2", discharged)).toEqual({
      ...subject,
      ...evidence,
      "INSERT transport_events": 1,
      // The status replaces another one; the discharge and the arrival are the first of their kind.
      "UPDATE field_facts": 1,
      "INSERT field_facts": 3,
      "UPDATE containers": 1,
      "UPDATE shipments": 1,
      // The estimate that the arrival is compared with.
      "UPDATE eta_samples": 1,
      ...notificationRows(1),
    });
  });

  test("a changed ETA: the attribute of the shipment with its history, and an ETA sample", async () => {
    setup.line.answer("TOUCH3", sailed);
    await track(setup, "TOUCH3");
    const later = [...sailed, vesselMove("ARRI", "NLRTM", "2026-02-08T06:00:00+01:00", "EST")];
    expect(await touchedBy("TOUCH3", later)).toEqual({
      ...subject,
      ...evidence,
      "UPDATE shipments": 1,
      "UPDATE field_facts": 1,
      "INSERT field_facts": 1,
      "INSERT eta_samples": 1,
      // One for each of the two containers: the objects that the notifications refer to.
      "INSERT container_change_events": 2,
      ...notificationRows(3),
    });
  });

  test.each([
    { name: "a milestone of one container", code: "STMT1", statements: 20 },
    { name: "a changed ETA", code: "STMT2", statements: 19 },
  ])("$name: a fixed number of statements", async ({ code, statements }) => {
    setup.line.answer(code, sailed);
    await track(setup, code);
    const run = countStatements();
    const changes = {
      STMT1: containerMove("DISC", "MSKU0000006", "NLRTM", "2026-02-01T20:00:00+01:00"),
      STMT2: vesselMove("ARRI", "NLRTM", "2026-02-08T06:00:00+01:00", "EST"),
    };
    await touchedBy(code, [...sailed, changes[code as keyof typeof changes]]);
    expect(run).toHaveLength(statements);
  });
});
