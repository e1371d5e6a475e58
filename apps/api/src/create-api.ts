import type { Clock } from "@svc/domain";
import {
  type CatalogueLine,
  createContainerRepository,
  createContainerRouteReader,
  createDeliveryLog,
  createFieldHistoryReader,
  createIdempotencyRepository,
  createIncludedReferenceData,
  createNotificationFeed,
  createNotificationReader,
  createPartyRepository,
  createRawEventReader,
  createReferenceDataRepository,
  createSecretBox,
  createShipmentRepository,
  createTokenRepository,
  createTrackingRequestRepository,
  createTransportEventRepository,
  createWebhookRepository,
  type Database,
  findMatchingShipments,
  readShippingLineCatalogue,
  uuidV7,
} from "@svc/persistence";
import type { Logger } from "@svc/service-kit";
import { Router } from "express";
import type { Redis } from "ioredis";
import type { Registry } from "prom-client";
import { createSeaRoutes } from "./containers/sea-routes.ts";
import { createAuthenticate } from "./http/authenticator.ts";
import { createRouter } from "./http/create-router.ts";
import { nothingHere } from "./http/nothing-here.ts";
import { apiVersion } from "./openapi/api-version.ts";
import { buildOpenApi } from "./openapi/build-openapi.ts";
import { docsPagePolicy, renderDocsPage } from "./openapi/docs-page.ts";
import { staticDocument } from "./openapi/static-document.ts";
import { createRateLimits, type RateLimitName } from "./rate-limits/rate-limits.ts";
import { routes } from "./routes.ts";
import type { Services, Settings } from "./services.ts";
import type { SampleSender } from "./webhooks/sample-sender.ts";

export interface ApiOptions {
  readonly database: Database;
  readonly redis?: Redis;
  readonly secretKey: string;
  readonly samples: SampleSender;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly limits: Readonly<Record<RateLimitName, number>>;
  readonly logger: Logger;
  readonly metrics: Registry;
}

const catalogueAgeMs = 60_000;

/** The catalogue changes with a release, and every creation needs it: it is read once a minute. */
function rememberShippingLines(database: Database): () => Promise<readonly CatalogueLine[]> {
  let lines: Promise<readonly CatalogueLine[]> | undefined;
  let readAtMs = 0;
  return () => {
    if (lines && Date.now() - readAtMs < catalogueAgeMs) return lines;
    readAtMs = Date.now();
    const reading = readShippingLineCatalogue(database.sql);
    reading.catch(() => {
      lines = undefined;
    });
    lines = reading;
    return reading;
  };
}

function createServices({ database, secretKey, samples, clock, settings }: ApiOptions): Services {
  const { sql, tenantSql } = database;
  const box = createSecretBox(secretKey);
  return {
    shipments: createShipmentRepository(tenantSql),
    containers: createContainerRepository(tenantSql),
    containerRoutes: createContainerRouteReader(tenantSql, sql),
    seaRoutes: createSeaRoutes(),
    transportEvents: createTransportEventRepository(tenantSql),
    trackingRequests: createTrackingRequestRepository(database),
    webhooks: createWebhookRepository(tenantSql, box),
    notifications: createNotificationReader(tenantSql),
    parties: createPartyRepository(tenantSql),
    referenceData: createReferenceDataRepository(sql),
    includedReferenceData: createIncludedReferenceData(sql),
    idempotency: createIdempotencyRepository(database, box),
    rawEvents: createRawEventReader(tenantSql),
    history: createFieldHistoryReader(tenantSql),
    notificationFeed: createNotificationFeed(tenantSql),
    deliveryLog: createDeliveryLog(tenantSql),
    findMatchingShipments: (accountId, query, limit) => findMatchingShipments(tenantSql, accountId, query, limit),
    samples,
    transaction: (accountId, work) => database.tenantTransaction(accountId, work),
    shippingLines: rememberShippingLines(database),
    clock,
    ids: uuidV7,
    settings,
  };
}

export interface Api {
  readonly handler: Router;
  readonly services: Services;
  /** Resolves once no request is being served: only then connections may be closed. */
  whenIdle(): Promise<void>;
}

/** The whole HTTP API over one database. Whoever made the connections closes them. */
export function createApi(options: ApiOptions): Api {
  const { database, redis, settings, limits, logger, metrics } = options;
  const services = createServices(options);
  const description = buildOpenApi(routes, settings.baseUrl);
  const docsPage = staticDocument(renderDocsPage(description), {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": docsPagePolicy,
    "X-Content-Type-Options": "nosniff",
  });
  const { router, whenIdle } = createRouter({
    routes,
    services,
    authenticate: createAuthenticate({ tokens: createTokenRepository(database.sql), appUrl: settings.appUrl }),
    rateLimits: createRateLimits({ limits, logger, ...(redis && { redis }) }),
    apiVersion,
    description: JSON.stringify(description),
    logger,
    metrics,
  });
  const handler = Router().use("/v2", router).get("/docs", docsPage).use(nothingHere);
  return { handler, services, whenIdle };
}
