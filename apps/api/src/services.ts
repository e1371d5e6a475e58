import type { Clock } from "@svc/domain";
import type { EgressPolicy } from "@svc/egress";
import {
  type AccountSql,
  type AccountTransaction,
  createSecretBox,
  type Database,
  type SecretBox,
  uuidV7,
} from "@svc/persistence";
import { createAlertSubscriptionRepository } from "@svc/persistence/alerts";
import { createAuditLogReader } from "@svc/persistence/audit-events";
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
import { createDemurrageRuleRepository, readDemurrageInputs, readLastFreeDaysByRule } from "@svc/persistence/demurrage";
import { createEdiFileReader, storeEdiFile } from "@svc/persistence/edi-files";
import { createEmissionFactorRepository } from "@svc/persistence/emissions";
import { findPrediction } from "@svc/persistence/eta-predictions";
import { findEventImport, findSubjectsByNumber, storeEventMessage } from "@svc/persistence/event-messages";
import { createExceptionRepository } from "@svc/persistence/exceptions";
import { createExportReader } from "@svc/persistence/exports";
import {
  createAccountChangesReader,
  createChangeTimesReader,
  createFieldHistoryReader,
  createProvenanceReader,
} from "@svc/persistence/history";
import { createIdempotencyRepository } from "@svc/persistence/idempotency";
import { createEtaAccuracyReader, createTransitTimeReader } from "@svc/persistence/lanes";
import { createMemberRepository, type MemberRepository } from "@svc/persistence/members";
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
import { findFieldMatches, findMatchingShipments, findNamesakes } from "@svc/persistence/search";
import { createShareLinkRepository } from "@svc/persistence/share-links";
import { createShipmentRepository, createTrackedStateReader } from "@svc/persistence/shipments";
import { startTracking } from "@svc/persistence/tracking";
import { createTrackingRequestRepository } from "@svc/persistence/tracking-requests";
import {
  createRawEventReader,
  createTransportEventRepository,
  readLastEvents,
} from "@svc/persistence/transport-events";
import { createVesselPositionReader } from "@svc/persistence/vessel-positions";
import { createWebhookNotices, createWebhookRepository, readLastFailures } from "@svc/persistence/webhooks";
import { createSeaRoutes } from "./containers/sea-route-cache.ts";
import type { SampleSender } from "./webhooks/sample-sender.ts";

export interface Settings {
  /** Public address of the API with its version prefix, without a slash at the end. */
  readonly baseUrl: string;
  readonly appUrl: string;
  /** Whether the webhook worker can send e-mail. */
  readonly sendsMail: boolean;
  readonly webhookEgressIps: readonly string[];
  /** Time since when these addresses hold. */
  readonly webhookEgressIpsSince: string;
  /** Policy for the addresses that webhooks may have. */
  readonly webhookTargets: EgressPolicy;
  /** Maximum number of webhooks per account. */
  readonly webhooksPerAccount: number;
  /** Maximum time that a request waits for the outcome of a test call to a carrier. */
  readonly carrierTestWaitMs: number;
}

const catalogueAgeMs = 60_000;

/** Reads once a minute what changes with a release or the configuration of the service. */
function cacheCatalogue<T>(read: () => Promise<T>): () => Promise<T> {
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

export interface ServiceOptions {
  readonly database: Database;
  readonly secretKey: string;
  readonly samples: SampleSender;
  /** Aborts when the process stops: requests that wait for a worker get their response immediately. */
  readonly stopping: AbortSignal;
  readonly clock: Clock;
  readonly settings: Settings;
}

/** Services that all accounts share. */
function sharedServices({ database, samples, stopping, clock, settings }: ServiceOptions, box: SecretBox) {
  const { sql } = database;
  /** Owners of exceptions and receivers of alerts. */
  const members: Pick<MemberRepository, "list"> = createMemberRepository(sql);
  return {
    seaRoutes: createSeaRoutes(),
    vesselPositions: createVesselPositionReader(sql),
    referenceData: createReferenceDataRepository(sql),
    includedReferenceData: createIncludedReferenceData(sql),
    idempotency: createIdempotencyRepository(sql, box),
    members,
    /** All shipping lines with how they write their numbers; may be a minute old. */
    shippingLines: cacheCatalogue(() => readShippingLineCatalogue(sql)),
    /** SCACs of the carriers, terminal operators included, that the operator connected for every account. */
    serviceCarriers: cacheCatalogue(() => readServiceCarriers(sql)),
    ids: uuidV7,
    samples,
    stopping,
    clock,
    settings,
  };
}

/** The records of an account, whose id is the first argument of each call. */
function accountServices(accounts: AccountSql, { sql }: Database, box: SecretBox) {
  return {
    shipments: createShipmentRepository(accounts),
    shareLinks: createShareLinkRepository(accounts, box),
    savedViews: createSavedViewRepository(accounts),
    containers: createContainerRepository(accounts),
    containerRoutes: createContainerRouteReader(accounts, sql),
    transportEvents: createTransportEventRepository(accounts),
    trackingRequests: createTrackingRequestRepository(accounts),
    startTracking: startTracking.bind(null, accounts),
    carrierConnections: createCarrierConnectionRepository(accounts, box),
    eventImports: { store: storeEventMessage.bind(null, accounts), find: findEventImport.bind(null, accounts) },
    ediFiles: { store: storeEdiFile.bind(null, accounts), ...createEdiFileReader(accounts) },
    /** Finds the tracking subjects that the account has for the numbers. */
    findSubjectsByNumber: findSubjectsByNumber.bind(null, accounts),
    webhooks: createWebhookRepository(accounts, box),
    notifications: createNotificationReader(accounts),
    parties: createPartyRepository(accounts),
    exceptions: createExceptionRepository(accounts),
    auditLog: createAuditLogReader(accounts),
    alertSubscriptions: createAlertSubscriptionRepository(accounts, box),
    demurrageRules: createDemurrageRuleRepository(accounts),
    readDemurrageInputs: readDemurrageInputs.bind(null, accounts),
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
    findPrediction: findPrediction.bind(null, accounts),
    trackedState: createTrackedStateReader(accounts),
    notificationFeed: createNotificationFeed(accounts),
    webhookNotices: createWebhookNotices(accounts),
    deliveryLog: createDeliveryLog(accounts),
    readDeliveryDetails: readDeliveryDetails.bind(null, accounts),
    readDeliveryHours: readDeliveryHours.bind(null, accounts),
    readDeliveryPerformance: readDeliveryPerformance.bind(null, accounts),
    readLastFailures: readLastFailures.bind(null, accounts),
    readLastEvents: readLastEvents.bind(null, accounts),
    findNamesakes: findNamesakes.bind(null, accounts),
    readLastFreeDaysByRule: readLastFreeDaysByRule.bind(null, accounts),
    /** Ids of the shipments that a search should show, newest first. */
    findMatchingShipments: findMatchingShipments.bind(null, accounts),
    findFieldMatches: findFieldMatches.bind(null, accounts),
    findMatchingContainers: findMatchingContainers.bind(null, accounts),
  };
}

type SharedServices = Readonly<ReturnType<typeof sharedServices>>;
type AccountServices = Readonly<ReturnType<typeof accountServices>>;

/** Dependencies of the API's operations. */
export interface Services extends SharedServices, AccountServices {
  /**
   * One transaction of one account. The given `services` run all their statements in it; a transaction that they open
   * is a savepoint, which is rolled back by itself.
   */
  readonly transaction: <T>(
    accountId: string,
    work: (sql: AccountTransaction, services: Services) => Promise<T>,
  ) => Promise<T>;
}

export function createServices(options: ServiceOptions): Services {
  const { database, secretKey } = options;
  const box = createSecretBox(secretKey);
  const shared = sharedServices(options, box);
  return {
    ...shared,
    ...accountServices(database.tenantSql, database, box),
    transaction: (accountId, work) =>
      database.tenantTransaction(accountId, (transaction) => {
        const services: Services = {
          ...shared,
          ...accountServices(transaction, database, box),
          transaction: (_accountId, part) => transaction.attempt(() => part(transaction, services)),
        };
        return work(transaction, services);
      }),
  };
}
