import { runService } from "@svc/service-kit";
import { loadConfig } from "./config.ts";
import { startSandbox } from "./start-sandbox.ts";

await runService({ name: "carrier-sandbox", loadConfig, start: startSandbox });
