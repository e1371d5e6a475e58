import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { archiveShipment, type ObjectStore, restore, verifyArchive } from "@svc/archive";
import { dayMs, type Instant, instant } from "@svc/domain";
import { closeAccount, eraseClosedAccount, resumeAccount } from "@svc/persistence/administration";
import { createProvenanceReader } from "@svc/persistence/history";
import {
  type FinishedShipment,
  finishedShipments,
  firstFinished,
  type StoredArchive,
  storedArchives,
} from "@svc/persistence/reply-archives";
import { resumeTracking } from "@svc/persistence/shipments";
import { findObservations } from "@svc/persistence/tracking";
import { createLogger } from "@svc/service-kit";
import { started } from "@svc/testkit/started";
import { startVoyageHarness } from "../testing/voyage-harness.ts";
import { createArchivePass } from "./start-archive.ts";
import { createArchiveHarness } from "./testing/archive-harness.ts";

const numbers = {
  finished: "SBXRAI000001",
  resumed: "SBXHLD000001",
  broken: "SBXCOR000001",
  running: "SBXDLY000001",
} as const;

const harness = started(startVoyageHarness);
const archive = started(() => createArchiveHarness(harness));
beforeAll(async () => {
  for (const number of Object.values(numbers)) await harness.track(number);
  await harness.sail(20, 12);
}, 400_000);

const later = (days: number) => ({
  clock: { now: (): Instant => instant(Date.parse(harness.clock.now()) + days * dayMs) },
});
const bodiesOf = async (number: string) => (await archive.replies(number)).map(({ body }) => body);

async function archives(): Promise<StoredArchive[]> {
  const all: StoredArchive[] = [];
  for await (const one of storedArchives(harness.database.sql, {})) all.push(one);
  return all;
}

/** Reads the evidence as the API and the pages do: provenance now and then, and every observation. */
async function reads(shipmentId: string) {
  const { sql } = harness.database;
  const reader = createProvenanceReader(sql);
  const position = { kind: "number", number: 1 } as const;
  const page = { size: 100, sortBy: "valid_from", descending: true, position } as const;
  const listAsOf = (asOf: Instant | undefined) => reader.list(harness.accountId, shipmentId, asOf, page);
  return {
    now: await listAsOf(undefined),
    earlier: await listAsOf(instant(Date.parse(harness.clock.now()) - 10 * dayMs)),
    observations: await findObservations(sql, { accountId: harness.accountId, id: shipmentId }, shipmentId),
  };
}

describe("an object store that fails", () => {
  const lost: ObjectStore["get"] = async () => null;
  const changed: ObjectStore["get"] = async (key) => {
    const bytes = (await archive.store.get(key)) ?? new Uint8Array();
    return Uint8Array.from(bytes, (byte, index) => (index === 40 ? byte ^ 1 : byte));
  };
  const refuses: ObjectStore["put"] = () => Promise.reject(new Error("No space."));

  test.each([
    ["refuses the object", { put: refuses }],
    ["has lost the object", { get: lost }],
    ["returns another object", { get: changed }],
  ])("keeps all bodies in the database when it %s", async (_, failure) => {
    await archive.stop(numbers.broken);
    const before = await archive.replies(numbers.broken);
    const lines = await archive.pass({ ...later(31), store: { ...archive.store, ...failure } });
    expect(lines).toContain("archive.shipment_failed");
    expect(await archive.replies(numbers.broken)).toEqual(before);
    const { count } = await harness.row<{ count: number }>(
      "SELECT count(*)::int AS count FROM reply_archives WHERE stored_at IS NULL",
    );
    expect(count).toBe(0);
  });

  test("shows as a damaged archive, which is not restored", async () => {
    await archive.pass(later(31));
    const { id } = await harness.row<{ id: string }>(
      "SELECT id FROM shipments WHERE normalized_number = $1",
      numbers.broken,
    );
    const stored = (await archives()).find(({ shipmentId }) => shipmentId === id);
    if (stored === undefined) throw new Error("It is not archived.");
    const file = path.join(archive.folder, stored.objectKey);
    const bytes = fs.readFileSync(file);
    fs.writeFileSync(file, bytes.subarray(0, -1));
    await expect(verifyArchive(harness.database, archive.store, stored)).rejects.toThrow("differs from its checksum");
    await expect(restore(harness.database, archive.store, stored)).rejects.toThrow("differs from its checksum");
    expect((await bodiesOf(numbers.broken)).every((body) => body === null)).toBe(true);
    fs.writeFileSync(file, bytes);
    expect(await archive.replay(numbers.broken)).toMatchObject({ differences: [] });
  });
});

describe("a finished shipment", () => {
  test("is archived so many days after the end of tracking, reads as before and is replayed without a difference", async () => {
    const shipmentId = await archive.stop(numbers.finished);
    // Objects that a failing store was given are deleted.
    await archive.removeObjects();
    const others = archive.files();
    const [before, reading] = [await archive.replies(), await reads(shipmentId)];
    expect(await archive.pass(later(29))).not.toContain("archived");
    expect(await archive.replies()).toEqual(before);

    expect(await archive.pass(later(31))).toContain("archive.shipments_archived");
    expect(archive.files()).toHaveLength(others.length + 1);
    expect((await bodiesOf(numbers.finished)).every((body) => body === null)).toBe(true);
    expect((await bodiesOf(numbers.running)).every((body) => body !== null)).toBe(true);
    expect(await reads(shipmentId)).toEqual(reading);
    expect(await archive.replay()).toMatchObject({ shipments: 4, differences: [], notReadAgain: 0 });
    await expect(archive.replay(numbers.finished, false)).rejects.toThrow("is archived: set SVC_ARCHIVE_URL");

    // Nothing is left to do.
    await archive.pass(later(31));
    expect(archive.files()).toHaveLength(others.length + 1);
    const stored = (await archives()).find((one) => one.shipmentId === shipmentId);
    if (stored === undefined) throw new Error("Nothing is archived.");
    expect(await verifyArchive(harness.database, archive.store, stored)).toHaveProperty("size", stored.replyCount);

    // Restored: every row as it was, and the object is deleted.
    expect(await restore(harness.database, archive.store, stored)).toBe(true);
    expect(await archive.replies()).toEqual(before);
    expect(await archive.replay(numbers.finished, false)).toMatchObject({ differences: [] });
    await archive.removeObjects();
    expect(archive.files()).toEqual(others);
    await expect(restore(harness.database, archive.store, stored)).rejects.toThrow("is missing");
  });

  test("whose tracking is resumed gets later replies, and a second object for them", async () => {
    const shipmentId = await archive.stop(numbers.resumed);
    await archive.pass(later(31));
    const first = (await bodiesOf(numbers.resumed)).length;
    const options = { now: harness.clock.now(), ifVersions: null };
    await harness.database.transaction((sql) => resumeTracking(sql, harness.accountId, shipmentId, options));
    await harness.sail(15, 12);
    const bodies = await bodiesOf(numbers.resumed);
    expect(bodies.slice(first).length).toBeGreaterThan(0);
    expect(bodies.slice(0, first).every((body) => body === null)).toBe(true);
    expect(bodies.slice(first).every((body) => body !== null)).toBe(true);
    expect(await archive.replay(numbers.resumed)).toMatchObject({ differences: [], notReadAgain: 0 });

    await archive.stop(numbers.resumed);
    await archive.pass(later(31));
    expect((await bodiesOf(numbers.resumed)).every((body) => body === null)).toBe(true);
    const ownArchives = (await archives()).filter((one) => one.shipmentId === shipmentId);
    expect(ownArchives).toHaveLength(2);
    expect(await archive.replay(numbers.resumed)).toMatchObject({ differences: [], notReadAgain: 0 });
  });
});

test("a shipment in several objects is archived to its end after a failure between two of them", async () => {
  const shipmentId = await archive.stop(numbers.running);
  for (const one of await archives())
    if (one.shipmentId === shipmentId) await restore(harness.database, archive.store, one);
  const until = later(1).clock.now();
  const find = async () => {
    const all = await finishedShipments(harness.database.sql, firstFinished, until);
    return all.find(({ id }) => id === shipmentId) as FinishedShipment;
  };
  let puts = 0;
  const failing: ObjectStore = {
    ...archive.store,
    put: (...object) => {
      puts += 1;
      return puts === 2 ? Promise.reject(new Error("No space.")) : archive.store.put(...object);
    },
  };
  await expect(archiveShipment(harness.database, failing, await find(), 1)).rejects.toThrow("No space.");
  const { length } = (await bodiesOf(numbers.running)).filter((body) => body !== null);
  expect(length).toBeGreaterThan(1);
  expect(await archive.replay(numbers.running)).toMatchObject({ differences: [] });
  expect((await find()).isArchived).toBe(false);
  await archive.pass(later(31));
  expect((await bodiesOf(numbers.running)).every((body) => body === null)).toBe(true);
  expect((await find()).isArchived).toBe(true);
  expect(await archive.replay(numbers.running)).toMatchObject({ differences: [] });
});

test("the objects of an erased account are deleted, and those of others stay", async () => {
  await archive.removeObjects();
  const files = archive.files();
  expect(files.length).toBeGreaterThan(0);
  const other = await harness.newAccount();
  await archive.store.put(`${other}/s/x.jsonl.zst`, Buffer.from("x"));
  await harness.rows(
    `INSERT INTO reply_archives (account_id, id, shipment_id, stopped_at, object_key, object_sha256, object_bytes,
      reply_count, body_bytes, stored_at) VALUES ($1, $1, $1, now(), $2, '', 1, 0, 0, now())`,
    other,
    `${other}/s/x.jsonl.zst`,
  );
  await closeAccount(harness.database, other, 0);
  await eraseClosedAccount(harness.database, other);
  expect(archive.files()).toHaveLength(files.length + 1);
  expect(await archive.removeObjects()).toBe(1);
  expect(archive.files()).toEqual(files);
  expect(await harness.rows("SELECT FROM archive_removals")).toEqual([]);
});

test("shipments of an account that was closed and resumed are archived within a day", async () => {
  for (const one of await archives()) await restore(harness.database, archive.store, one);
  await closeAccount(harness.database, harness.accountId, 30);
  // The shipment of another account stopped after all of these: the first pass ends at it.
  await harness.rows(
    `INSERT INTO shipments (account_id, id, bill_of_lading_number, normalized_number, number_kind, shipping_line_scac,
      line_tracking_stopped_at, line_tracking_stopped_reason, created_at, updated_at)
     VALUES ($1, $1, 'X', 'X', 'bill_of_lading', 'MAEU', $2, 'cancelled_by_user', $2, $2)`,
    await harness.newAccount(),
    harness.clock.now(),
  );
  const { clock } = later(31);
  const count = () => undefined;
  const logger = createLogger({ service: "test", level: "silent" });
  const pass = createArchivePass({
    database: harness.database,
    store: archive.store,
    clock,
    afterDays: 30,
    logger,
    count,
  });
  await pass.run();
  expect(await archives()).toEqual([]);
  await resumeAccount(harness.database, harness.accountId);
  for (let hour = 1; hour < 24; hour++) await pass.run();
  expect(await archives()).toEqual([]);
  await pass.run();
  expect((await archives()).length).toBeGreaterThan(2);
});

test("shipments that cannot be archived do not prevent others from being archived, but a store that fails ends the pass", async () => {
  for (const one of await archives()) await restore(harness.database, archive.store, one);
  const finished = await finishedShipments(harness.database.sql, firstFinished, later(1).clock.now());
  const own = finished.filter(({ accountId }) => accountId === harness.accountId);
  const last = own.pop()?.id;
  expect(own).toHaveLength(3);
  let puts = 0;
  const put = () => {
    puts += 1;
    return Promise.reject(new Error("No space."));
  };
  await archive.pass({ ...later(31), store: { ...archive.store, put } });
  expect(puts).toBe(3);

  await harness.rows(
    `UPDATE raw_replies SET body = 'damaged' WHERE subject_id IN (
      SELECT id FROM tracking_subjects WHERE number = ANY($1::text[]))`,
    own.map(({ number }) => number),
  );
  const lines = await archive.pass(later(31));
  expect(lines.match(/archive\.shipment_failed/g)).toHaveLength(3);
  expect((await archives()).map(({ shipmentId }) => shipmentId)).toEqual([last]);
});
