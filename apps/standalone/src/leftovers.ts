import { commandOf, hasEnded, signalProcess } from "@svc/local-stores";

const stopGraceMs = 8_000;
const serviceScript = /apps\/[a-z-]+\/dist\/main\.js/;

/**
 * Waits until the guard of a killed launcher has stopped its services, and kills those that remain. The stores
 * recognise their own leftover processes.
 */
export async function awaitLeftovers(pids: readonly number[]): Promise<void> {
  const services = pids.filter((pid) => serviceScript.test(commandOf(pid) ?? ""));
  await Promise.all(
    services.map(async (pid) => {
      if (!(await hasEnded(pid, stopGraceMs))) signalProcess(pid, "SIGKILL");
      await hasEnded(pid, stopGraceMs);
    }),
  );
}
