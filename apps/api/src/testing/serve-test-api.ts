import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "@svc/domain";
import type { Database } from "@svc/persistence";
import type { RedisClient } from "@svc/redis";
import { createLogger, respondToMalformedRequests } from "@svc/service-kit";
import express from "express";
import { Registry } from "prom-client";
import { createApi } from "../create-api.ts";
import type { RateLimitName } from "../rate-limits/rate-limits.ts";
import { createSampleSender } from "../webhooks/sample-sender.ts";

export interface ServedApiOptions {
  /** Default: a new one. */
  readonly secretKey?: string;
  readonly limits?: Partial<Record<RateLimitName, number>>;
  readonly redis?: RedisClient;
  readonly trustedProxyCount?: number;
  readonly notModifiedPerRequest?: number;
  readonly allowInsecureWebhookTargets?: boolean;
  readonly webhooksPerAccount?: number;
  /** No tracking worker runs in most tests, so that a request for a test call waits for nothing. */
  readonly carrierTestWaitMs?: number;
  readonly sendsMail?: boolean;
  readonly webhookEgressIps?: string[];
  /** Base URL of links. Default: the address of the server. */
  readonly publicBaseUrl?: string;
  /** Receives each line of the log. */
  readonly onLog?: (line: Readonly<Record<string, unknown>>) => void;
}

/** The API on a port of its own, in this process. */
export interface ServedApi {
  /** Base URL with /v2. */
  readonly url: string;
  /** Resolves once no request is being served. */
  whenIdle(): Promise<void>;
  /** Leaves the database open. */
  stop(): Promise<void>;
}

/** Serves the API over the database, without the limits of a deployment unless they are named. */
export async function serveTestApi(database: Database, clock: Clock, options: ServedApiOptions): Promise<ServedApi> {
  const { onLog } = options;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`;
  const webhookTargets = { allowInsecureTargets: options.allowInsecureWebhookTargets ?? false };
  const samples = createSampleSender(webhookTargets);
  const stopping = new AbortController();
  const api = createApi({
    samples,
    stopping: stopping.signal,
    database,
    ...(options.redis && { redis: options.redis }),
    secretKey: options.secretKey ?? randomBytes(32).toString("base64"),
    clock,
    settings: {
      baseUrl: options.publicBaseUrl ?? baseUrl,
      appUrl: "http://localhost:4002",
      webhookEgressIps: options.webhookEgressIps ?? [],
      webhookEgressIpsSince: clock.now(),
      webhookTargets,
      webhooksPerAccount: options.webhooksPerAccount ?? 100_000,
      carrierTestWaitMs: options.carrierTestWaitMs ?? 0,
      sendsMail: options.sendsMail ?? true,
    },
    limits: {
      default: 100_000,
      create_tracking_request: 100_000,
      infer: 100_000,
      refresh: 100_000,
      carrier_test: 100_000,
      push: 100_000,
      session: 100_000,
      invalid_token: 100_000,
      ...options.limits,
    },
    notModifiedPerRequest: options.notModifiedPerRequest ?? 10,
    trustedProxyCount: options.trustedProxyCount ?? 0,
    logger: onLog
      ? createLogger({ service: "api-test", destination: { write: (line) => onLog(JSON.parse(line)) } })
      : createLogger({ service: "api-test", level: "silent" }),
    metrics: new Registry(),
  });
  respondToMalformedRequests(server, api.responseToMalformed);
  server.on("request", express().disable("x-powered-by").use(api.handler));
  return {
    url: baseUrl,
    whenIdle: () => api.whenIdle(),
    async stop() {
      await new Promise((resolve) => server.close(resolve).closeAllConnections());
      stopping.abort();
      await samples.close();
      await api.whenIdle();
    },
  };
}
