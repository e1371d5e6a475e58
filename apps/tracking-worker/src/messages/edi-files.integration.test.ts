import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { beforeEach, expect, test } from "@jest/globals";
import { createStoredReplyReader } from "@svc/carriers";
import { loadPlaceDirectory } from "@svc/persistence/reference-data";
import { verify } from "@svc/replay";
import { createLogger } from "@svc/service-kit";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { startEdiFolder } from "../edi-folder/start-edi-folder.ts";
import { envelope, loaded, loadedAll } from "../testing/edi-texts.ts";
import { processMessages, sendEdi, startMessages, storeEdi } from "../testing/send-message.ts";
import { carrierScac, setUpTracking } from "../testing/tracking-setup.ts";

let accountId: string;
const setup = started(setUpTracking);
beforeEach(async () => {
  await setup.reset();
  accountId = await setup.newAccount();
});

const departed = (number: string): string =>
  [
    "UNB+UNOC:3+LINE+IMPORTER+260105:1130+6771",
    "UNH+1+IFTSTA:D:99B:UN",
    "BGM+23+315+9",
    `NAD+CA+${carrierScac}:160:87`,
    `RFF+BM:${number}`,
    "CNI+1",
    "STS+1+VD::22",
    "DTM+334:202601040215:203",
    "LOC+175+CNSHA:139:6:SHANGHAI",
    "TDT+20+230W+1++:172+++9321483:146:11:EMMA MAERSK",
    "EQD+CN+MSKU0000006+45G1:102:5+++5",
    "UNT+11+1",
    "UNZ+1+6771",
  ]
    .map((segment) => `${segment}'\n`)
    .join("");

const factOf = (field: string) =>
  setup.rows<{ value: unknown }>(
    "SELECT value FROM field_facts WHERE account_id = $1 AND field = $2 AND superseded_at IS NULL",
    accountId,
    field,
  );
const observations = async () =>
  (await setup.rows("SELECT id FROM observations WHERE account_id = $1", accountId)).length;

test("a 315 and an IFTSTA create the shipment and its departure, and replay finds no difference", async () => {
  const id = await setup.request("EDI1", { accountId });
  const first = await sendEdi(setup, { accountId, text: envelope("000000017", loaded("EDI1")) });
  expect(first).toMatchObject({ status: "applied", sender: "LINE", control_number: "000000017", duplicate_of: null });
  expect(first.result).toMatchObject({ syntax: "x12", messages: 1, events: 2, applied: 2, untracked: 0, newFacts: 2 });
  expect(await setup.row("SELECT status FROM tracking_requests WHERE id = $1", id)).toEqual({ status: "created" });
  const second = await sendEdi(setup, { accountId, text: departed("EDI1") });
  expect(second.result).toMatchObject({ syntax: "edifact", applied: 1, newFacts: 1 });
  expect(await factOf("polAtdAt")).toEqual([{ value: "2026-01-03T18:15:00.000Z" }]);
  const [raw] = await setup.rows("SELECT channel, url FROM raw_replies WHERE account_id = $1 ORDER BY id", accountId);
  expect(raw).toEqual({ channel: "edi", url: `edi:${first.id}` });
  const places = await loadPlaceDirectory(setup.database.sql);
  const read = createStoredReplyReader([], places);
  const differences: unknown[] = [];
  const total = await verify(setup.database, { subject: "EDI1" }, { read, places }, (one) => differences.push(one));
  expect(differences).toEqual([]);
  expect(total).toMatchObject({ shipments: 1, notReadAgain: 0 });
  // The same file again: read again, and nothing changes.
  const stored = await observations();
  const repeated = await sendEdi(setup, { accountId, text: envelope("000000017", loaded("EDI1")) });
  expect(repeated).toMatchObject({ id: first.id, status: "applied", result: { applied: 2, newFacts: 0 } });
  expect(await observations()).toBe(stored);
});

test("another file with the same sender and control number is applied and names the earlier one", async () => {
  await setup.request("EDI2", { accountId });
  const first = await sendEdi(setup, { accountId, text: envelope("000000018", loaded("EDI2")) });
  const other = envelope("000000018", [...loaded("EDI2"), "N9*BN*EDI2"]);
  expect(await sendEdi(setup, { accountId, text: other })).toMatchObject({
    status: "applied",
    duplicate_of: first.id,
  });
});

const billsOf = async (table: "shipments" | "raw_replies" | "observations") =>
  (await setup.rows(`SELECT id FROM ${table} WHERE account_id = $1`, accountId)).length;

test("retries the one subject that fails and applies the others of its transaction", async () => {
  const numbers = Array.from({ length: 10 }, (_, index) => `GROUP${index}`);
  for (const number of numbers) await setup.request(number, { accountId });
  await setup.rows("ALTER TABLE shipments ADD CONSTRAINT fails CHECK (normalized_number <> 'GROUP3')");
  const text = loadedAll("000000031", numbers);
  const messages = startMessages(setup);
  try {
    await storeEdi(setup, { accountId, text });
    messages.wake();
    await eventually("nine are applied", async () => (await billsOf("shipments")) === 9, 30_000);
    const [{ attempts } = { attempts: 0 }] = await setup.rows<{ attempts: number }>(
      "SELECT attempts FROM event_messages WHERE account_id = $1 AND due_at IS NOT NULL",
      accountId,
    );
    expect(attempts).toBeGreaterThan(0);
    expect([await billsOf("raw_replies"), await billsOf("observations")]).toEqual([9, 18]);
  } finally {
    await setup.rows("ALTER TABLE shipments DROP CONSTRAINT fails");
    await messages.stop();
  }
  const applied = await sendEdi(setup, { accountId, text });
  expect(applied).toMatchObject({ status: "applied", result: { applied: 20, faultCount: 0 } });
  expect([await billsOf("shipments"), await billsOf("raw_replies"), await billsOf("observations")]).toEqual([
    10, 10, 20,
  ]);
});

test("the events of a file are applied to the bill and to the container that are tracked, at once", async () => {
  await setup.request("SHARED1", { accountId });
  await setup.request("MSKU0000006", { accountId, requestType: "container" });
  const applied = await sendEdi(setup, { accountId, text: loadedAll("000000032", ["SHARED1"]) });
  expect(applied.result).toMatchObject({ events: 2, applied: 2, newFacts: 4, faultCount: 0 });
  expect(await billsOf("shipments")).toBe(2);
});

test("the code of a brand finds what is tracked at its line", async () => {
  await setup.request("BRAND1", { accountId });
  const text = envelope("000000033", loaded("BRAND1")).replace(`N9*SCA*${carrierScac}`, "N9*SCA*SUDU");
  expect((await sendEdi(setup, { accountId, text })).result).toMatchObject({ events: 2, applied: 2, untracked: 0 });
  const byContainer = envelope("000000034", loaded("OTHER1", "VD")).replace(`N9*SCA*${carrierScac}`, "N9*SCA*SEAU");
  expect((await sendEdi(setup, { accountId, text: byContainer })).result).toMatchObject({ applied: 2, newFacts: 1 });
});

test("codes without a meaning are kept and shown; what is not tracked, or of no carrier, is counted", async () => {
  await setup.request("EDI3", { accountId });
  const unmapped = await sendEdi(setup, { accountId, text: envelope("1", loaded("EDI3", "Q9")) });
  expect(unmapped.result).toMatchObject({ unmapped: [{ kind: "315", code: "Q9", count: 1, line: 4 }], applied: 1 });
  const untrackedNumber = loaded("EDI4").map((segment) => segment.replace("MSKU*000000", "MSKU*000001"));
  const untracked = await sendEdi(setup, { accountId, text: envelope("2", untrackedNumber) });
  expect(untracked.result).toMatchObject({ events: 2, applied: 0, untracked: 2 });
  const anonymous = envelope(
    "3",
    loaded("EDI3").filter((segment) => !segment.startsWith("N9*SCA")),
  );
  const nameless = await sendEdi(setup, { accountId, text: anonymous });
  expect(nameless.result).toMatchObject({ events: 2, withoutCarrier: 2, applied: 0 });
  const named = await sendEdi(setup, { accountId, text: anonymous, scac: carrierScac });
  expect(named.result).toMatchObject({ withoutCarrier: 0, applied: 2 });
});

test("a file that is cut off, or no EDI, is rejected with the reason, and nothing of it is applied", async () => {
  await setup.request("EDI5", { accountId });
  const complete = envelope("4", loaded("EDI5"));
  for (const text of [complete.slice(0, -20), "\u0000\u0001\u0002 binary", "{}", ""]) {
    const rejected = await sendEdi(setup, { accountId, text });
    expect(rejected).toMatchObject({ status: "rejected", sender: null });
    expect(rejected.result).toMatchObject({ faultCount: 1, faults: [{ line: expect.any(Number) }], events: 0 });
  }
  expect(await observations()).toBe(0);
});

test("processes a file with characters that PostgreSQL cannot store, in a fault or in the names of an interchange", async () => {
  const refused = await sendEdi(setup, { accountId, text: departed("EDI7").replace("UNT+11+1", "UNT+11+\u0000") });
  const faults = [{ detail: expect.stringContaining("\uFFFD") }];
  expect(refused).toMatchObject({ status: "rejected", result: { faultCount: 1, faults } });
  const named = await sendEdi(setup, {
    accountId,
    text: departed("EDI8").replace("UNB+UNOC:3+LINE", "UNB+UNOC:3+LI\u0000NE"),
  });
  expect(named).toMatchObject({ status: "applied", sender: "LI\uFFFDNE" });
});

test("files in the folder are taken once they are complete, and one that is too large is rejected", async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "edi-"));
  const drop = path.join(folder, accountId, "standard");
  await fs.mkdir(drop, { recursive: true });
  await fs.mkdir(path.join(folder, "no account", "standard"), { recursive: true });
  await setup.request("EDI6", { accountId });
  const logger = createLogger({ service: "test", level: "silent" });
  await fs.writeFile(path.join(drop, "first.edi"), envelope("5", loaded("EDI6")));
  await fs.writeFile(path.join(drop, "second.edi"), departed("EDI6"));
  await fs.writeFile(path.join(drop, "third.edi.part"), envelope("6", loaded("EDI6")));
  await fs.symlink("/etc/hostname", path.join(drop, "link.edi"));
  const large = await fs.open(path.join(drop, "large.edi"), "w");
  await large.truncate(100 * 1024 * 1024);
  await large.close();
  const watching = startEdiFolder({ context: setup.context, folder, logger });
  const messages = startMessages(setup);
  try {
    await eventually(
      "the files are applied",
      async () => {
        messages.wake();
        const rows = await setup.rows<{ status: string }>(
          "SELECT status FROM edi_files WHERE account_id = $1",
          accountId,
        );
        return rows.length === 3 && rows.every(({ status }) => status !== "received");
      },
      30_000,
    );
  } finally {
    await watching.stop();
    await messages.stop();
  }
  await processMessages(setup);
  expect(await factOf("polAtdAt")).toEqual([{ value: "2026-01-03T18:15:00.000Z" }]);
  expect((await fs.readdir(drop)).toSorted()).toEqual(["link.edi", "received", "rejected", "third.edi.part"]);
  const [rejected] = await setup.rows("SELECT * FROM edi_files WHERE name = 'large.edi'");
  expect(rejected).toMatchObject({
    status: "rejected",
    size_bytes: 104_857_600,
    result: { faults: [{ detail: "The file has 100.0 MiB. Files of up to 20 MiB are read: split it." }] },
  });
  await fs.rm(folder, { recursive: true });
});

test("a file that cannot be moved is logged once, and moved with a shortened name once it can be", async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "edi-"));
  const drop = path.join(folder, accountId, "standard");
  await fs.mkdir(drop, { recursive: true });
  const name = `${"ü".repeat(120)}.edi`;
  await fs.writeFile(path.join(drop, name), envelope("8", loaded("EDI8")));
  // A file is in place of the folder of taken files.
  await fs.writeFile(path.join(drop, "received"), "in the way");
  const lines: string[] = [];
  const logger = createLogger({ service: "test", destination: { write: (line) => void lines.push(line) } });
  const warnings = () => lines.filter((line) => line.includes("edi_file.not_taken") && line.includes(name));
  let steps = 0;
  const step = () => {
    steps += 1;
  };
  const watched = { step, stop: () => {} };
  const watching = startEdiFolder({ context: setup.context, folder, logger, watched });
  try {
    await eventually("the file is logged", async () => warnings().length > 0, 30_000);
    const logged = steps;
    // Two files and the end of the scan are a step each.
    await eventually("two more scans", async () => steps >= logged + 6, 30_000);
    expect(warnings()).toHaveLength(1);
    await fs.rm(path.join(drop, "received"));
    await eventually("the file is moved", async () => !(await fs.readdir(drop)).includes(name), 30_000);
  } finally {
    await watching.stop();
  }
  const moved = await fs.readdir(path.join(drop, "received"));
  expect(moved).toEqual([expect.stringMatching(/^[0-9a-f-]{36}-ü+$/)]);
  expect(warnings()).toHaveLength(1);
  await fs.rm(folder, { recursive: true });
});
