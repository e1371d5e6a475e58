import fs from "node:fs";
import type { Server } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as setTimeoutAsync } from "node:timers/promises";
import express, { type RequestHandler } from "express";
import { collectDefaultMetrics, Registry } from "prom-client";
import { ConfigError, type ProcessConfig } from "./config.ts";
import { healthRoutes, type ReadinessCheck } from "./health.ts";
import { createLogSink } from "./log-sink.ts";
import { createLogger, type Logger } from "./logger.ts";
import { type RawResponse, type RequestFault, respondToMalformedRequests } from "./malformed-requests.ts";
import { countDroppedLines, metricsRoutes } from "./metrics-route.ts";
import { unknownVariables } from "./service-variables.ts";
import { StartError } from "./start-when-ready.ts";
import { createTracer, type Tracer } from "./tracer.ts";
import { createWatchdog, superviseLoops, type Watchdog } from "./watchdog.ts";

/** Dependencies that a service receives when it starts. */
export interface ServiceContext {
  readonly logger: Logger;
  readonly metrics: Registry;
  /** Records traces. Not set: nothing is traced. */
  readonly tracer?: Tracer;
  /** Registers loops whose stall must fail liveness. Without it, stalls are not detected. */
  readonly watchdog?: Watchdog;
}

/** A started service. */
export interface RunningService {
  /** Its HTTP application; absent for a worker, which serves only health and metrics. */
  readonly handler?: RequestHandler;
  /** Response to input that is not a readable HTTP request; by default a bare status line. */
  readonly responseToMalformed?: (fault: RequestFault) => RawResponse;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  /** Finishes or releases the work in progress and closes connections. */
  close(): Promise<void>;
}

export interface ServiceDefinition<Config extends ProcessConfig> {
  readonly name: string;
  readonly loadConfig: (environment: Readonly<Record<string, string | undefined>>) => Config;
  readonly start: (config: Config, context: ServiceContext) => Promise<RunningService>;
}

/**
 * Longer than a webhook request and storing its outcome may take. A supervisor should wait a little longer before
 * SIGKILL.
 */
const stopDeadlineMs = 14_000;
/** How often a stopping service closes the connections that became idle. */
const idleCloseMs = 100;
/** Sampling every 10 ms, the default, takes 0.6 % of a core in an idle process; every 100 ms takes 0.1 %. */
const eventLoopSampleMs = 100;

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

/** Writes synchronously, because the process exits next; write errors are ignored. */
function fail(message: string): never {
  try {
    fs.writeSync(2, `${message}\n`);
  } catch {}
  process.exit(1);
}

function startupMessage(name: string, error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const { code, port } = error as { code?: string; port?: number };
  if (code === "EADDRINUSE") return `${name} cannot start: port ${port} is in use. Stop what uses it or set PORT.`;
  return `${name} cannot start: ${error instanceof Error ? error.message : String(error)}`;
}

/**
 * Runs one service as the process: configuration, log, and an HTTP server with health and metrics. SIGTERM and SIGINT
 * start a graceful shutdown: readiness fails, new requests are still accepted for SVC_DRAIN_SECONDS, and requests in
 * progress finish. A second signal, or the deadline, ends the process immediately.
 */
export async function runService<Config extends ProcessConfig>(definition: ServiceDefinition<Config>): Promise<void> {
  const { name } = definition;
  const server = createServer({ keepAliveTimeout: 65_000, headersTimeout: 66_000 });
  let isStopping = false;
  let started: StartedProcess;
  try {
    started = await startProcess(definition, server, () => isStopping);
  } catch (error) {
    fail(startupMessage(name, error));
  }
  const { logger, drainMs } = started;

  const stop = async (signal: string): Promise<void> => {
    if (isStopping) process.exit(1);
    isStopping = true;
    logger.info({ signal }, "service.stopping");
    const deadlineMs = drainMs + stopDeadlineMs;
    setTimeout(() => fail(`${name} did not stop in ${deadlineMs} ms and was ended.`), deadlineMs).unref();
    await shutDown(server, started);
    logger.info("service.stopped");
    process.exit(0);
  };
  process.on("SIGTERM", (signal) => void stop(signal));
  process.on("SIGINT", (signal) => void stop(signal));
  process.on("unhandledRejection", (error) => {
    if (error instanceof StartError) logger.fatal({ err: error.cause }, "service.start_failed");
    else logger.fatal({ err: error }, "service.unhandled_rejection");
    process.exit(1);
  });
}

interface StartedProcess {
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly service: RunningService;
  /** Serves the metrics on a port of their own. */
  readonly metricsServer: Server | undefined;
  /** How long new requests are still accepted after a stop signal. */
  readonly drainMs: number;
}

/** Starts the service, then listens. */
async function startProcess<Config extends ProcessConfig>(
  definition: ServiceDefinition<Config>,
  server: Server,
  isStopping: () => boolean,
): Promise<StartedProcess> {
  const { name } = definition;
  const config = definition.loadConfig(process.env);
  const sink = createLogSink(1);
  const logger = createLogger({ service: name, level: config.LOG_LEVEL, destination: sink });
  for (const unknown of unknownVariables(process.env)) logger.warn(unknown, "configuration.variable_unknown");
  const metrics = new Registry();
  countDroppedLines(metrics, sink);
  metrics.setDefaultLabels({ service: name });
  collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: eventLoopSampleMs });
  const tracer = createTracer(name, process.env, (error) => logger.warn({ err: error }, "traces.not_sent"));
  const watchdog = createWatchdog();
  const service = await definition.start(config, { logger, metrics, tracer, watchdog });
  superviseLoops(watchdog, (loops) => {
    logger.fatal({ loops }, "service.stalled");
    process.exit(1);
  });
  const isPublic = service.handler !== undefined;
  const metricsEndpoint = metricsRoutes(metrics, { token: config.SVC_METRICS_TOKEN, isPublic });
  const health = healthRoutes({ checks: service.checks, logger, isStopping, stalledLoops: watchdog.stalled });
  serve(server, service, { isStopping, health, metrics: metricsEndpoint.handler });
  const address = await listen(server, config.PORT, config.HOST);
  let metricsServer: Server | undefined;
  if (config.METRICS_PORT !== undefined) {
    metricsServer = metricsEndpoint.createServer();
    await listen(metricsServer, config.METRICS_PORT, config.HOST);
  }
  logger.info({ host: address.address, port: address.port }, "service.started");
  return { logger, tracer, service, metricsServer, drainMs: isPublic ? config.SVC_DRAIN_SECONDS * 1_000 : 0 };
}

/** Serves health, metrics and the application of the service. */
function serve(
  server: Server,
  service: RunningService,
  routes: { readonly isStopping: () => boolean; readonly health: RequestHandler; readonly metrics: RequestHandler },
): void {
  const app = express();
  app.disable("x-powered-by");
  app.use((_request, response, next) => {
    // The client opens its next connection to another instance.
    if (routes.isStopping()) response.shouldKeepAlive = false;
    next();
  });
  app.use(routes.health);
  app.get("/metrics", routes.metrics);
  if (service.handler) app.use(service.handler);
  if (service.responseToMalformed) respondToMalformedRequests(server, service.responseToMalformed);
  server.on("request", app);
}

/** Finishes the requests in progress, then closes the service. */
async function shutDown(server: Server, { service, tracer, metricsServer, drainMs }: StartedProcess): Promise<void> {
  // Readiness fails from here on. Until load balancers notice, requests still arrive; their connections close after
  // the response.
  await setTimeoutAsync(drainMs);
  const closed = new Promise((resolve) => server.close(resolve));
  metricsServer?.close();
  metricsServer?.closeAllConnections();
  // A connection whose response began before the stop becomes idle at its end and would stay open.
  server.closeIdleConnections();
  const closing = setInterval(() => server.closeIdleConnections(), idleCloseMs);
  await service.close();
  await tracer.close();
  await closed;
  clearInterval(closing);
}
