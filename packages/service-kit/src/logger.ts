import { type DestinationStream, type Logger, pino } from "pino";

export type { Logger } from "pino";

/** Never written to a log, however deep a careless call puts them. */
const secretPaths = ["authorization", "cookie", "secret", "token", "password", "apiKey"].flatMap((name) => [
  name,
  `*.${name}`,
  `*.*.${name}`,
]);

/** Structured JSON, one line an event. stdio services pass stderr, because stdout carries their protocol. */
export function createLogger(options: { service: string; level?: string; destination?: DestinationStream }): Logger {
  const settings = {
    level: options.level ?? "info",
    base: { service: options.service },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: secretPaths, censor: "[secret]" },
  };
  return options.destination ? pino(settings, options.destination) : pino(settings);
}
