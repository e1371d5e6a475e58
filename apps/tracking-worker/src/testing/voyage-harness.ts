import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { CarrierConnection, createCarriers, createTerminals, TerminalConnection } from "@svc/carriers";
import { catalogue, sandboxConnection, withCatalogueEntry } from "@svc/carriers/catalogue";
import { addMs, dayMs, type Instant, instant } from "@svc/domain";
import { type ServiceProcess, startServiceProcess } from "@svc/testkit";
import { type ManualClock, setUpTracking, type TrackingSetup } from "./tracking-setup.ts";

const sandboxEntry = fileURLToPath(new URL("../../../carrier-sandbox/src/main.ts", import.meta.url));
const headers = { "Consumer-Key": "demo" };

/** Voyages of the sandbox carrier and its terminals over HTTP; the test advances the clock of both. */
export interface VoyageHarness extends TrackingSetup {
  readonly sandbox: ServiceProcess;
  /** Tracks a bill of lading of the sandbox carrier, in an account that subscribes to every event. */
  track(number: string): Promise<void>;
  /** Advances the clock, and polls every due subject at each step. */
  sail(days: number, stepHours?: number): Promise<void>;
}

/** An estimate is notified when its day changes, so the events of a voyage depend on the hour at which it begins. */
function tomorrowMorning(): string {
  const tomorrow = new Date(Date.now() + dayMs);
  tomorrow.setUTCHours(9, 0, 0, 0);
  return tomorrow.toISOString();
}

/** @param beginAt date and time at which the clock begins; by default tomorrow morning. */
export async function startVoyageHarness({
  beginAt = tomorrowMorning(),
  imitated = [],
  ...connection
}: {
  readonly timeoutMs?: number;
  /** SCACs of imitated carriers, which accounts connect. */
  readonly imitated?: readonly string[];
  readonly beginAt?: string;
} = {}): Promise<VoyageHarness> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-voyages-"));
  const settings = { LOG_LEVEL: "warn", SVC_SANDBOX_LINES: String(imitated.length > 0) };
  const sandbox = await startServiceProcess(sandboxEntry, { ...settings, SVC_SANDBOX_DATA_DIR: folder }, 90_000);
  const setClock = async (method: "PUT" | "POST", route: string, body: object): Promise<Instant> => {
    const init = { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(`${sandbox.url}/_sandbox/clock${route}`, init);
    return instant(Date.parse(((await response.json()) as { now: string }).now));
  };
  let now = await setClock("PUT", "", { paused: true, now: beginAt });
  const clock: ManualClock = {
    now: () => now,
    scale: () => 1,
    advance: () => undefined,
  };
  const line = { scac: "SBXL", protocol: "dcsa-2.2", baseUrl: sandbox.url, headers, ...connection };
  const others = catalogue
    .filter(({ scac }) => imitated.includes(scac))
    .map((entry) => withCatalogueEntry(sandboxConnection(entry, `${sandbox.url}/lines/${entry.scac.toLowerCase()}`)));
  const terminal = { code: "SBXT", protocol: "svc-terminal-1", baseUrl: sandbox.url, headers };
  const harness = await setUpTracking({
    clock,
    carriers: (places) =>
      createCarriers(
        [line, ...others].map((config) => CarrierConnection.parse(config)),
        { timeZoneOf: places.timeZoneOf },
      ),
    terminals: createTerminals([TerminalConnection.parse(terminal)]),
  });
  await harness.subscribe(["*"]);
  const settle = async (): Promise<void> => {
    while ((await harness.pollDue()) > 0);
  };
  return {
    ...harness,
    sandbox,
    async track(number) {
      await harness.request(number, { scac: "SBXL" });
      await settle();
    },
    async sail(days, stepHours = 6) {
      const until = addMs(now, days * dayMs);
      while (now < until) {
        now = await setClock("POST", "/advance", { by: `${stepHours}h` });
        await settle();
      }
    },
    async close() {
      await harness.close();
      await sandbox.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
