import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { listEdiSources } from "@svc/persistence/edi-files";
import { createLogger } from "@svc/service-kit";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { startEdiSources } from "../edi-sources/start-edi-sources.ts";
import { startSftpFolder } from "../testing/sftp-folder.ts";
import { setUpTracking } from "../testing/tracking-setup.ts";
import { type SftpServer, SftpServerList } from "./sftp-server.ts";
import { sftpSource } from "./sftp-source.ts";

let accountId: string;
let folder: string;
const ended: (() => Promise<void>)[] = [];
const setup = started(setUpTracking);
beforeEach(async () => {
  accountId = await setup.newAccount();
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "edi-sftp-"));
});
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
  await setup.rows("DELETE FROM edi_sources");
  await fs.rm(folder, { recursive: true });
});

const interchange = (controlNumber: number): string =>
  `UNB+UNOC:3+LINE+IMPORTER+260105:1130+${controlNumber}'UNZ+0+${controlNumber}'`;
const name = "partner";

async function serverOn(options: { mayRename?: boolean } = {}, own: Partial<SftpServer> = {}) {
  const partner = await startSftpFolder(folder, options);
  ended.push(() => partner.stop());
  const { username, password } = partner.user;
  const address = {
    name,
    host: "127.0.0.1",
    port: partner.port,
    username,
    hostKey: partner.hostKey,
    accountId,
    folder: "/",
  };
  const [server] = SftpServerList.parse(JSON.stringify([{ ...address, password, ...own }]));
  if (server === undefined) throw new Error("There is no server.");
  return { partner, server };
}

/** Polls as a worker does; a server is due again as soon as it was polled. */
function startPolling(server: SftpServer, lines: string[] = []): void {
  const logger = createLogger({ service: "test", destination: { write: (line) => void lines.push(line) } });
  const polling = startEdiSources({ context: setup.context, sources: [sftpSource(server)], logger, everyMs: 50 });
  ended.push(() => polling.stop());
}
const makeDue = () => setup.rows("UPDATE edi_sources SET next_poll_at = now()");
const state = async () => (await listEdiSources(setup.database.sql))[0];
const files = () =>
  setup.rows<{ id: string; name: string; status: string; source: string }>(
    "SELECT id, name, status, source FROM edi_files WHERE account_id = $1 ORDER BY name",
    accountId,
  );
/** Polls repeatedly until the condition holds. */
const polledUntil = (what: string, condition: () => Promise<boolean>) =>
  eventually(
    what,
    async () => {
      await makeDue();
      return condition();
    },
    60_000,
  );
const failedWith = (code: string) => polledUntil(code, async () => (await state())?.errorCode === code);

test("two workers take each complete file of a server once, and move it", async () => {
  const { server, partner } = await serverOn();
  for (let n = 0; n < 12; n++) await fs.writeFile(path.join(folder, `status-${n}.edi`), interchange(n));
  await fs.writeFile(path.join(folder, "partial.edi.part"), "UNB+");
  await fs.writeFile(path.join(folder, ".hidden"), "UNB+");
  await fs.symlink("/etc/hostname", path.join(folder, "link.edi"));
  const lines: string[] = [];
  startPolling(server, lines);
  startPolling(server, lines);
  await polledUntil(
    "twelve files are moved",
    async () => (await fs.readdir(path.join(folder, "received")).catch(() => [])).length === 12,
  );
  await polledUntil("the poll ended", async () => (await state())?.receivedCount === 12);
  const stored = await files();
  expect(stored.map((file) => [file.source, file.name])).toEqual(
    Array.from({ length: 12 }, (_, n) => ["sftp", `status-${n}.edi`]).toSorted((a, b) =>
      (a[1] ?? "") < (b[1] ?? "") ? -1 : 1,
    ),
  );
  expect((await fs.readdir(path.join(folder, "received"))).toSorted()).toEqual(
    stored.map(({ id, name: fileName }) => `${id}-${fileName}`).toSorted(),
  );
  expect((await fs.readdir(folder)).toSorted()).toEqual([".hidden", "link.edi", "partial.edi.part", "received"]);
  expect(lines.filter((line) => line.includes("edi_file.received"))).toHaveLength(12);
  expect(lines.join("")).not.toContain(partner.user.password);
  await fs.rename(path.join(folder, "partial.edi.part"), path.join(folder, "partial.edi"));
  await polledUntil("the renamed file is taken", async () => (await files()).length === 13);
});

test("a file that grows is not taken before it stays the same between two polls", async () => {
  const { server } = await serverOn();
  const growing = path.join(folder, "growing.edi");
  await fs.writeFile(growing, interchange(1));
  startPolling(server);
  const pollAfter = async (before: string | null): Promise<string | null> => {
    const attemptedAt = async () => (await state())?.lastAttemptedAt ?? null;
    await eventually("the next poll", async () => (await attemptedAt()) !== before, 30_000);
    return attemptedAt();
  };
  let last = await pollAfter(null);
  for (let part = 2; part < 5; part++) {
    expect(await files()).toEqual([]);
    await fs.appendFile(growing, interchange(part));
    await makeDue();
    last = await pollAfter(last);
  }
  expect(await files()).toEqual([]);
  await makeDue();
  await pollAfter(last);
  expect(await files()).toMatchObject([{ name: "growing.edi" }]);
  const [received] = await fs.readdir(path.join(folder, "received"));
  expect(await fs.readFile(path.join(folder, "received", received ?? ""), "utf8")).toContain(interchange(4));
});

test("a private key signs in, and files of a server that is left as it is are taken once", async () => {
  const { server, partner } = await serverOn({ mayRename: false });
  const { password: _, ...withoutPassword } = server;
  const withKey = { ...withoutPassword, privateKey: partner.user.privateKey, afterwards: "keep" as const };
  await fs.writeFile(path.join(folder, "kept.edi"), interchange(1));
  const lines: string[] = [];
  startPolling(withKey, lines);
  await polledUntil("it is taken", async () => (await state())?.receivedCount === 1);
  const signIns = partner.signIns();
  await polledUntil("three more polls", async () => partner.signIns() >= signIns + 3);
  expect(lines.filter((line) => line.includes("edi_file.received"))).toHaveLength(1);
  expect(await fs.readdir(folder)).toEqual(["kept.edi"]);
  // Another content under the same name is another file.
  await fs.writeFile(path.join(folder, "kept.edi"), interchange(22_222));
  await polledUntil("the new content is taken", async () => (await files()).length === 2);
});

test("a file of 100 MB is recorded as rejected, unread, and moved aside", async () => {
  const { server } = await serverOn();
  const large = await fs.open(path.join(folder, "large.edi"), "w");
  await large.truncate(100 * 1024 * 1024);
  await large.close();
  startPolling(server);
  await polledUntil(
    "it is moved",
    async () => (await fs.readdir(path.join(folder, "rejected")).catch(() => [])).length === 1,
  );
  expect(await files()).toMatchObject([{ name: "large.edi", status: "rejected", source: "sftp" }]);
});

describe("a server that fails is in a state that says why, and nothing is stored", () => {
  beforeEach(() => fs.writeFile(path.join(folder, "status.edi"), interchange(1)));
  test("another host key: nothing secret is sent", async () => {
    const { server, partner } = await serverOn();
    startPolling({ ...server, hostKey: `SHA256:${"A".repeat(43)}` });
    await failedWith("host_key_mismatch");
    expect((await state())?.errorDetail).toContain(partner.hostKey);
    expect([partner.signIns(), await files()]).toEqual([0, []]);
  });
  test.each<[string, Partial<SftpServer>]>([
    ["authentication_failed", { password: "wrong" }],
    ["folder_not_found", { folder: "/missing" }],
    ["connection_refused", { port: 1 }],
    ["name_not_resolved", { host: "sftp.invalid" }],
  ])("%s", async (code, changed) => {
    const { server } = await serverOn();
    const lines: string[] = [];
    startPolling({ ...server, ...changed }, lines);
    await failedWith(code);
    expect(await state()).toMatchObject({ lastSucceededAt: null, failingSince: expect.any(String), receivedCount: 0 });
    expect(lines.some((line) => line.includes("edi_source.poll_failed") && line.includes(code))).toBe(true);
    expect(lines.join("")).not.toContain(changed.password ?? server.password ?? "");
    expect(await files()).toEqual([]);
  });
  test("not_moved: the file is stored once, and moved when that is allowed", async () => {
    const { server, partner } = await serverOn({ mayRename: false });
    startPolling(server);
    await failedWith("not_moved");
    const signIns = partner.signIns();
    await polledUntil("two more polls", async () => partner.signIns() >= signIns + 2);
    expect([await files(), (await state())?.receivedCount]).toMatchObject([[{ name: "status.edi" }], 1]);
    const { partner: allowing } = await serverOn();
    for (const end of ended.splice(1, 1)) await end();
    startPolling({ ...server, port: allowing.port, hostKey: allowing.hostKey, password: allowing.user.password });
    await polledUntil(
      "it is moved",
      async () => (await state())?.errorCode === null && (await fs.readdir(folder)).join() === "received",
    );
    expect((await state())?.receivedCount).toBe(1);
  });
  test("account_inactive", async () => {
    const { server } = await serverOn();
    await setup.rows("UPDATE accounts SET suspended_at = now() WHERE id = $1", accountId);
    startPolling(server);
    await failedWith("account_inactive");
  });
});

test("an invalid configuration names the member and shows no secret", () => {
  const good = {
    name,
    host: "h",
    username: "u",
    password: "very secret",
    hostKey: `SHA256:${"A".repeat(43)}`,
    accountId,
  };
  const problems = (value: unknown) =>
    SftpServerList.safeParse(typeof value === "string" ? value : JSON.stringify(value))
      .error?.issues.map(({ message }) => message)
      .join("\n") ?? "";
  expect(problems([good])).toBe("");
  expect(problems("{")).toBe("is not JSON");
  expect(problems([good, good])).toContain("names must be unique");
  expect(problems([{ ...good, hostKey: "very secret" }])).toContain("at 0.hostKey: must be a fingerprint");
  expect(problems([{ ...good, password: undefined }])).toContain("at 0: needs either password or privateKey");
  expect(problems([{ ...good, password: undefined, privateKey: "very secret" }])).toContain(
    "at 0.privateKey: is no private key",
  );
  expect(problems([{ ...good, partner: "unknown" }])).toContain("at 0.partner: is no partner profile");
  for (const wrong of [{ hostKey: "very secret" }, { accountId: "very secret" }, { scac: "very secret" }])
    expect(problems([{ ...good, ...wrong }])).not.toContain("very secret");
});
