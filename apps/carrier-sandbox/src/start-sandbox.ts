import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { RunningService, ServiceContext } from "@svc/service-kit";
import { SimulatedClock } from "./clock/simulated-clock.ts";
import type { loadConfig } from "./config.ts";
import { startPublishing } from "./push/publisher.ts";
import { SubscriptionStore } from "./push/subscription-store.ts";
import { ShipmentRegister } from "./register/shipment-register.ts";
import { sandboxApp } from "./sandbox-app.ts";
import { SandboxLine } from "./sandbox-line.ts";

/** Opens the data folder (made when absent) and serves the line that lives in it. One process a folder. */
export async function startSandbox(
  config: ReturnType<typeof loadConfig>,
  { logger }: ServiceContext,
): Promise<RunningService> {
  const folder = config.SVC_SANDBOX_DATA_DIR;
  mkdirSync(folder, { recursive: true });
  const clock = new SimulatedClock({
    path: join(folder, "clock.json"),
    scale: config.SVC_SANDBOX_TIME_SCALE,
    epoch: Date.now(),
    realNow: () => performance.now(),
  });
  const register = new ShipmentRegister(join(folder, "shipments.jsonl"));
  const stopping = new AbortController();
  const line = new SandboxLine(register);
  const subscriptions = new SubscriptionStore(join(folder, "subscriptions.json"));
  const publisher = { line, subscriptions, now: () => clock.now(), logger, stopping: stopping.signal };
  startPublishing(publisher);
  return {
    handler: sandboxApp({
      clock,
      line,
      subscriptions,
      consumerKey: config.SVC_SANDBOX_CONSUMER_KEY,
      logger,
      stopping: stopping.signal,
    }),
    checks: {},
    async close() {
      stopping.abort();
      clock.close();
      register.close();
    },
  };
}
