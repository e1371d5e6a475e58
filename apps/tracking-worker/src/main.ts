import { runService } from "@svc/service-kit";
import { loadConfig } from "./config.ts";
import { startTrackingWorker } from "./start-tracking-worker.ts";

await runService({ name: "tracking-worker", loadConfig, start: startTrackingWorker });
