import { apiEvents } from "./api-events.ts";
import { carrierSandboxEvents } from "./carrier-sandbox-events.ts";
import type { LogLevel } from "./log-event-table.ts";
import { mcpEvents } from "./mcp-events.ts";
import { serviceEvents } from "./service-events.ts";
import { trackingWorkerEvents } from "./tracking-worker-events.ts";
import { webEvents } from "./web-events.ts";
import { webhookWorkerEvents } from "./webhook-worker-events.ts";

/**
 * Every event of the log, by the app that logs it; `services`: several of them. Their names are an interface of
 * operators, who filter by them across services, so this package has them all: a name exists once and means one thing.
 */
export const logEvents = {
  services: serviceEvents,
  api: apiEvents,
  deeplink: webEvents,
  mcp: mcpEvents,
  "tracking-worker": trackingWorkerEvents,
  "webhook-worker": webhookWorkerEvents,
  "carrier-sandbox": carrierSandboxEvents,
} as const;

type NamesIn<Table, At extends LogLevel> = {
  [Name in keyof Table]: Table[Name] extends { readonly levels: readonly (infer Level)[] }
    ? At extends Level
      ? Name
      : never
    : never;
}[keyof Table];

type Tables = typeof logEvents;

/** Names of the events that are logged at this level. */
export type LogEvent<At extends LogLevel = LogLevel> = {
  [App in keyof Tables]: NamesIn<Tables[App], At>;
}[keyof Tables];
