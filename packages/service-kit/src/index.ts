export { ConfigError, flag, type ProcessConfig, processVariables, readConfig, secretKeys } from "./config.ts";
export type { ReadinessCheck } from "./health.ts";
export { createLogger, type Logger } from "./logger.ts";
export { rememberBriefly } from "./remember-briefly.ts";
export { type RunningService, runService, type ServiceContext, type ServiceDefinition } from "./run-service.ts";
export { followClock, realTime, type TimeSource } from "./time-source.ts";
export { createTracer, passingTracer, type Span, type Tracer } from "./tracer.ts";
export { answerUnreadable, type RawAnswer, type UnreadableRequest } from "./unreadable-requests.ts";
export { createWatchdog, type Watchdog, type WatchedLoop } from "./watchdog.ts";
