import fs from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { type Carrier, CarrierConnection, type CarrierQuery, createCarriers, type FoundReply } from "@svc/carriers";
import { type ServiceProcess, startServiceProcess } from "@svc/testkit";

const entry = path.resolve(import.meta.dirname, "../../apps/carrier-sandbox/src/main.ts");
const zones: Readonly<Record<string, string>> = {
  CNSHA: "Asia/Shanghai",
  CNYTN: "Asia/Shanghai",
  KRPUS: "Asia/Seoul",
  INNSA: "Asia/Kolkata",
  BRSSZ: "America/Sao_Paulo",
  USLAX: "America/Los_Angeles",
  USLGB: "America/Los_Angeles",
  USOAK: "America/Los_Angeles",
  NLRTM: "Europe/Amsterdam",
  BEANR: "Europe/Brussels",
};

describe("the DCSA client against the sandbox line, process to process", () => {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync("/tmp"), "carrier-client-"));
  const opened: Carrier[] = [];
  let sandbox: ServiceProcess;

  const start = () =>
    startServiceProcess(entry, { SVC_SANDBOX_DATA_DIR: folder, SVC_SANDBOX_CONSUMER_KEY: "opensesame" });

  beforeAll(async () => {
    sandbox = await start();
    await send("PUT", "clock", { paused: true });
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((carrier) => carrier.close()));
  });
  afterAll(async () => {
    await sandbox.stop();
    fs.rmSync(folder, { recursive: true });
  });

  function connect(options: { key?: string; timeoutMs?: number } = {}): Carrier {
    const connection = CarrierConnection.parse({
      scac: "SBXL",
      protocol: "dcsa-2.2",
      baseUrl: sandbox.url,
      headers: { "Consumer-Key": options.key ?? "opensesame" },
      ...(options.timeoutMs ? { timeoutMs: options.timeoutMs } : {}),
    });
    const carriers = createCarriers([connection], { timeZoneOf: (locode) => zones[locode] ?? null });
    const carrier = carriers.get("SBXL")?.shared;
    if (!carrier) throw new Error("the sandbox line is not connected");
    opened.push(carrier);
    return carrier;
  }

  const track = (number: string, kind: CarrierQuery["kind"] = "bill_of_lading", carrier = connect()) =>
    carrier.track({ kind, number }, new AbortController().signal);

  async function find(number: string, kind?: CarrierQuery["kind"]): Promise<FoundReply> {
    const reply = await track(number, kind);
    if (reply.outcome !== "found") throw new Error(`${number} is ${reply.outcome}`);
    return reply;
  }

  async function send(method: string, operation: string, body?: unknown): Promise<Record<string, unknown>> {
    const response = await fetch(`${sandbox.url}/_sandbox/${operation}`, {
      method,
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as Record<string, unknown>;
  }

  const advance = (by: string) => send("POST", "clock/advance", { by });

  test("a voyage is found by bill of lading, booking and container, and grows with time", async () => {
    const first = await find("SBXDIR000001");
    expect(first.skipped).toBe(0);
    expect(first.drafts.every((draft) => draft.timePrecision === "exact")).toBe(true);
    const actualCodes = (reply: FoundReply) =>
      new Set(reply.drafts.filter((draft) => draft.classifier === "ACT").map((draft) => draft.code));
    expect(actualCodes(first)).toEqual(new Set(["RECE", "CONF", "GTOT"]));
    expect((await find("SBXDIRB000001", "booking_number")).drafts).toEqual(first.drafts);
    const containerNumber = first.drafts.find((draft) => draft.eventType === "EQUIPMENT")?.containerNumber ?? "";
    const containerReply = await find(containerNumber, "container");
    expect(containerReply.drafts.length).toBeGreaterThan(2);
    expect(containerReply.drafts.every((draft) => draft.containerNumber === containerNumber)).toBe(true);
    await advance("36h");
    const later = await find("SBXDIR000001");
    expect(actualCodes(later)).toEqual(new Set(["RECE", "CONF", "GTOT", "GTIN", "LOAD", "DEPA"]));
    expect(later.drafts).toEqual(expect.arrayContaining([...first.drafts]));
  });

  test("joins all pages of a long reply", async () => {
    const { drafts, body } = await find("SBXPAG000001");
    expect(new Set(drafts.map((draft) => draft.sourceEventId)).size).toBeGreaterThan(100);
    expect(JSON.parse(Buffer.from(body).toString()).length).toBeGreaterThan(1);
  });

  test("times without an offset are read on the port's clock", async () => {
    const { drafts } = await find("SBXTZM000001");
    await advance("36h");
    const { drafts: later } = await find("SBXTZM000001");
    const precisions = new Set([...drafts, ...later].map((draft) => draft.timePrecision));
    expect(precisions).toEqual(new Set(["exact", "local_assumed", "date_only"]));
    const loaded = later.find((draft) => draft.code === "LOAD" && draft.classifier === "ACT");
    const departed = later.find((draft) => draft.code === "DEPA" && draft.classifier === "ACT");
    const hoursAboard = (Date.parse(departed?.eventAt ?? "") - Date.parse(loaded?.eventAt ?? "")) / 3_600_000;
    expect(hoursAboard).toBeCloseTo(7, 0);
  });

  test("reports unknown numbers as not found, and rejects impossible ones", async () => {
    expect((await track("SBXNFD000001")).outcome).toBe("not_found");
    expect((await track("MAEU123456789")).outcome).toBe("not_found");
    expect((await track("X".repeat(101))).outcome).toBe("rejected");
  });

  test("reports another key as unauthorized", async () => {
    expect((await track("SBXDIR000001", "bill_of_lading", connect({ key: "guess" }))).outcome).toBe("unauthorized");
  });

  test("a failing server is unreachable or unrecognized, and found again after it", async () => {
    expect((await track("SBXERR000001")).outcome).toBe("unreachable");
    await advance("4h");
    expect((await track("SBXERR000001")).outcome).toBe("found");
    await advance("44h");
    expect((await track("SBXERR000001")).outcome).toBe("unrecognized");
  });

  test("reads from a rate limit how long to wait", async () => {
    const replies = [];
    for (let index = 0; index < 4; index++) replies.push(await track("SBXRTL000001"));
    expect(replies.map((reply) => reply.outcome)).toEqual(["found", "found", "rate_limited", "rate_limited"]);
    expect(replies[2]).toMatchObject({ retryAfterMs: 2_000 });
  });

  test("reports a slow response as unreachable, and reads the next one", async () => {
    const hasty = connect({ timeoutMs: 500 });
    expect((await track("SBXSLW000001", "bill_of_lading", hasty)).outcome).toBe("unreachable");
    expect((await track("SBXSLW000001")).outcome).toBe("found");
  });

  test("continues after kill -9 of the line, whose clock does not run backwards", async () => {
    await send("PUT", "clock", { paused: false });
    const before = await find("SBXTSP000001");
    const clockBefore = await send("GET", "clock");
    sandbox.kill("SIGKILL");
    await sandbox.exited;
    expect((await track("SBXTSP000001")).outcome).toBe("unreachable");
    sandbox = await start();
    const now = await send("PUT", "clock", { paused: true });
    expect(Date.parse(String(now.now))).toBeGreaterThanOrEqual(Date.parse(String(clockBefore.now)));
    expect((await find("SBXTSP000001")).drafts).toEqual(expect.arrayContaining([...before.drafts]));
  });
});
