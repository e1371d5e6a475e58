import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { maintainAttemptPartitions } from "./attempt-partitions.ts";

const database = started(openTestDatabase);

const query = async (text: string) => (await database.pool.query(text)).rows;
const log = (daysAgo: number) =>
  query(`INSERT INTO webhook_attempts (account_id, id, notification_id, webhook_id, attempt_number, started_at, outcome,
    url, request_headers)
    SELECT id, id, id, id, 1, now() - interval '${daysAgo} days', 'succeeded', '', '{}' FROM (SELECT uuidv7() AS id)
    RETURNING tableoid::regclass::text AS part`);
const parts = async () =>
  (
    await query(
      "SELECT inhrelid::regclass::text AS part FROM pg_inherits WHERE inhparent = 'webhook_attempts'::regclass",
    )
  )
    .map(({ part }) => part)
    .sort();

test("creates partitions of coming weeks and drops those older than the retention, once", async () => {
  const now = await parts();
  const week = "date_trunc('week', now() AT TIME ZONE 'UTC')::date";
  await query(`SELECT create_webhook_attempts_part(${week} - 7 * weeks) FROM generate_series(1, 20) AS weeks`);
  const [old] = await log(120);
  const [recent] = await log(30);
  await query(`DROP TABLE ${now[1]}`);
  const concurrent = await Promise.all([
    maintainAttemptPartitions(database, 90),
    maintainAttemptPartitions(database, 90),
  ]);
  const sum = (key: "created" | "dropped") => concurrent.reduce((total, one) => total + one[key], 0);
  expect(sum("created")).toBe(1);
  expect(sum("dropped")).toBeGreaterThanOrEqual(6);
  const left = await parts();
  expect(left).toEqual(expect.arrayContaining([...now, recent.part]));
  expect(left).not.toContain(old.part);
  expect(await query("SELECT FROM webhook_attempts")).toHaveLength(1);
  expect(await maintainAttemptPartitions(database, 90)).toEqual({ created: 0, dropped: 0 });
});

test("keeps an attempt of a week without a partition", async () => {
  expect(await log(3_000)).toEqual([{ part: "webhook_attempts_parts.others" }]);
});

test("moves attempts into their partition when it is created late", async () => {
  await query("SELECT drop_webhook_attempts_parts(-60)");
  expect(await parts()).toEqual(["webhook_attempts_parts.others"]);
  const logged = [...(await log(0)), ...(await log(0))];
  expect(logged.map(({ part }) => part)).toEqual(Array(2).fill("webhook_attempts_parts.others"));
  expect((await maintainAttemptPartitions(database, 90)).created).toBe(5);
  const places = await query(
    "SELECT tableoid::regclass::text AS part FROM webhook_attempts WHERE started_at > now() - interval '1 day'",
  );
  expect(places).toHaveLength(2);
  expect(places.every(({ part }) => part.startsWith("webhook_attempts_parts.week_"))).toBe(true);
  expect((await log(0))[0].part).toBe(places[0].part);
});
