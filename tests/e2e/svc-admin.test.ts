import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type ApiProcess, startApiProcess } from "./harness/api-process.ts";
import { adminProgram, startCommand, svcSource } from "./harness/command-line.ts";
import { temporaryFolder } from "./harness/system.ts";

let api: ApiProcess;
let folder: string;
beforeAll(async () => {
  folder = temporaryFolder();
  api = await startApiProcess();
  await api.addShipment(api.tenants[0], { number: "MAEU262175000", containers: ["MSKU0000006"] });
}, 240_000);
afterAll(async () => {
  await api?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const access = () => ({ SVC_API_TOKEN: api.tenants[0].token, SVC_API_BASE_URL: api.baseUrl, HOME: folder });
const svc = (args: readonly string[], environment: Record<string, string> = access()) =>
  startCommand(svcSource, args, { environment, cwd: folder }).outcome;

describe("svc-admin", () => {
  test("makes an account and a token that works until it is revoked; svc admin is the same", async () => {
    const url = await api.database.pool.query("SELECT current_database() AS name");
    const databaseUrl = new URL(process.env.TEST_POSTGRES_URL ?? "");
    databaseUrl.pathname = `/${url.rows[0].name}`;
    const admin = (args: readonly string[]) =>
      startCommand(adminProgram, args, { environment: { DATABASE_URL: databaseUrl.href }, cwd: folder }).outcome;
    const account = JSON.parse((await admin(["accounts", "create", "Kite Lines"])).stdout);
    const created = await admin(["tokens", "create", account.id, "--scope", "read"]);
    expect(created.stdout).toMatch(/^svc_live_[0-9a-f]{40}\n$/);
    const environment = { ...access(), SVC_API_TOKEN: created.stdout.trim() };
    expect(JSON.parse((await svc(["shipments", "list"], environment)).stdout).items).toEqual([]);
    expect((await svc(["parties", "create", "Acme"], environment)).code).toBe(3);
    const bin = path.join(folder, "bin");
    fs.mkdirSync(bin);
    fs.symlinkSync(adminProgram, path.join(bin, "svc-admin"));
    const viaSvc = { DATABASE_URL: databaseUrl.href, HOME: folder, PATH: `${bin}:${process.env.PATH}` };
    const [token] = (await svc(["admin", "tokens", "list", "--account", account.id], viaSvc)).stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(token).toMatchObject({ scopes: ["read"], revokedAt: null });
    expect(JSON.stringify(token)).not.toContain(created.stdout.trim());
    expect((await admin(["tokens", "revoke", token.id])).code).toBe(0);
    expect((await svc(["shipments", "list"], environment)).code).toBe(3);
    expect((await admin(["tokens", "revoke", "0197a1b2-0000-7000-8000-000000000001"])).code).toBe(4);
    expect((await svc(["admin", "tokens", "list"])).code).toBe(2);
    const invite = (id: string, ...rest: string[]) => admin(["users", "invite", id, "anna@example.test", ...rest]);
    const { stdout: link } = await invite(account.id, "--app-url", "https://tracking.example/");
    expect(link).toMatch(/^https:\/\/tracking\.example\/join\/[\w-]{43}\n$/);
    expect(await api.database.prisma.invitation.findMany()).toMatchObject([{ accountId: account.id, role: "owner" }]);
    expect((await invite("0197a1b2-0000-7000-8000-000000000001")).code).toBe(4);
    expect((await admin(["users", "invite", account.id, "nonsense"])).code).toBe(2);
    expect((await admin(["users", "reset", "unknown@example.test"])).code).toBe(4);
    const replay = await admin(["replay", "--verify", "--account", account.id]);
    expect(replay).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("0 shipments") });
    // A value that no reply reports does not follow from any.
    const differing = await admin(["replay", "--verify", "--subject", "MAEU262175000"]);
    expect([differing.code, JSON.parse(differing.stdout.split("\n")[0] ?? "").shipment]).toEqual([1, "MAEU262175000"]);
    expect((await admin(["replay"])).code).toBe(2);
  }, 240_000);
});
