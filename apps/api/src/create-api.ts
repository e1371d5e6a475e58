import type { Clock, Instant } from "@svc/domain";
import type { SearchQuery } from "@svc/domain/search";
import type { Shipment } from "@svc/domain/shipments";
import { type AccountSql, createSecretBox, type Database, uuidV7 } from "@svc/persistence";
import { createAlertSubscriptionRepository } from "@svc/persistence/alerts";
import { createAuditLogReader } from "@svc/persistence/audit";
import { createCarrierConnectionRepository, readServiceCarriers } from "@svc/persistence/carrier-connections";
import { createContainerRouteReader } from "@svc/persistence/container-route";
import {
  createContainerLinkReader,
  createContainerRepository,
  findMatchingContainers,
} from "@svc/persistence/containers";
import {
  createCustomFieldDefinitionRepository,
  createCustomFieldOptionRepository,
  createCustomFieldRepository,
} from "@svc/persistence/custom-fields";
import { createDemurrageRuleRepository, readDemurrageOfContainer } from "@svc/persistence/demurrage";
import { createEdiFileReader, type NewEdiFile, storeEdiFile } from "@svc/persistence/edi-files";
import { createEmissionFactorRepository } from "@svc/persistence/emissions";
import { createEtaAccuracyReader } from "@svc/persistence/eta-accuracy";
import { findPrediction } from "@svc/persistence/eta-predictions";
import {
  type CarrierNumber,
  findEventImport,
  findSubjectsOfNumbers,
  type NewEventMessage,
  storeEventMessage,
} from "@svc/persistence/event-messages";
import { createExceptionRepository } from "@svc/persistence/exceptions";
import { createExportReader } from "@svc/persistence/exports";
import {
  createAccountChangesReader,
  createChangeTimesReader,
  createFieldHistoryReader,
  createProvenanceReader,
} from "@svc/persistence/history";
import { createIdempotencyRepository } from "@svc/persistence/idempotency";
import { createMemberRepository } from "@svc/persistence/members";
import {
  createDeliveryLog,
  createNotificationFeed,
  createNotificationReader,
  readDeliveryDetails,
  readDeliveryHours,
  readDeliveryPerformance,
} from "@svc/persistence/notifications";
import {
  createContainerLocationReader,
  createContainerOverviewReader,
  createShipmentOverviewReader,
} from "@svc/persistence/overviews";
import { createPartyRepository } from "@svc/persistence/parties";
import {
  createIncludedReferenceData,
  createReferenceDataRepository,
  readShippingLineCatalogue,
} from "@svc/persistence/reference-data";
import { createSavedViewRepository } from "@svc/persistence/saved-views";
import { findMatchingShipments, findNamesakes } from "@svc/persistence/search";
import { createSessionRepository } from "@svc/persistence/sessions";
import { createShareLinkRepository } from "@svc/persistence/share-links";
import { createShipmentRepository, createTrackedStateReader } from "@svc/persistence/shipments";
import { createTokenRepository, findKnownTokens } from "@svc/persistence/tokens";
import { type NewTrackingRequest, startTracking } from "@svc/persistence/tracking";
import { createTrackingRequestRepository } from "@svc/persistence/tracking-requests";
import { createTransitTimeReader } from "@svc/persistence/transit-times";
import {
  createRawEventReader,
  createTransportEventRepository,
  readLastEvents,
} from "@svc/persistence/transport-events";
import { createVesselPositionReader } from "@svc/persistence/vessel-positions";
import { createWebhookNotices, createWebhookRepository, readLastFailures } from "@svc/persistence/webhooks";
import type { RedisClient } from "@svc/redis";
import type { Logger, RawAnswer, Tracer, UnreadableRequest } from "@svc/service-kit";
import { Router } from "express";
import type { Registry } from "prom-client";
import { receiveCarrierEvents } from "./carrier-events/receive-carrier-events.ts";
import { createSeaRoutes } from "./containers/sea-routes.ts";
import { createAuthenticate } from "./http/authenticator.ts";
import { createRouter } from "./http/create-router.ts";
import { nothingHere } from "./http/nothing-here.ts";
import { createTransferSlots } from "./http/transfer-slots.ts";
import { unreadableAnswer } from "./http/unreadable.ts";
import { buildOpenApi } from "./openapi/build-openapi.ts";
import { apiVersion, docsAddress } from "./openapi/published-description.ts";
import { createInvalidTokenLimit } from "./rate-limits/invalid-token-limit.ts";
import { createRateLimits, type RateLimitName } from "./rate-limits/rate-limits.ts";
import { serveReference } from "./reference/serve-reference.ts";
import { routes } from "./routes.ts";
import type { Services, Settings } from "./services.ts";
import type { SampleSender } from "./webhooks/sample-sender.ts";

export interface ApiOptions {
  readonly database: Database;
  readonly redis?: RedisClient;
  readonly secretKey: string;
  readonly samples: SampleSender;
  /** Aborts when the process stops: requests that wait for a worker are answered at once. */
  readonly stopping: AbortSignal;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly limits: Readonly<Record<RateLimitName, number>>;
  /** 304 responses that together count as one request. */
  readonly notModifiedPerRequest: number;
  /** Reverse proxies in front whose X-Forwarded-For is trusted. */
  readonly trustedProxyCount: number;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly tracer?: Tracer;
}

const catalogueAgeMs = 60_000;

/** Reads once a minute what changes with a release or the configuration of the service. */
function remember<T>(read: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  let readAtMs = 0;
  return () => {
    if (value && Date.now() - readAtMs < catalogueAgeMs) return value;
    readAtMs = Date.now();
    const reading = read();
    reading.catch(() => {
      value = undefined;
    });
    value = reading;
    return reading;
  };
}

function createServices({ database, secretKey, samples, stopping, clock, settings }: ApiOptions): Services {
  const { sql } = database;
  const box = createSecretBox(secretKey);
  const ofAllAccounts = {
    seaRoutes: createSeaRoutes(),
    vesselPositions: createVesselPositionReader(sql),
    referenceData: createReferenceDataRepository(sql),
    includedReferenceData: createIncludedReferenceData(sql),
    idempotency: createIdempotencyRepository(sql, box),
    samples,
    stopping,
    members: createMemberRepository(sql),
    shippingLines: remember(() => readShippingLineCatalogue(sql)),
    serviceCarriers: remember(() => readServiceCarriers(sql)),
    clock,
    ids: uuidV7,
    settings,
  };
  const ofAccounts = (accounts: AccountSql) => ({
    shipments: createShipmentRepository(accounts),
    shareLinks: createShareLinkRepository(accounts, box),
    savedViews: createSavedViewRepository(accounts),
    containers: createContainerRepository(accounts),
    containerRoutes: createContainerRouteReader(accounts, sql),
    transportEvents: createTransportEventRepository(accounts),
    trackingRequests: createTrackingRequestRepository(accounts),
    startTracking: (accountId: string, request: NewTrackingRequest) => startTracking(accounts, accountId, request),
    carrierConnections: createCarrierConnectionRepository(accounts, box),
    eventImports: {
      store: (accountId: string, message: NewEventMessage) => storeEventMessage(accounts, accountId, message),
      find: (accountId: string, id: string) => findEventImport(accounts, accountId, id),
    },
    ediFiles: {
      store: (accountId: string, file: NewEdiFile) => storeEdiFile(accounts, accountId, file),
      ...createEdiFileReader(accounts),
    },
    subjectsOfNumbers: (accountId: string, numbers: readonly CarrierNumber[]) =>
      findSubjectsOfNumbers(accounts, accountId, numbers),
    webhooks: createWebhookRepository(accounts, box),
    notifications: createNotificationReader(accounts),
    parties: createPartyRepository(accounts),
    exceptions: createExceptionRepository(accounts),
    auditLog: createAuditLogReader(accounts),
    alertSubscriptions: createAlertSubscriptionRepository(accounts, box),
    demurrageRules: createDemurrageRuleRepository(accounts),
    demurrageOfContainer: (accountId: string, containerId: string) =>
      readDemurrageOfContainer(accounts, accountId, containerId),
    emissionFactors: createEmissionFactorRepository(accounts),
    customFields: createCustomFieldRepository(accounts),
    customFieldDefinitions: createCustomFieldDefinitionRepository(accounts),
    customFieldOptions: createCustomFieldOptionRepository(accounts),
    rawEvents: createRawEventReader(accounts),
    containerLinks: createContainerLinkReader(accounts),
    history: createFieldHistoryReader(accounts),
    accountChanges: createAccountChangesReader(accounts),
    changeTimes: createChangeTimesReader(accounts),
    exports: createExportReader(accounts),
    containerOverviews: createContainerOverviewReader(accounts),
    containerLocations: createContainerLocationReader(accounts, sql),
    shipmentOverviews: createShipmentOverviewReader(accounts),
    provenance: createProvenanceReader(accounts),
    transitTimes: createTransitTimeReader(accounts),
    etaAccuracy: createEtaAccuracyReader(accounts),
    predictionOf: (accountId: string, shipmentId: string) => findPrediction(accounts, accountId, shipmentId),
    trackedState: createTrackedStateReader(accounts),
    notificationFeed: createNotificationFeed(accounts),
    webhookNotices: createWebhookNotices(accounts),
    deliveryLog: createDeliveryLog(accounts),
    deliveryDetails: (accountId: string, ids: readonly string[]) => readDeliveryDetails(accounts, accountId, ids),
    deliveryHours: (accountId: string, ids: readonly string[], range: Parameters<typeof readDeliveryHours>[3]) =>
      readDeliveryHours(accounts, accountId, ids, range),
    deliveryPerformance: (
      accountId: string,
      webhookId: string | null,
      range: Parameters<typeof readDeliveryPerformance>[3],
    ) => readDeliveryPerformance(accounts, accountId, webhookId, range),
    lastFailures: (accountId: string, ids: readonly string[]) => readLastFailures(accounts, accountId, ids),
    lastEvents: (accountId: string, containerIds: readonly string[], asOf?: Instant) =>
      readLastEvents(accounts, accountId, containerIds, asOf),
    relatedShipments: (accountId: string, shipment: Pick<Shipment, "id" | "refNumbers">, limit: number) =>
      findNamesakes(accounts, accountId, shipment, limit),
    findMatchingShipments: (accountId: string, query: SearchQuery, limit: number) =>
      findMatchingShipments(accounts, accountId, query, limit),
    findMatchingContainers: (accountId: string, shipmentIds: readonly string[], part: string) =>
      findMatchingContainers(accounts, accountId, shipmentIds, part),
  });
  return {
    ...ofAllAccounts,
    ...ofAccounts(database.tenantSql),
    transaction: (accountId, work) =>
      database.tenantTransaction(accountId, (transaction) => {
        const services: Services = {
          ...ofAllAccounts,
          ...ofAccounts(transaction),
          transaction: (_accountId, part) => transaction.attempt(() => part(transaction, services)),
        };
        return work(transaction, services);
      }),
  };
}

export interface Api {
  readonly handler: Router;
  readonly services: Services;
  /** The answer to what is no HTTP request. */
  readonly unreadable: (why: UnreadableRequest) => RawAnswer;
  /** Resolves once no request is being served: only then connections may be closed. */
  whenIdle(): Promise<void>;
}

/** The whole HTTP API over one database. The caller opens and closes the connections. */
export function createApi(options: ApiOptions): Api {
  const { database, redis, settings, limits, notModifiedPerRequest, trustedProxyCount, logger, metrics } = options;
  const services = createServices(options);
  const docsUrl = docsAddress(settings.baseUrl);
  // Takes as long as hundreds of requests, and most processes are never asked for it.
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
  const handler = Router().use("/v2", router).use(serveReference(describe, settings.appUrl)).use(nothingHere(docsUrl));
  return { handler, services, unreadable: unreadableAnswer(docsUrl), whenIdle };
}
