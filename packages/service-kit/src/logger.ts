import { type DestinationStream, pino, stdSerializers } from "pino";
import type { LogLevel } from "./log-events/log-event-table.ts";
import type { LogEvent } from "./log-events/log-events.ts";
import { createLogSink } from "./log-sink.ts";
import { censored, secretNames, withoutSecrets } from "./without-secrets.ts";

interface LogLine<At extends LogLevel> {
  (event: LogEvent<At>): void;
  (fields: object, event: LogEvent<At>): void;
}

/** Logs events of the catalogue (`log-events`), each only at the levels that the catalogue names. */
export type Logger = { readonly [At in LogLevel]: LogLine<At> } & {
  /** Adds the fields to each line. `redact: []`: none of the lines can hold a secret, so none is searched for one. */
  child(fields: object, options?: { readonly redact: [] }): Logger;
};

/** The `time` member of a line. Everything but the milliseconds is formatted once each second. */
function createTimestamp(): () => string {
  let second = Number.NaN;
  let start = "";
  return () => {
    const nowMs = Date.now();
    const milliseconds = nowMs % 1_000;
    if (nowMs - milliseconds !== second) {
      second = nowMs - milliseconds;
      start = `,"time":"${new Date(second).toISOString().slice(0, -4)}`;
    }
    return `${start}${String(milliseconds).padStart(3, "0")}Z"`;
  };
}

/** Structured JSON, one line for each event. stdio services pass stderr, because stdout carries their protocol. */
export function createLogger(options: { service: string; level?: string; destination?: DestinationStream }): Logger {
  const settings = {
    level: options.level ?? "info",
    base: { service: options.service },
    timestamp: createTimestamp(),
    formatters: {
      level: (label: string) => ({ level: label }),
      log: withoutSecrets,
    },
    serializers: {
      // The serializer reads the members of an error after the formatter has removed the secrets of the record.
      err: (error: Error) => withoutSecrets({ ...stdSerializers.err(error) }),
      // The formatter does not see the bindings of a child logger.
      ...Object.fromEntries([...secretNames].map((name) => [name, () => censored])),
    },
  };
  return pino(settings, options.destination ?? createLogSink(1));
}
