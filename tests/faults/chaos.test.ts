import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { findRedisProgram } from "@svc/local-stores";

const program = fileURLToPath(new URL("../../scripts/prove/chaos.ts", import.meta.url));
const disturbedSeconds = 45;
/** Beside the disturbances: start, the last deliveries, and the comparison of everything. */
const testTimeoutMs = 600_000;
const withRedis = findRedisProgram() ? test : test.skip;

/** Where the machine does not allow faults of networks, disks and clocks, its output says so, which is shown. */
withRedis(
  "loses nothing while services and stores are killed, stopped, disconnected and filled, and clocks are stepped",
  async () => {
    const args = [program, "--installed-only", "--seconds", String(disturbedSeconds)];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text));
    const overdue = setTimeout(() => child.kill("SIGTERM"), testTimeoutMs - 20_000);
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    clearTimeout(overdue);
    process.stdout.write(output);
    expect([code, code === 0 ? "" : output]).toEqual([0, ""]);
    expect(output).toMatch(/\d+ acknowledged writes, 0 lost; \d+ notifications, 0 lost/);
    expect(output).toMatch(/ 0 differ/);
  },
  testTimeoutMs,
);
