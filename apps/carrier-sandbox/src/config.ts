import { flag, processVariables, readConfig } from "@svc/service-kit";
import { z } from "zod";
import { scaleMax } from "./clock/simulated-clock.ts";

export const variables = {
  ...processVariables,
  SVC_SANDBOX_DATA_DIR: z.string().describe("folder with the sandbox's shipments and clock"),
  SVC_SANDBOX_TIME_SCALE: z.coerce
    .number()
    .positive()
    .max(scaleMax)
    .default(1440)
    .describe("simulated seconds per real second; 1440 is a day per minute"),
  SVC_SANDBOX_CONSUMER_KEY: z.string().default("demo").describe("key that clients send in the header Consumer-Key"),
  SVC_SANDBOX_LINES: flag.describe("imitates the carriers of the catalogue, too, below /lines"),
};

export function loadConfig(environment: Readonly<Record<string, string | undefined>>) {
  return readConfig("carrier-sandbox", variables, environment);
}
