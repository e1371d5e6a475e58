import { createSecretBox } from "@svc/persistence";
import { createSessionRepository } from "@svc/persistence/sessions";
import { createTokenRepository, findKnownTokens } from "@svc/persistence/tokens";
import type { RedisClient } from "@svc/redis";
import type { Logger, RawResponse, RequestFault, Tracer } from "@svc/service-kit";
import { Router } from "express";
import type { Registry } from "prom-client";
import { receiveCarrierEvents } from "./event-messages/receive-carrier-events.ts";
import { createAuthenticate } from "./http/authenticator.ts";
import { createRouter } from "./http/create-router.ts";
import { malformedRequestResponse } from "./http/malformed-request.ts";
import { createTransferSlots } from "./http/transfer-slots.ts";
import { unknownPath } from "./http/unknown-path.ts";
import { buildOpenApi } from "./openapi/build-openapi.ts";
import { apiVersion, docsAddress } from "./openapi/published-description.ts";
import { createInvalidTokenLimit } from "./rate-limits/invalid-token-limit.ts";
import { createRateLimits, type RateLimitName } from "./rate-limits/rate-limits.ts";
import { serveReference } from "./reference/serve-reference.ts";
import { routes } from "./routes.ts";
import { createServices, type ServiceOptions, type Services } from "./services.ts";

export interface ApiOptions extends ServiceOptions {
  readonly redis?: RedisClient;
  readonly limits: Readonly<Record<RateLimitName, number>>;
  /** 304 responses that together count as one request. */
  readonly notModifiedPerRequest: number;
  /** Reverse proxies in front whose X-Forwarded-For is trusted. */
  readonly trustedProxyCount: number;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly tracer?: Tracer;
}

export interface Api {
  readonly handler: Router;
  readonly services: Services;
  /** Response to malformed HTTP requests. */
  readonly responseToMalformed: (fault: RequestFault) => RawResponse;
  /** Resolves once no request is being served: only then connections may be closed. */
  whenIdle(): Promise<void>;
}

/** The whole HTTP API over one database. The caller opens and closes the connections. */
export function createApi(options: ApiOptions): Api {
  const { database, redis, settings, limits, notModifiedPerRequest, trustedProxyCount, logger, metrics } = options;
  const services = createServices(options);
  const docsUrl = docsAddress(settings.baseUrl);
  // Built on first use: it costs as much as hundreds of requests.
  const describe = () => buildOpenApi(routes, settings.baseUrl);
  const box = createSecretBox(options.secretKey);
  const rateLimits = createRateLimits({ limits, notModifiedPerRequest, logger, ...(redis && { redis }) });
  const invalidTokens = createInvalidTokenLimit(rateLimits, limits.invalid_token);
  const { clock } = options;
  const pushes = { database, box, clock, rateLimits, invalidTokens, trustedProxyCount, logger };
  const { router, whenIdle } = createRouter({
    routes,
    unlisted: { "/carrier_events/{id}": receiveCarrierEvents(pushes) },
    services,
    authenticate: createAuthenticate({
      tokens: createTokenRepository(database.sql),
      sessions: createSessionRepository(database.sql),
      findKnownTokens: (digests) => findKnownTokens(database.sql, digests),
      invalidTokens,
      appUrl: settings.appUrl,
    }),
    rateLimits,
    reading: (work) => database.reading(work),
    slots: {
      exports: createTransferSlots("exports and downloads", 3),
      uploads: createTransferSlots("uploads of more than 1 MiB", 2),
    },
    trustedProxyCount,
    apiVersion,
    description: () => JSON.stringify(describe()),
    logger,
    metrics,
    ...(options.tracer && { tracer: options.tracer }),
  });
  const handler = Router().use("/v2", router).use(serveReference(describe, settings.appUrl)).use(unknownPath(docsUrl));
  return { handler, services, responseToMalformed: malformedRequestResponse(docsUrl), whenIdle };
}
