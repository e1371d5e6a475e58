import { spawn } from "node:child_process";
import { once } from "node:events";
import readline from "node:readline";
import { expect, test } from "@jest/globals";
import { commandOf, hasEnded } from "./running-process.ts";

/** Starts three processes in separate groups under a guard, prints their ids, and waits to be killed. */
const parent = `
  import { spawn } from "node:child_process";
  import { startOrphanGuard } from ${JSON.stringify(new URL("orphan-guard.ts", import.meta.url).href)};
  const guard = startOrphanGuard();
  const start = (stage) => {
    const { pid } = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
    return { pid, ended: guard.watch(pid, stage, "SIGTERM") };
  };
  const [service, store, released] = [start("service"), start("store"), start("service")];
  released.ended();
  console.log(JSON.stringify([service.pid, store.pid, released.pid]));
  setInterval(() => {}, 1000);
`;

test("stops the children of a killed process, except those that it released", async () => {
  const program = spawn(process.execPath, ["--input-type=module", "-e", parent], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(readline.createInterface(program.stdout), "line")) as [string];
  const [service, store, released] = JSON.parse(line) as [number, number, number];
  program.kill("SIGKILL");
  expect(await hasEnded(service, 20_000)).toBe(true);
  expect(await hasEnded(store, 20_000)).toBe(true);
  expect(commandOf(released)).toContain("sleep");
  process.kill(released);
});
