// Simulates days of notifications, deliveries and retention with shifted clocks, and compares what each operation reads
// at the end with what it read when the retention first took effect: `npm run prove:growth`, on Debian.
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { freePort, startPostgres } from "@svc/local-stores";
import { createTestDatabase } from "@svc/testkit";
import { repository } from "../repository.mjs";
import { report, run } from "./shell.ts";

const days = 100;
const retentionDays = 30;
/** A partition has a week and ends before it is dropped, so the tables are full only after the retention and this. */
const partitionDays = 9;
const everyDays = 5;
/** Maximum growth of the mean of an operation's buffers, between the first and the last third of the full days. */
const growthMax = 1.25;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-growth-"));

// Ends PostgreSQL too, which stops with this process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));

const clockFile = path.join(folder, "clock");

/** libfaketime shifts the clock of the processes that load it, as the file says. Unpacked here, and not installed. */
function shiftedClock(): Record<string, string> {
  run("sh", [
    "-c",
    'cd "$1" && chmod 755 . && apt-get download libfaketime && dpkg-deb -x libfaketime_*.deb .',
    "sh",
    folder,
  ]);
  const [library] = fs.globSync("usr/lib/*/faketime/libfaketimeMT.so.1", { cwd: folder });
  if (!library) throw new Error("Debian's package libfaketime has no libfaketimeMT.so.1.");
  fs.writeFileSync(clockFile, "+0d\n");
  return {
    LD_PRELOAD: path.join(folder, library),
    FAKETIME_TIMESTAMP_FILE: clockFile,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
}

type Measured = Record<string, number> & { day: number };

/** Runs the days in a process of their own, whose clock is shifted. */
async function simulate(databaseUrl: string, clock: Record<string, string>): Promise<Measured[]> {
  const measured: Measured[] = [];
  const program = path.join(repository, "bench/growth-days.ts");
  const numbers = [days, everyDays, retentionDays].map(String);
  const child = spawn(process.execPath, [program, databaseUrl, clockFile, ...numbers], {
    env: { ...process.env, ...clock },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    measured.push(JSON.parse(line) as Measured);
    report(line);
  }
  if (measured.at(-1)?.day !== days) throw new Error("The simulation ended early.");
  return measured;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function compare(measured: readonly Measured[]): void {
  const full = measured.filter(({ day }) => day >= retentionDays + partitionDays);
  const third = Math.floor(full.length / 3);
  for (const operation of Object.keys(full[0] ?? {}).filter((key) => key !== "day")) {
    const meanOf = (part: typeof full) => mean(part.map((row) => row[operation] ?? Number.NaN));
    const [before, after] = [meanOf(full.slice(0, third)), meanOf(full.slice(-third))];
    report(`${operation}: ${before.toFixed(0)} buffers, then ${after.toFixed(0)}`);
    if (!(after <= before * growthMax)) throw new Error(`${operation} reads more with every day.`);
  }
}

try {
  const clock = shiftedClock();
  const dataDir = path.join(folder, "data");
  const postgres = await startPostgres({ dataDir, port: await freePort(), environment: clock });
  compare(await simulate(await createTestDatabase(postgres.url), clock));
  await postgres.stop();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
process.exit();
