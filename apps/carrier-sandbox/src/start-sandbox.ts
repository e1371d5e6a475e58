import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type RunningService, type ServiceContext, throttleByCause } from "@svc/service-kit";
import { imitateCarriers } from "./carriers/imitated-carrier.ts";
import { SimulatedClock } from "./clock/simulated-clock.ts";
import type { loadConfig } from "./config.ts";
import { startPublishing } from "./push/publisher.ts";
import { SubscriptionStore } from "./push/subscription-store.ts";
import { ShipmentRegister } from "./register/shipment-register.ts";
import { sandboxApp } from "./sandbox-app.ts";
import { SandboxCarrier } from "./sandbox-carrier.ts";

/** Interval at which a lasting failure, for example a full disk, is logged. */
const logEveryMs = 10_000;

/** Opens the data folder, which is created when absent, and serves its carrier. One process per folder. */
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
    onUnsaved: throttleByCause(logEveryMs, (error) => logger.error({ err: error }, "clock.not_saved")),
  });
  const register = new ShipmentRegister(join(folder, "shipments.jsonl"));
  const stopping = new AbortController();
  const linesFolder = join(folder, "lines");
  mkdirSync(linesFolder, { recursive: true });
  const imitatedCarriers = config.SVC_SANDBOX_LINES
    ? imitateCarriers({ folder: linesFolder, now: () => clock.now(), stopping: stopping.signal })
    : [];
  const carrier = new SandboxCarrier(register);
  const subscriptions = new SubscriptionStore(join(folder, "subscriptions.json"));
  const onFailed = throttleByCause(logEveryMs, (error) => logger.error({ err: error }, "request.failed"));
  const publisher = {
    carrier,
    subscriptions,
    now: () => clock.now(),
    logger,
    onFailed: throttleByCause(logEveryMs, (error) => logger.error({ err: error }, "push.not_recorded")),
    stopping: stopping.signal,
  };
  startPublishing(publisher);
  return {
    handler: sandboxApp({
      clock,
      carrier,
      subscriptions,
      imitatedCarriers,
      consumerKey: config.SVC_SANDBOX_CONSUMER_KEY,
      onFailed,
      logger,
      stopping: stopping.signal,
    }),
    checks: {},
    async close() {
      stopping.abort();
      clock.close();
      register.close();
      for (const imitated of imitatedCarriers) imitated.close();
    },
  };
}
