import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { archiveShipment } from "@svc/archive";
import { uuidV7 } from "@svc/persistence";
import { finishedShipments, firstFinished } from "@svc/persistence/reply-archives";
import { openTestDatabase } from "@svc/persistence/testing";
import { started } from "@svc/testkit/started";
import { requireStore } from "./archive-store.ts";
import { runCommand } from "./testing/run-command.ts";

const body = JSON.stringify({ events: [] });
const number = "MAEU12345";

const database = started(openTestDatabase);
let folder: string;
let environment: Record<string, string>;
let accountId: string;

const run = (...args: readonly string[]) =>
  runCommand(["archive", ...args], { databaseUrl: database.url, environment });
const objects = (): string[] => fs.globSync("*/*/*", { cwd: folder });

/** A shipment whose tracking has stopped, with one stored reply. */
async function addShipment(account: string): Promise<void> {
  const [subjectId, hash] = [uuidV7.next(), createHash("sha256").update(body).digest()];
  const query = (text: string, ...values: unknown[]) => database.pool.query(text, [account, subjectId, ...values]);
  await database.pool.query("INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'Harbour', now())", [
    account,
  ]);
  await query(
    `INSERT INTO tracking_subjects (account_id, id, scac, kind, number, created_at)
     VALUES ($1, $2, 'MAEU', 'bill_of_lading', $3, now())`,
    number,
  );
  await query(
    `INSERT INTO shipments (account_id, id, subject_id, bill_of_lading_number, normalized_number, number_kind,
      shipping_line_scac, line_tracking_stopped_at, line_tracking_stopped_reason, created_at, updated_at)
     VALUES ($1, $3, $2, $4, $4, 'bill_of_lading', 'MAEU', now() - interval '90 days', 'cancelled_by_user', now(),
      now())`,
    uuidV7.next(),
    number,
  );
  await query(
    `INSERT INTO raw_replies (account_id, id, subject_id, channel, received_at, url, http_status, content_hash,
      event_count, body) VALUES ($1, $3, $2, 'poll', now(), 'https://carrier.test/', 200, $4, 1, $5)`,
    uuidV7.next(),
    hash,
    gzipSync(body),
  );
}

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-archive-"));
  environment = { SVC_ARCHIVE_URL: pathToFileURL(folder).href };
  accountId = uuidV7.next();
  for (const account of [accountId, uuidV7.next()]) await addShipment(account);
  const store = requireStore({ environment } as never);
  for (const shipment of await finishedShipments(database.sql, firstFinished, new Date().toISOString() as never))
    await archiveShipment(database, store, shipment);
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

describe("svc-admin archive", () => {
  test("lists the objects of an account and of a shipment", async () => {
    expect((await run("list")).stdout.trim().split("\n")).toHaveLength(2);
    const { code, stdout } = await run("list", "--account", accountId, "--shipment", number);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      expect.objectContaining({ accountId, replyCount: 1, bodyBytes: body.length }),
    ]);
    expect(await run("list", "--shipment", "MAEU99999")).toMatchObject({ code: 0, stdout: "" });
  });

  test("verifies each object, reports a damaged one with its key, and does not restore it", async () => {
    expect(await run("verify")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "2 objects are as they were written, 0 are missing or damaged.\n",
    });
    const [key = ""] = objects().filter((one) => one.startsWith(accountId));
    const file = path.join(folder, key);
    const bytes = fs.readFileSync(file);
    fs.writeFileSync(file, "x");
    for (const command of ["verify", "restore"]) {
      const { code, stdout } = await run(command, "--account", accountId);
      expect([code, JSON.parse(stdout)]).toEqual([
        1,
        expect.objectContaining({ objectKey: key, problem: `The object ${key} differs from its checksum.` }),
      ]);
    }
    fs.writeFileSync(file, bytes);
  });

  test("restores the replies of an account only", async () => {
    expect(await run("restore", "--account", accountId)).toMatchObject({ code: 0, stdout: "" });
    const { rows } = await database.pool.query<{ account_id: string; body: Buffer | null }>(
      "SELECT account_id, body FROM raw_replies",
    );
    expect(rows.filter((row) => row.body !== null).map((row) => row.account_id)).toEqual([accountId]);
    expect((await run("list")).stdout.trim().split("\n")).toHaveLength(1);
  });

  test("needs the variables of the object store, and repeats no secret", async () => {
    environment = {};
    expect(await run("verify")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("SVC_ARCHIVE_URL is missing"),
    });
    environment = { SVC_ARCHIVE_URL: "https://objects.example/bucket", SVC_ARCHIVE_SECRET_ACCESS_KEY: "hidden" };
    const refused = await run("verify");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("belong together") });
    expect(refused.stderr).not.toContain("hidden");
  });
});
