import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { createSecretBox, uuidV7 } from "@svc/persistence";
import {
  claimConnectionTests,
  createCarrierConnectionRepository,
  finishConnectionTest,
} from "@svc/persistence/carrier-connections";
import { claimEdiSource, settleEdiSource } from "@svc/persistence/edi-files";
import { hashPassword } from "@svc/persistence/sessions";
import { openTestDatabase } from "@svc/persistence/testing";
import { connectQueues } from "@svc/queue";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { runCommand } from "./testing/run-command.ts";

const formerKey = randomBytes(32).toString("base64");
const newKey = randomBytes(32).toString("base64");
/** An instant of the type that the repositories take. */
const anInstant = "2026-11-23T00:00:00.000Z" as never;
const unknownId = "00000000-0000-7000-8000-000000000000";

const database = started(openTestDatabase);
let accountId: string;

const run = (args: readonly string[], environment: Record<string, string> = {}) =>
  runCommand(args, { databaseUrl: database.url, environment });
const rowsOf = (stdout: string) =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

beforeAll(async () => {
  accountId = rowsOf((await run(["accounts", "create", "Harbour Ltd"])).stdout)[0].id;
});

test("sources of EDI files are listed with the failure of the last poll", async () => {
  expect(await run(["edi", "sources"])).toMatchObject({ code: 0, stdout: "" });
  const source = { name: "partner", kind: "sftp", host: "sftp.example.com" } as const;
  const claim = await claimEdiSource(database.sql, source, 60_000);
  if (claim === null) throw new Error("The source is claimed.");
  expect(await claimEdiSource(database.sql, source, 60_000)).toBeNull();
  const error = { code: "host_key_mismatch", detail: "The key is another one." };
  await settleEdiSource(database.sql, claim, { nextPollInMs: 60_000, error, state: null });
  const { stdout } = await run(["edi", "sources"]);
  expect(rowsOf(stdout)).toEqual([
    expect.objectContaining({ ...source, errorCode: error.code, errorDetail: error.detail, lastSucceededAt: null }),
  ]);
});

describe("accounts and users", () => {
  test("replaces features, and rejects an unknown one with the existing names", async () => {
    const set = await run(["accounts", "features", accountId, "rail_deadlines"]);
    expect([set.code, rowsOf(set.stdout)[0].features]).toEqual([0, ["rail_deadlines"]]);
    const refused = await run(["accounts", "features", accountId, "rail_deadline"]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("container_route, rail_deadlines")]);
    expect(rowsOf((await run(["accounts", "features", accountId])).stdout)[0].features).toEqual([]);
    expect((await run(["accounts", "features", unknownId])).code).toBe(4);
    expect((await run(["accounts", "create", "Other", "--feature", "everything"])).code).toBe(2);
  });

  test("an invitation has the address of SVC_APP_URL, unless another is given", async () => {
    const invite = ["users", "invite", accountId, "new@example.com"];
    const configured = await run(invite, { SVC_APP_URL: "https://app.example/" });
    expect(configured.stdout).toMatch(/^https:\/\/app\.example\/join\/\S+\n$/);
    const overridden = await run([...invite, "--app-url", "https://b.example"], { SVC_APP_URL: "https://a.example" });
    expect(overridden.stdout).toMatch(/^https:\/\/b\.example\/join\//);
    const wrong = await run(invite, { SVC_APP_URL: "app.example" });
    expect([wrong.code, wrong.stderr]).toEqual([2, "svc-admin: SVC_APP_URL must be an http or https address.\n"]);
  });

  test("a user who forgot the password gets a link with the address of SVC_APP_URL", async () => {
    const email = `${uuidV7.next()}@example.com`;
    const memberships = { create: { accountId, role: "viewer" } };
    const user = { id: uuidV7.next(), email, passwordHash: "x", createdAt: new Date(), memberships };
    await database.prisma.user.create({ data: user });
    const reset = await run(["users", "reset", email.toUpperCase()], { SVC_APP_URL: "https://app.example/" });
    expect(reset.stdout).toMatch(/^https:\/\/app\.example\/login\/reset\/[\w-]{43}\n$/);
    expect(reset.stderr).toContain(`Within 30 minutes, once, for ${email}`);
    const unknown = await run(["users", "reset", "unknown@example.com"]);
    expect([unknown.code, unknown.stdout]).toEqual([4, ""]);
    const events = await database.prisma.auditEvent.findMany({ where: { accountId, subjectId: user.id } });
    expect(events).toMatchObject([{ actorType: "operator", action: "user.password_reset_requested" }]);
    const totp = { userId: user.id, sealedSecret: Buffer.from("x"), confirmedAt: new Date(), createdAt: new Date() };
    await database.prisma.userTotp.create({ data: totp });
    const off = await run(["users", "reset", email, "--totp"]);
    expect([off.code, off.stdout, off.stderr]).toEqual([0, "", `Turned off two-factor authentication of ${email}.\n`]);
    expect((await run(["users", "reset", email, "--totp"])).stderr).toContain("There was no");
    expect((await run(["users", "reset", "unknown@example.com", "--totp"])).code).toBe(4);
    const recorded = await database.prisma.auditEvent.findMany({ where: { accountId, subjectId: user.id } });
    expect(recorded.map(({ actorType, action }) => `${actorType} ${action}`)).toContain("operator user.totp_disabled");
    await database.prisma.userIdentity.create({
      data: { issuer: "https://id.example", subject: "1", userId: user.id, createdAt: new Date() },
    });
    await database.prisma.user.update({ where: { id: user.id }, data: { emailProvenAt: new Date() } });
    const unlinked = await run(["users", "reset", email, "--identities"]);
    const { emailProvenAt } = await database.prisma.user.findUniqueOrThrow({ where: { id: user.id } });
    expect(emailProvenAt).toBeNull();
    expect([unlinked.code, unlinked.stderr]).toEqual([
      0,
      `Unlinked ${email}. The next sign-in by a provider links it again.\n`,
    ]);
    expect((await run(["users", "reset", email, "--identities"])).stderr).toContain("There was no provider");
    expect((await run(["users", "reset", "unknown@example.com", "--identities"])).code).toBe(4);
    const changes = await database.prisma.auditEvent.findMany({
      where: { accountId, subjectId: user.id, action: "user.identity_unlinked" },
    });
    expect(changes).toMatchObject([{ actorType: "operator", changes: { issuer: { from: "https://id.example" } } }]);
    expect((await run(["users", "remove", accountId, user.id])).code).toBe(0);
  });

  test("the sign-in rules of an account are set and lifted one by one", async () => {
    const set = async (...rules: string[]) => {
      const { code, stdout } = await run(["accounts", "sign-in-rules", accountId, ...rules]);
      const [{ requiresSingleSignOn, requiresTwoFactor }] = rowsOf(stdout);
      return [code, requiresSingleSignOn, requiresTwoFactor];
    };
    expect(await set("--two-factor", "required", "--single-sign-on", "required")).toEqual([0, true, true]);
    expect(await set("--two-factor", "optional")).toEqual([0, true, false]);
    expect(await set("--single-sign-on", "optional")).toEqual([0, false, false]);
    expect((await run(["accounts", "sign-in-rules", unknownId, "--two-factor", "optional"])).code).toBe(4);
    const events = await database.prisma.auditEvent.findMany({
      where: { accountId, action: "account.updated" },
      orderBy: { id: "desc" },
      take: 1,
    });
    expect(events).toMatchObject([
      { actorType: "operator", changes: { requires_single_sign_on: { from: true, to: false } } },
    ]);
  });

  test("users are listed and removed, except the last owner", async () => {
    const addUser = async (email: string, role: string): Promise<string> => {
      const id = uuidV7.next();
      const passwordHash = await hashPassword("a long password");
      await database.prisma.user.create({
        data: { id, email, passwordHash, createdAt: new Date(), memberships: { create: { accountId, role } } },
      });
      return id;
    };
    const owner = await addUser("owner@example.com", "owner");
    const member = await addUser("member@example.com", "developer");
    const listed = async () => rowsOf((await run(["users", "list", "--account", accountId])).stdout);
    expect((await listed()).map(({ email, role }) => [email, role])).toEqual([
      ["owner@example.com", "owner"],
      ["member@example.com", "developer"],
    ]);
    expect(JSON.stringify(await listed())).not.toContain("scrypt");
    const tokenSha256 = Buffer.from(member);
    const token = { id: uuidV7.next(), name: "Import", hint: "abcd", tokenSha256, createdByUserId: member };
    const left = { ...token, id: uuidV7.next(), tokenSha256: Buffer.from(owner), createdByUserId: owner };
    for (const one of [token, left]) {
      await database.prisma.apiToken.create({ data: { ...one, accountId, scopes: ["read"], createdAt: new Date() } });
    }
    const last = await run(["users", "remove", accountId, owner]);
    expect([last.code, last.stderr]).toEqual([1, expect.stringContaining("is the last owner of the account")]);
    const removed = await run(["users", "remove", accountId, member, "--revoke-tokens"]);
    expect([removed.code, removed.stderr]).toEqual([0, expect.stringContaining("Revoked 1 API tokens of member@")]);
    const revoked = await database.prisma.apiToken.findMany({ where: { accountId, revokedAt: { not: null } } });
    expect(revoked.map(({ id }) => id)).toEqual([token.id]);
    expect((await run(["users", "remove", accountId, member])).code).toBe(4);
    expect((await listed()).map(({ id }) => id)).toEqual([owner]);
  });
});

describe("carriers and secrets", () => {
  let connectionId: string;
  const connections = (key: string) => createCarrierConnectionRepository(database.tenantSql, createSecretBox(key));
  const find = (key: string) => connections(key).find(accountId, connectionId);

  beforeAll(async () => {
    connectionId = uuidV7.next();
    const credentials = { kind: "api_key", headers: { "Consumer-Key": "c4rrier" } } as const;
    const connection = { id: connectionId, scac: "SBXL", credentials, active: true, pushSecret: "p5sh" };
    await connections(formerKey).create(accountId, connection, anInstant);
  });

  test("connections are listed without credentials, paused and resumed", async () => {
    const list = await run(["carriers", "list"]);
    expect(rowsOf(list.stdout)).toEqual([expect.objectContaining({ id: connectionId, scac: "SBXL", isActive: true })]);
    expect(list.stdout).not.toMatch(/c4rrier|sealed/);
    for (const [command, isActive] of [
      ["pause", false],
      ["pause", false],
      ["resume", true],
    ] as const) {
      const { code, stdout } = await run(["carriers", command, connectionId]);
      expect([command, code, rowsOf(stdout)[0].isActive]).toEqual([command, 0, isActive]);
      expect((await find(formerKey))?.active).toBe(isActive);
    }
    expect((await run(["carriers", "pause", unknownId])).code).toBe(4);
  });

  test("a test call is made by a worker; without one there is an error", async () => {
    const missing = await run(["carriers", "test", connectionId, "--wait", "1"]);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("No tracking worker made the test")]);
    const outcome = { testedAt: anInstant, explanation: "x", httpStatus: 401, durationMs: 5 } as const;
    const respondOnce = async () => {
      const claimOne = () => claimConnectionTests(database.sql, { limit: 1, leaseMs: 10_000 });
      const claim = await eventually("the requested test", async () => (await claimOne())[0]);
      await finishConnectionTest(database.sql, claim, { ...outcome, code: "credentials_rejected" });
    };
    await respondOnce();
    const testing = run(["carriers", "test", connectionId, "--wait", "60"]);
    await respondOnce();
    const { code, stdout } = await testing;
    expect([code, rowsOf(stdout)[0].lastTest.code]).toEqual([1, "credentials_rejected"]);
  });

  test("rotation re-encrypts with the new key, so that the former one is no longer needed", async () => {
    const one = await run(["secrets", "rotate"], { SVC_SECRET_KEY: newKey });
    expect([one.code, one.stderr]).toEqual([2, expect.stringContaining("one key only")]);
    const foreign = randomBytes(32).toString("base64");
    const wrong = await run(["secrets", "rotate"], { SVC_SECRET_KEY: `${newKey},${foreign}` });
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("opens none of the stored secrets")]);
    const rotated = await run(["secrets", "rotate"], { SVC_SECRET_KEY: `${newKey},${formerKey}` });
    expect([rotated.code, rotated.stderr]).toEqual([0, expect.stringContaining("the secrets of 1 records")]);
    expect((await find(newKey))?.pushSecret).toBe("p5sh");
  });
});

describe("queues, migrations and doctor", () => {
  test("waiting jobs are counted and drained", async () => {
    const environment = { SVC_QUEUE_URL: database.url };
    const queues = connectQueues({ url: database.url, prefix: "svc", onError: () => undefined });
    await queues.enqueue("webhook-deliveries", [{ accountId, claimId: unknownId }]);
    const listed = await run(["queues", "list"], environment);
    expect(rowsOf(listed.stdout)).toContainEqual({ queue: "webhook-deliveries", waitingJobs: 1 });
    expect(listed.stderr).toContain("0 pending notifications");
    expect((await run(["queues", "drain", "webhook-deliveries"], environment)).code).toBe(2);
    const drained = await run(["queues", "drain", "webhook-deliveries", "--yes"], environment);
    expect([drained.code, drained.stderr]).toEqual([0, "Removed 1 waiting jobs of webhook-deliveries.\n"]);
    expect(await queues.depth("webhook-deliveries")).toBe(0);
    await queues.close();
    expect((await run(["queues", "list"])).stderr).toContain("SVC_QUEUE_URL is missing");
    const dead = await run(["queues", "list"], { SVC_QUEUE_URL: "redis://127.0.0.1:1" });
    expect([dead.code, dead.stderr]).toEqual([1, expect.stringContaining("The job queue does not respond")]);
    const nameless = { SVC_QUEUE_URL: "redis+sentinel://:hunter2@one,two" };
    const reason = "SVC_QUEUE_URL is not valid: the name of the master must follow the sentinels";
    const refused = await run(["queues", "list"], nameless);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(reason)]);
    const diagnosed = rowsOf((await run(["doctor"], nameless)).stdout);
    expect(diagnosed.find(({ check }) => check === "job queue")?.detail).toContain(reason);
  });

  test("doctor reports no fault on a valid database", async () => {
    const environment = { SVC_QUEUE_URL: database.url, SVC_SECRET_KEY: newKey };
    const { code, stdout } = await run(["doctor"], environment);
    expect(rowsOf(stdout).map(({ check, status }) => [check, status])).toEqual([
      ["connection", "ok"],
      ["version", "ok"],
      ["clock", "ok"],
      ["rights", "ok"],
      ["disk", "ok"],
      ["migrations", "ok"],
      ["tenant role", "ok"],
      ["job queue", "ok"],
      ["secret key", "ok"],
    ]);
    expect(code).toBe(0);
  });

  test("doctor names each fault with what to do, and migrations exits with 1", async () => {
    const broken = await openTestDatabase();
    const role = `doctor_${uuidV7.next().replaceAll("-", "")}`;
    await broken.pool.query(`CREATE ROLE ${role} LOGIN; GRANT SELECT ON _prisma_migrations TO ${role}`);
    await broken.pool.query("UPDATE _prisma_migrations SET finished_at = NULL");
    const url = Object.assign(new URL(broken.url), { username: role }).href;
    try {
      const environment = { SVC_QUEUE_URL: "redis://127.0.0.1:1", SVC_SECRET_KEY: "short" };
      const { code, stdout } = await runCommand(["doctor"], { databaseUrl: url, environment });
      const failures = new Map(
        rowsOf(stdout).flatMap(({ check, status, detail }) => (status === "failed" ? [[check, detail] as const] : [])),
      );
      expect([...failures.keys()]).toEqual(["rights", "migrations", "job queue", "secret key"]);
      expect(failures.get("rights")).toContain(`GRANT svc_tenant TO "${role}"`);
      expect(failures.get("secret key")).toBe(
        "SVC_SECRET_KEY must be 32 bytes in base64, or several such keys separated by commas.",
      );
      expect(code).toBe(1);
      const status = await runCommand(["migrations"], { databaseUrl: url });
      expect([status.code, status.stderr]).toEqual([1, expect.stringContaining("was not finished")]);
      expect((await run(["migrations"])).code).toBe(0);
    } finally {
      await broken.pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
      await broken.close();
    }
    const gone = await runCommand(["doctor"], { databaseUrl: "postgresql://svc@127.0.0.1:1/svc" });
    expect(gone.code).toBe(1);
    expect(gone.stdout).toContain("ECONNREFUSED");
  });
});
