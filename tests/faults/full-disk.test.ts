import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { eventually, startServiceProcess } from "@svc/testkit";

const entry = fileURLToPath(new URL("../../apps/carrier-sandbox/src/main.ts", import.meta.url));
/** A device of Linux on which every write fails with ENOSPC. */
const fullDevice = "/dev/full";
const onLinux = existsSync(fullDevice) ? test : test.skip;

onLinux(
  "on a full disk the log has one structured line for each cause, and the sandbox goes on when there is room",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "sandbox-full-"));
    const sandbox = await startServiceProcess(entry, { SVC_SANDBOX_DATA_DIR: folder });
    const request = (path: string, init: RequestInit = {}) =>
      fetch(`${sandbox.url}${path}`, {
        ...init,
        headers: { "Consumer-Key": "demo", "content-type": "application/json" },
      });
    const events = () => request("/v2/events?transportDocumentReference=SBXDIR000001");
    const readTime = async () => ((await (await request("/_sandbox/clock")).json()) as { now: string }).now;
    expect((await events()).status).toBe(200);

    symlinkSync(fullDevice, join(folder, "clock.json.new"));
    symlinkSync(fullDevice, join(folder, "subscriptions.json.new"));
    await eventually("the clock cannot be saved", async () => {
      await readTime();
      return sandbox.output().includes("clock.not_saved");
    });
    const subscription = JSON.stringify({
      callbackUrl: `${sandbox.url}/healthz`,
      secret: Buffer.alloc(32).toString("base64"),
    });
    for (let count = 0; count < 50; count += 1) {
      expect((await events()).status).toBe(200);
      const response = await request("/v2/event-subscriptions", { method: "POST", body: subscription });
      expect(response.status).toBe(500);
    }
    const stoppedAt = await readTime();
    expect(await readTime()).toBe(stoppedAt);
    const lines = sandbox.output().trim().split("\n");
    expect(lines.filter((line) => !line.startsWith("{"))).toEqual([]);
    const failures = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === "error");
    expect(failures.map(({ msg, err }) => [msg, err.code]).sort()).toEqual([
      ["clock.not_saved", "ENOSPC"],
      ["request.failed", "ENOSPC"],
    ]);

    rmSync(join(folder, "clock.json.new"));
    rmSync(join(folder, "subscriptions.json.new"));
    await eventually("the clock goes on", async () => (await readTime()) > stoppedAt);
    await sandbox.stop();
    rmSync(folder, { recursive: true });
  },
);
