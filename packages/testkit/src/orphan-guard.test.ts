import { expect, test } from "@jest/globals";
import { eventually } from "./eventually.ts";
import { startProgram } from "./program.ts";
import { commandOf } from "./running-process.ts";

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
  const program = startProgram(["--input-type=module", "-e", parent]);
  const [service, store, released] = await eventually(
    "its children run",
    () => JSON.parse(program.output()) as number[],
  );
  program.kill("SIGKILL");
  await program.exited;
  await eventually("both have ended", () => [service, store].every((pid) => commandOf(pid ?? 0) === undefined));
  expect(commandOf(released ?? 0)).toContain("sleep");
  process.kill(released ?? 0);
});
