import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import { type PackedPackage, packAndInstall } from "../packages/packed-package.ts";
import { type ApiProcess, startApiProcess } from "./harness/api-process.ts";
import { onTerminal, startCommand } from "./harness/command-line.ts";
import { temporaryFolder } from "./harness/system.ts";

let api: ApiProcess;
let folder: string;
let packed: PackedPackage;
/** The published program, as `npx` runs it. */
let svcProgram: string;
let shipment: { id: string };

beforeAll(async () => {
  folder = temporaryFolder();
  packed = await packAndInstall("apps/cli");
  svcProgram = path.join(packed.consumer, "node_modules/.bin/svc");
  api = await startApiProcess();
  const [own] = api.tenants;
  shipment = await api.addShipment(own, {
    number: "MAEU262175000",
    containers: ["MSKU0000006", "CSQU3054383"],
    departedAt: new Date("2026-10-02T00:00:00Z"),
    dischargeLocode: "USLAX",
    refNumbers: ["PO-4711 \u001b[31mred\u001b[0m"],
  });
  for (let index = 0; index < 5; index++) await api.addShipment(own, { number: `SBXL90000${index}`, scac: "SBXL" });
}, 240_000);
afterAll(async () => {
  packed?.remove();
  await api?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const access = () => ({ SVC_API_TOKEN: api.tenants[0].token, SVC_API_BASE_URL: api.baseUrl, HOME: folder });
const svc = (args: readonly string[], environment: Record<string, string> = access(), input = "") =>
  startCommand(svcProgram, args, { environment, cwd: folder, input }).outcome;

describe("svc on a pipe", () => {
  test("exports all shipments, then those that changed, to stdout or a file", async () => {
    const all = await svc(["export", "shipments"]);
    const ids = all.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).id);
    expect([all.code, ids.length, ids.includes(shipment.id)]).toEqual([0, 6, true]);
    const [, since = ""] = /--since (\S+)/.exec(all.stderr) ?? [];
    await svc(["shipments", "edit", "MAEU262175000", "--tag", "exported"]);
    const file = path.join(folder, "changes.csv");
    await eventually("the change is exported", async () => {
      const changes = await svc(["export", "shipments", "--format", "csv", "--since", since, "--output", file]);
      expect([changes.code, changes.stdout]).toEqual([0, ""]);
      return fs.readFileSync(file, "utf8").includes("exported");
    });
    const [header, ...rows] = fs.readFileSync(file, "utf8").trimEnd().split("\r\n");
    expect([header?.startsWith("id,"), rows.length, rows[0]?.startsWith(shipment.id)]).toEqual([true, 1, true]);
    fs.rmSync(file);
    const refused = await svc(["export", "shipments", "--since", "nonsense", "--output", file]);
    expect([refused.code, fs.existsSync(file), fs.existsSync(`${file}.partial`)]).toEqual([5, false, false]);
  });

  test("lists, filters and shows JSON, mapped or raw", async () => {
    const mapped = await svc(["shipments", "list", "--carrier", "SBXL", "--page-size", "2"]);
    expect(mapped).toMatchObject({ code: 0, stderr: "" });
    const list = JSON.parse(mapped.stdout);
    expect(list.items).toHaveLength(2);
    expect(list.items[0].billOfLadingNumber).toMatch(/^SBXL/);
    expect(list.meta.page.total).toBe(5);
    const raw = JSON.parse((await svc(["--raw", "shipments", "get", "MAEU262175000"])).stdout);
    expect(raw.data).toMatchObject({ type: "shipment", id: shipment.id });
    const ahead = ["--raw", "shipments", "get", "MAEU262175000", "--as-of", "2100-01-01"];
    expect(JSON.parse((await svc(ahead)).stdout)).toMatchObject({
      data: { id: shipment.id },
      meta: { as_of: "2100-01-01T00:00:00.000Z" },
    });
  });

  test("--all writes one object a line, and ends quietly when the reader has enough", async () => {
    const { stdout, code } = await svc(["shipments", "list", "--all", "--page-size", "2"]);
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(new Set(rows.map((row) => row.id)).size).toBe(6);
    const line = `${svcProgram} shipments list --all | head -n 1`;
    const piped = spawnSync("sh", ["-c", line], {
      cwd: folder,
      encoding: "utf8",
      env: { ...access(), PATH: process.env.PATH },
    });
    expect(piped.stdout.trim().split("\n")).toHaveLength(1);
    expect(piped.stderr).toBe("");
  });

  test("edits by number, and clears", async () => {
    const edited = await svc(["edit", "MAEU262175000", "--tag", "urgent", "late"]);
    expect(JSON.parse(edited.stdout).tags).toEqual(["urgent", "late"]);
    const cleared = await svc(["shipments", "edit", "MAEU262175000", "--tag"]);
    expect(JSON.parse(cleared.stdout).tags).toEqual([]);
    const noted = await svc(["edit", "MAEU262175000", "--note", "Gate 4"]);
    expect(JSON.parse(noted.stdout)).toMatchObject({ note: "Gate 4", tags: [] });
    expect(JSON.parse((await svc(["edit", "MAEU262175000", "--note"])).stdout).note).toBeNull();
    const found = await svc(["find", "MSKU0000006"]);
    expect(JSON.parse(found.stdout)).toMatchObject({ number: "MSKU0000006" });
  });

  test("lists, assigns, snoozes, resolves and reopens exceptions", async () => {
    const [own] = api.tenants;
    const addException = async (kind: string, priority: number, subject: { containerId?: string }) => {
      const id = randomUUID();
      const openedAt = new Date();
      const times = { openedAt, createdAt: openedAt, updatedAt: openedAt };
      const details = { holds: ["customs"], days: 4 };
      const about = { shipmentId: shipment.id, subjectId: subject.containerId ?? shipment.id, ...subject };
      await api.database.prisma.exception.create({
        data: { accountId: own.accountId, id, kind, severity: "critical", priority, details, ...about, ...times },
      });
      return id;
    };
    const containers = JSON.parse((await svc(["containers", "list", "--all", "--number", "MSKU0000006"])).stdout);
    const hold = await addException("customs_hold", 12_000, { containerId: containers.id });
    const delay = await addException("eta_delay", 4_000, {});
    const list = async (...options: string[]) => {
      const { stdout, stderr } = await svc(["exceptions", "list", "--all", ...options]);
      expect(stderr).toBe("");
      const lines = stdout.trim().split("\n").filter(Boolean);
      return lines.map((line) => JSON.parse(line).id);
    };
    expect(await list("--status", "open")).toEqual([hold, delay]);
    expect(await list("--kind", "eta_delay")).toEqual([delay]);
    expect(await list("--container", "MSKU0000006")).toEqual([hold]);
    expect(await list("--shipment", "MAEU262175000")).toEqual([hold, delay]);
    const options = { environment: { ...access(), TERM: "xterm" }, cwd: folder };
    const table = await onTerminal(svcProgram, ["exceptions", "list"], 160, options);
    expect(table.stdout).toMatch(/SEVERITY .*SUMMARY[\s\S]+critical .*MSKU0000006 .*On hold: customs/);
    const changed = async (...args: string[]) => JSON.parse((await svc(["exceptions", ...args])).stdout);
    const user = await api.database.prisma.user.findFirstOrThrow({
      where: { memberships: { some: { accountId: own.accountId } } },
    });
    expect(await changed("assign", "MSKU0000006", "--owner", user.email)).toMatchObject({ owner: user.email });
    expect(await list("--owner", user.email)).toEqual([hold]);
    expect(await changed("snooze", "MSKU0000006", "--until", "2d", "--note", "Truck booked")).toMatchObject({
      id: hold,
      status: "snoozed",
      note: "Truck booked",
    });
    expect(await changed("snooze", hold, "--end")).toMatchObject({ status: "open", note: "Truck booked" });
    expect(await changed("resolve", hold)).toMatchObject({ status: "resolved", resolution: "by_member" });
    expect(await changed("reopen", "MSKU0000006")).toMatchObject({ id: hold, status: "open" });
    const ambiguous = await svc(["exceptions", "resolve", "MAEU262175000"]);
    expect([ambiguous.code, ambiguous.stdout]).toEqual([2, ""]);
    for (const id of [hold, delay]) expect(ambiguous.stderr).toContain(id);
    const none = await svc(["exceptions", "reopen", "MSKU0000006"]);
    expect([none.code, none.stderr]).toEqual([4, expect.stringContaining("resolved or snoozed")]);
    expect((await svc(["exceptions", "assign", hold])).code).toBe(2);
    const unknown = await svc(["exceptions", "assign", hold, "--owner", "unknown@example.com"]);
    expect([unknown.code, unknown.stderr]).toEqual([5, expect.stringContaining("unknown@example.com")]);
    expect(await changed("assign", hold, "--no-owner")).toMatchObject({ owner: null });
  });

  test("connects a carrier with credentials from a pipe, and never from an argument", async () => {
    const credentials = '{"kind":"api_key","headers":[{"name":"Consumer-Key","value":"s3cret"}]}';
    const created = await svc(["carrier-connections", "create", "HLCU", "--credentials", "-"], access(), credentials);
    expect([created.code, created.stderr]).toEqual([0, ""]);
    const { id, pushSecret } = JSON.parse(created.stdout);
    expect([typeof pushSecret, created.stdout.includes("s3cret")]).toEqual(["string", false]);
    expect(JSON.parse((await svc(["carrier-connections", "list"])).stdout).items).toHaveLength(1);
    const carriers = JSON.parse((await svc(["carriers"])).stdout).items as { scac: string; connection: string }[];
    expect(carriers).toContainEqual(expect.objectContaining({ scac: "HLCU", connection: "account" }));
    expect(JSON.parse((await svc(["carrier-connections", "update", id, "--inactive"])).stdout).active).toBe(false);
    expect((await svc(["carrier-connections", "update", id])).code).toBe(2);
    expect((await svc(["carrier-connections", "delete", id])).code).toBe(0);
    expect((await svc(["carrier-connections", "get", id])).code).toBe(4);
  });

  test("defines a field, gives it to a record by its number, and takes it away", async () => {
    const defined = await svc([
      "custom-fields",
      "define",
      "Shipment",
      "margin",
      "--type",
      "number",
      "--name",
      "Margin",
    ]);
    expect(JSON.parse(defined.stdout)).toMatchObject({ apiSlug: "margin", dataType: "number", displayName: "Margin" });
    const set = await svc(["custom-fields", "set", "shipments", "MAEU262175000", "margin", "12.5"]);
    expect([set.code, JSON.parse(set.stdout).value]).toEqual([0, 12.5]);
    const listed = async () =>
      JSON.parse((await svc(["custom-fields", "list", "shipments", "MAEU262175000"])).stdout).items;
    expect(await listed()).toHaveLength(1);
    expect((await svc(["custom-fields", "remove", "shipments", "MAEU262175000", "margin"])).code).toBe(0);
    expect(await listed()).toEqual([]);
    expect(JSON.parse((await svc(["custom-fields", "definitions"])).stdout).items).toHaveLength(1);
  });

  test("shows where a vessel is expected, minute by minute, from where it is", async () => {
    await api.database.prisma.vessel.create({ data: { id: randomUUID(), imo: "9321483", name: "Emma" } });
    const args = ["vessels", "future-positions", "9321483", "--from", "CNSHA", "--to", "USLAX"];
    const { positions } = JSON.parse((await svc([...args, "--at", "-1.5,-119"])).stdout);
    expect(positions[0]).toMatchObject({ latitude: -1.5, longitude: -119, estimated: true });
    const raw = JSON.parse((await svc(["--raw", ...args])).stdout);
    expect(raw.data.attributes.positions).toHaveLength(10_081);
  });

  test("imports events from a file or a pipe, and names rows with errors", async () => {
    const row = "SBXL,SBXL900001,DEPA,ACT,2026-10-03T08:00:00+08:00,CNSHA,VESSEL";
    const csv = `scac,number,event_code,classifier,event_time,locode,mode\n${row}\n`;
    const unknown = await svc(["import", "-"], access(), csv.replace("SBXL900001", "SBXL000000"));
    expect(unknown).toMatchObject({ code: 5, stdout: "" });
    expect(unknown.stderr).toContain("Row 1: Nothing of this account is tracked under SBXL000000");
    fs.writeFileSync(path.join(folder, "events.json"), "{ not JSON");
    const broken = await svc(["import", "events.json"]);
    expect(broken).toMatchObject({ code: 2, stdout: "" });
    expect((await svc(["import", "nowhere.csv"])).stderr).toContain("nowhere.csv cannot be read");
  });
});

describe("svc's exit codes", () => {
  test.each([
    [2, ["shipmentz"], /unknown command/],
    [2, ["shipments", "list", "--page-size", "500"], /1 to 100/],
    [2, ["shipments", "list", "--updated-after", "yesterday"], /36h, 7d/],
    [4, ["shipments", "get", "0197a1b2-0000-7000-8000-000000000001"], /404: .*\[request /],
    [4, ["containers", "get", "NOSUCH1234567"], /svc track/],
    [4, ["containers", "get", "MSKU0000006", "--as-of", "7d"], /404: This container did not exist at/],
    [5, ["edit", "MAEU262175000", "--tag", "a", "a"], /422: .*\/data\/attributes\/tags.*\[request /],
    [5, ["shipments", "list", "--status", "flying"], /filter\[status\]/],
    [2, ["vessels", "future-positions", "9321483", "--from", "CNSHA"], /--to/],
    [2, ["vessels", "future-positions", "9321483", "--from", "CNSHA", "--to", "USLAX", "--at", "1"], /1\.2,-103\.5/],
    [4, ["vessels", "future-positions", "9999993", "--from", "CNSHA", "--to", "USLAX", "--at", "1,-150"], /vessel/],
  ] as const)("%i: svc %j", async (code, args, message) => {
    const outcome = await svc(args);
    expect(outcome.stderr).toMatch(message);
    expect(outcome).toMatchObject({ code, stdout: "" });
  });

  test("3 without a token and with a wrong one, 7 when the connection is refused; the token is never shown", async () => {
    expect(await svc(["shipments", "list"], { HOME: folder })).toMatchObject({ code: 3, stdout: "" });
    const wrong = await svc(["shipments", "list"], { ...access(), SVC_API_TOKEN: "svc_live_nobody" });
    expect(wrong.code).toBe(3);
    expect(wrong.stderr).toMatch(/svc login/);
    const unreachable = await svc(["shipments", "list"], { ...access(), SVC_API_BASE_URL: "http://127.0.0.1:1/v2" });
    expect(unreachable.code).toBe(7);
    expect(wrong.stderr + unreachable.stderr).not.toMatch(/svc_live/);
  });
});

describe("svc on a terminal", () => {
  const terminal = (args: readonly string[], columns: number, environment: Record<string, string> = {}) =>
    onTerminal(svcProgram, args, columns, { environment: { ...access(), TERM: "xterm", ...environment }, cwd: folder });

  test("aligns columns within the terminal's width, with a bold heading", async () => {
    const { stdout, code } = await terminal(["shipments", "list"], 90);
    expect(code).toBe(0);
    expect(stdout).toContain("\u001b[1mNUMBER");
    const lines = stdout.replaceAll("\u001b[1m", "").replaceAll("\u001b[22m", "").trim().split("\n");
    expect(lines).toHaveLength(7);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(90);
    const from = lines[0]?.indexOf("CARRIER") ?? -1;
    for (const line of lines.slice(1)) expect(line.slice(from)).toMatch(/^(SBXL|MAEU)/);
  });

  test("writes no colours with NO_COLOR, also none of other users' texts", async () => {
    const list = await terminal(["shipments", "list"], 90, { NO_COLOR: "1" });
    expect(list.stdout).not.toContain("\u001b");
    const output = await terminal(["shipments", "get", "MAEU262175000"], 120, { NO_COLOR: "1" });
    expect(output.stdout).toContain("PO-4711");
    expect(output.stdout).not.toContain("\u001b");
  });

  test("prints JSON with --json", async () => {
    expect(JSON.parse((await terminal(["shipments", "list", "--json"], 90)).stdout).items).toHaveLength(6);
  });
});

describe("svc login", () => {
  test("stores a checked token for its address only, readable by the owner only", async () => {
    const home = temporaryFolder();
    const file = path.join(home, ".config/svc/login.json");
    const refused = await svc(["login", "--base-url", api.baseUrl], { HOME: home }, "svc_live_nobody\n");
    expect(refused.code).toBe(3);
    expect(fs.existsSync(file)).toBe(false);
    const stored = await svc(["login", "--base-url", api.baseUrl], { HOME: home }, `${api.tenants[0].token}\n`);
    expect(stored.code).toBe(0);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect((await svc(["shipments", "list"], { HOME: home })).code).toBe(0);
    expect((await svc(["shipments", "list", "--base-url", "http://127.0.0.1:1"], { HOME: home })).code).toBe(3);
    expect((await svc(["logout"], { HOME: home })).code).toBe(0);
    expect((await svc(["shipments", "list"], { HOME: home })).code).toBe(3);
    fs.rmSync(home, { recursive: true });
  });

  test("the running system is found from a folder below, unless its file is another user's", async () => {
    const below = path.join(folder, "a", "b");
    fs.mkdirSync(below, { recursive: true });
    fs.mkdirSync(path.join(folder, "a", ".svc"));
    const file = path.join(folder, "a", ".svc", "runtime.json");
    fs.writeFileSync(file, JSON.stringify({ token: api.tenants[0].token, apiBaseUrl: api.baseUrl }));
    const options = { environment: { HOME: folder }, cwd: below };
    expect((await startCommand(svcProgram, ["webhooks", "ips"], options).outcome).code).toBe(0);
    if (process.getuid?.() !== 0) return;
    fs.chownSync(file, 65_534, 65_534);
    expect((await startCommand(svcProgram, ["webhooks", "ips"], options).outcome).code).toBe(3);
  });
});
