import { commandOf, hasEnded, signalProcess } from "@svc/testkit";

const patienceMs = 8_000;
const serviceScript = /apps\/[a-z-]+\/dist\/main\.js/;

/**
 * Waits until the services of a killed launcher have ended, which its guard sees to, and ends those that stay. The stores
 * recognise what is left of their own.
 */
export async function awaitLeftovers(pids: readonly number[]): Promise<void> {
  const services = pids.filter((pid) => serviceScript.test(commandOf(pid) ?? ""));
  await Promise.all(
    services.map(async (pid) => {
      if (!(await hasEnded(pid, patienceMs))) signalProcess(pid, "SIGKILL");
      await hasEnded(pid, patienceMs);
    }),
  );
}
