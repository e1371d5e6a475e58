export { cacheLookups } from "./cache-lookups.ts";
export { clientAddress, networkOf, trustedProxyCount } from "./client-address.ts";
export {
  ConfigError,
  flag,
  processVariables,
  readConfig,
  secretKeys,
} from "./config.ts";
export { databaseVariables, postgresUrl } from "./database-variables.ts";
export { escapeHtml } from "./escape-html.ts";
export type { ReadinessCheck } from "./health.ts";
export type { LogEvent } from "./log-events/log-events.ts";
export { createLogger, type Logger } from "./logger.ts";
export { isLoopbackHost } from "./loopback-host.ts";
export { type RawResponse, type RequestFault, respondToMalformedRequests } from "./malformed-requests.ts";
export { MemoryWindow, type WindowState } from "./memory-window.ts";
export { repeat, throttleByCause } from "./repeat.ts";
export { createRequestRecorder } from "./request-recorder.ts";
export { resolvesWithin } from "./resolves-within.ts";
export { type BatchRunOptions, runBatches } from "./run-batches.ts";
export { type RunningService, runService, type ServiceContext } from "./run-service.ts";
export { unknownVariables } from "./service-variables.ts";
export { startWhenReady } from "./start-when-ready.ts";
export { followClock, realTime, type TimeSource } from "./time-source.ts";
export { globalTracer, type Span, type Tracer } from "./tracer.ts";
export { startWakeUpLoop, type WakeUpLoop } from "./wake-up-loop.ts";
export { createWatchdog, type WatchedLoop } from "./watchdog.ts";
