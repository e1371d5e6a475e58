import type { Clock, IdGenerator, Instant } from "@svc/domain";
import type { SearchQuery } from "@svc/domain/search";
import type { Shipment } from "@svc/domain/shipments";
import type { EgressPolicy } from "@svc/egress";
import type { AccountTransaction } from "@svc/persistence";
import type { AlertSubscriptionRepository } from "@svc/persistence/alerts";
import type { AuditLogReader } from "@svc/persistence/audit";
import type { CarrierConnectionRepository } from "@svc/persistence/carrier-connections";
import type { ContainerRouteReader } from "@svc/persistence/container-route";
import type { ContainerLinkReader, ContainerRepository, MatchingContainer } from "@svc/persistence/containers";
import type {
  CustomFieldDefinitionRepository,
  CustomFieldOptionRepository,
  CustomFieldRepository,
} from "@svc/persistence/custom-fields";
import type { DemurrageOfContainer, DemurrageRuleRepository } from "@svc/persistence/demurrage";
import type { EdiFile, EdiFileReader, NewEdiFile } from "@svc/persistence/edi-files";
import type { EmissionFactorRepository } from "@svc/persistence/emissions";
import type { EtaAccuracyReader } from "@svc/persistence/eta-accuracy";
import type { ShipmentPrediction } from "@svc/persistence/eta-predictions";
import type {
  CarrierNumber,
  EventMessageState,
  NewEventMessage,
  SubjectOfNumber,
} from "@svc/persistence/event-messages";
import type { ExceptionRepository } from "@svc/persistence/exceptions";
import type { ExportReader } from "@svc/persistence/exports";
import type {
  AccountChangesReader,
  ChangeTimesReader,
  FieldHistoryReader,
  ProvenanceReader,
} from "@svc/persistence/history";
import type { IdempotencyRepository } from "@svc/persistence/idempotency";
import type { MemberRepository } from "@svc/persistence/members";
import type {
  DeliveryDetails,
  DeliveryHour,
  DeliveryLog,
  DeliveryPerformance,
  NotificationFeed,
  NotificationReader,
} from "@svc/persistence/notifications";
import type {
  ContainerLocationReader,
  ContainerOverviewReader,
  ShipmentOverviewReader,
} from "@svc/persistence/overviews";
import type { PartyRepository } from "@svc/persistence/parties";
import type { CatalogueLine, IncludedReferenceData, ReferenceDataRepository } from "@svc/persistence/reference-data";
import type { SavedViewRepository } from "@svc/persistence/saved-views";
import type { Namesake } from "@svc/persistence/search";
import type { ShareLinkRepository } from "@svc/persistence/share-links";
import type { ShipmentRepository, TrackedStateReader } from "@svc/persistence/shipments";
import type { CreatedOrDuplicate, NewTrackingRequest } from "@svc/persistence/tracking";
import type { TrackingRequestRepository } from "@svc/persistence/tracking-requests";
import type { TransitTimeReader } from "@svc/persistence/transit-times";
import type { LastEvent, RawEventReader, TransportEventRepository } from "@svc/persistence/transport-events";
import type { VesselPositionReader } from "@svc/persistence/vessel-positions";
import type { LastFailure, WebhookNotices, WebhookRepository } from "@svc/persistence/webhooks";
import type { SeaRoutes } from "./containers/sea-routes.ts";
import type { SampleSender } from "./webhooks/sample-sender.ts";

/** What the operations of the API work with. */
export interface Services {
  readonly shipments: ShipmentRepository;
  readonly shareLinks: ShareLinkRepository;
  readonly savedViews: SavedViewRepository;
  readonly containers: ContainerRepository;
  readonly containerRoutes: ContainerRouteReader;
  readonly seaRoutes: SeaRoutes;
  readonly vesselPositions: VesselPositionReader;
  readonly transportEvents: TransportEventRepository;
  readonly trackingRequests: TrackingRequestRepository;
  /** As `startTracking`. */
  readonly startTracking: (accountId: string, request: NewTrackingRequest) => Promise<CreatedOrDuplicate>;
  readonly carrierConnections: CarrierConnectionRepository;
  readonly eventImports: {
    /** As `storeEventMessage`. */
    store(accountId: string, message: NewEventMessage): Promise<EventMessageState | null>;
    find(accountId: string, id: string): Promise<EventMessageState | null>;
  };
  readonly ediFiles: EdiFileReader & {
    /** As `storeEdiFile`. */
    store(accountId: string, file: NewEdiFile): Promise<EdiFile | null>;
  };
  /** What the account tracks under the numbers. */
  readonly subjectsOfNumbers: (
    accountId: string,
    numbers: readonly CarrierNumber[],
  ) => Promise<readonly SubjectOfNumber[]>;
  readonly webhooks: WebhookRepository;
  readonly notifications: NotificationReader;
  readonly parties: PartyRepository;
  readonly exceptions: ExceptionRepository;
  readonly alertSubscriptions: AlertSubscriptionRepository;
  readonly auditLog: AuditLogReader;
  readonly demurrageRules: DemurrageRuleRepository;
  /** As `readDemurrageOfContainer`. */
  readonly demurrageOfContainer: (accountId: string, containerId: string) => Promise<DemurrageOfContainer | null>;
  readonly emissionFactors: EmissionFactorRepository;
  /** The members of the account, who own exceptions. */
  readonly members: Pick<MemberRepository, "list">;
  readonly customFields: CustomFieldRepository;
  readonly customFieldDefinitions: CustomFieldDefinitionRepository;
  readonly customFieldOptions: CustomFieldOptionRepository;
  readonly referenceData: ReferenceDataRepository;
  readonly includedReferenceData: IncludedReferenceData;
  readonly idempotency: IdempotencyRepository;
  readonly rawEvents: RawEventReader;
  /** The newest events of containers, as their records link them. */
  readonly containerLinks: ContainerLinkReader;
  readonly history: FieldHistoryReader;
  readonly accountChanges: AccountChangesReader;
  readonly changeTimes: ChangeTimesReader;
  readonly exports: ExportReader;
  readonly containerOverviews: ContainerOverviewReader;
  readonly containerLocations: ContainerLocationReader;
  readonly shipmentOverviews: ShipmentOverviewReader;
  readonly provenance: ProvenanceReader;
  readonly transitTimes: TransitTimeReader;
  readonly etaAccuracy: EtaAccuracyReader;
  /** As `findPrediction`. */
  readonly predictionOf: (accountId: string, shipmentId: string) => Promise<ShipmentPrediction | null>;
  readonly trackedState: TrackedStateReader;
  readonly notificationFeed: NotificationFeed;
  readonly webhookNotices: WebhookNotices;
  readonly deliveryLog: DeliveryLog;
  /** As `readDeliveryDetails`. */
  readonly deliveryDetails: (accountId: string, notificationIds: readonly string[]) => Promise<DeliveryDetails[]>;
  /** As `readDeliveryHours`. */
  readonly deliveryHours: (
    accountId: string,
    webhookIds: readonly string[],
    range: { readonly nowMs: number; readonly hours: number },
  ) => Promise<DeliveryHour[]>;
  /** As `readDeliveryPerformance`. */
  readonly deliveryPerformance: (
    accountId: string,
    webhookId: string | null,
    range: { readonly endMs: number; readonly intervalMs: number; readonly count: number },
  ) => Promise<DeliveryPerformance[]>;
  readonly lastFailures: (accountId: string, webhookIds: readonly string[]) => Promise<LastFailure[]>;
  readonly samples: SampleSender;
  /** Aborts when the process stops. */
  readonly stopping: AbortSignal;
  /** As `readLastEvents`. */
  readonly lastEvents: (accountId: string, containerIds: readonly string[], asOf?: Instant) => Promise<LastEvent[]>;
  /** As `findNamesakes`. */
  readonly relatedShipments: (
    accountId: string,
    shipment: Pick<Shipment, "id" | "refNumbers">,
    limit: number,
  ) => Promise<Namesake[]>;
  /** Ids of the shipments that a search should show, newest first. */
  readonly findMatchingShipments: (accountId: string, query: SearchQuery, limit: number) => Promise<readonly string[]>;
  /** As `findMatchingContainers`. */
  readonly findMatchingContainers: (
    accountId: string,
    shipmentIds: readonly string[],
    part: string,
  ) => Promise<readonly MatchingContainer[]>;
  /**
   * One transaction of one account. The given `services` run all their statements in it; a transaction that they open
   * is a savepoint, which is rolled back by itself.
   */
  readonly transaction: <T>(
    accountId: string,
    work: (sql: AccountTransaction, services: Services) => Promise<T>,
  ) => Promise<T>;
  /** All shipping lines with how they write their numbers; may be a minute old. */
  readonly shippingLines: () => Promise<readonly CatalogueLine[]>;
  /** SCACs of the carriers, terminal operators included, that the operator connected for every account. */
  readonly serviceCarriers: () => Promise<ReadonlySet<string>>;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly settings: Settings;
}

export interface Settings {
  /** Public address of the API with its version prefix, without a slash at the end. */
  readonly baseUrl: string;
  readonly appUrl: string;
  /** Whether the webhook worker can send e-mail. */
  readonly sendsMail: boolean;
  readonly webhookEgressIps: readonly string[];
  /** Since when these addresses hold. */
  readonly webhookEgressIpsSince: string;
  /** Which webhook targets are accepted. */
  readonly webhookTargets: EgressPolicy;
  /** As many webhooks as an account may have. */
  readonly webhooksPerAccount: number;
  /** For how long a request waits for the outcome of a test call to a carrier. */
  readonly carrierTestWaitMs: number;
}
