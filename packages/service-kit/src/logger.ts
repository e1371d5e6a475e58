import { type DestinationStream, type Logger, pino, stdSerializers } from "pino";
import { createLogSink } from "./log-sink.ts";
import { censored, secretNames, withoutSecrets } from "./without-secrets.ts";

export type { Logger } from "pino";

/** The time as a member of a line. All but the milliseconds is the same for a second, and is written once in it. */
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

/** Structured JSON, one line an event. stdio services pass stderr, because stdout carries their protocol. */
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
      // An error's own members are read by its serializer, after the record was looked at.
      err: (error: Error) => withoutSecrets({ ...stdSerializers.err(error) }),
      // The formatter does not see what a child logger carries.
      ...Object.fromEntries([...secretNames].map((name) => [name, () => censored])),
    },
  };
  return pino(settings, options.destination ?? createLogSink(1));
}
