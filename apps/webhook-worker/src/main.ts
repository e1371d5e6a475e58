import { runService } from "@svc/service-kit";
import { loadConfig } from "./config.ts";
import { startWorker } from "./start-worker.ts";

await runService({ name: "webhook-worker", loadConfig, start: startWorker });
