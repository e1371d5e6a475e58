import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type Server } from "node:http";
import express, { type Request, type RequestHandler, type Response } from "express";
import { Gauge, type Registry } from "prom-client";
import type { LogSink } from "./log-sink.ts";

/** Maximum share of the process's time that collecting metrics may take, regardless of the scrape rate. */
const collectingShare = 0.1;

/** The metrics as text. A result is reused for nine times as long as it took to collect. */
function cachedText(registry: Registry): () => Promise<string> {
  let text: Promise<string> | undefined;
  return () => {
    if (text) return text;
    const startedAtMs = performance.now();
    const collecting = registry.metrics();
    text = collecting;
    const expire = (): void => {
      text = undefined;
    };
    collecting.then(() => {
      const tookMs = performance.now() - startedAtMs;
      setTimeout(expire, tookMs / collectingShare - tookMs).unref();
    }, expire);
    return collecting;
  };
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

function isBearer(request: Request, token: string): boolean {
  const bearerToken = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  return bearerToken !== undefined && timingSafeEqual(digest(bearerToken), digest(token));
}

export interface MetricsAccess {
  /** Bearer token that grants access to the metrics on the service's own port. */
  readonly token: string | undefined;
  /** Whether users, and not only the operator, reach the service's port. */
  readonly isPublic: boolean;
}

export interface MetricsRoutes {
  /** For the service's own port: open when only the operator reaches it, otherwise closed or protected by the token. */
  readonly handler: RequestHandler;
  /** A separate server that serves only the metrics, for a port that only the operator reaches. */
  createServer(): Server;
}

/** `/metrics` in the text format of Prometheus. */
export function metricsRoutes(registry: Registry, { token, isPublic }: MetricsAccess): MetricsRoutes {
  const text = cachedText(registry);
  const send = async (response: Response): Promise<void> => {
    response.type(registry.contentType).send(await text());
  };
  return {
    async handler(request, response) {
      if (token === undefined && isPublic) {
        response.status(404).type("text/plain");
        response.send("The metrics are not on this port. Set METRICS_PORT or SVC_METRICS_TOKEN to read them.\n");
      } else if (token !== undefined && !isBearer(request, token)) {
        response.status(401).set("WWW-Authenticate", "Bearer").type("text/plain");
        response.send("Send the value of SVC_METRICS_TOKEN as a bearer token.\n");
      } else await send(response);
    },
    createServer() {
      const app = express().disable("x-powered-by");
      app.get("/metrics", (_request, response) => send(response));
      return createServer(app);
    },
  };
}

/** `svc_log_dropped_lines`, which shows that the log cannot be written. */
export function countDroppedLines(registry: Registry, sink: LogSink): void {
  new Gauge({
    name: "svc_log_dropped_lines",
    help: "Log lines dropped since the process started, because the reader is closed or too slow",
    registers: [registry],
    collect() {
      this.set(sink.droppedLines());
    },
  });
}
