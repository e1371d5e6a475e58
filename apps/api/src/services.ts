import type { Clock, IdGenerator, SearchQuery } from "@svc/domain";
import type { EgressPolicy } from "@svc/egress";
import type {
  AccountChangesReader,
  AccountTransaction,
  CarrierConnectionRepository,
  CarrierNumber,
  CatalogueLine,
  ContainerLinkReader,
  ContainerOverviewReader,
  ContainerRepository,
  ContainerRouteReader,
  CustomFieldDefinitionRepository,
  CustomFieldOptionRepository,
  CustomFieldRepository,
  DeliveryLog,
  EtaAccuracyReader,
  EventMessageState,
  ExceptionRepository,
  ExportReader,
  FieldHistoryReader,
  IdempotencyRepository,
  IncludedReferenceData,
  MemberRepository,
  NewEventMessage,
  NotificationFeed,
  NotificationReader,
  PartyRepository,
  ProvenanceReader,
  RawEventReader,
  ReferenceDataRepository,
  ShipmentOverviewReader,
  ShipmentRepository,
  SubjectOfNumber,
  TrackedStateReader,
  TrackingRequestRepository,
  TransportEventRepository,
  WebhookNotices,
  WebhookRepository,
} from "@svc/persistence";
import type { SeaRoutes } from "./containers/sea-routes.ts";
import type { SampleSender } from "./webhooks/sample-sender.ts";

/** What the operations of the API work with. */
export interface Services {
  readonly shipments: ShipmentRepository;
  readonly containers: ContainerRepository;
  readonly containerRoutes: ContainerRouteReader;
  readonly seaRoutes: SeaRoutes;
  readonly transportEvents: TransportEventRepository;
  readonly trackingRequests: TrackingRequestRepository;
  readonly carrierConnections: CarrierConnectionRepository;
  readonly eventImports: {
    /** As `storeEventMessage`. */
    store(accountId: string, message: NewEventMessage): Promise<EventMessageState | null>;
    find(accountId: string, id: string): Promise<EventMessageState | null>;
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
  readonly exports: ExportReader;
  readonly containerOverviews: ContainerOverviewReader;
  readonly shipmentOverviews: ShipmentOverviewReader;
  readonly provenance: ProvenanceReader;
  readonly etaAccuracy: EtaAccuracyReader;
  readonly trackedState: TrackedStateReader;
  readonly notificationFeed: NotificationFeed;
  readonly webhookNotices: WebhookNotices;
  readonly deliveryLog: DeliveryLog;
  readonly samples: SampleSender;
  /** Aborts when the process stops. */
  readonly stopping: AbortSignal;
  /** Ids of the shipments that a search should show, newest first. */
  readonly findMatchingShipments: (accountId: string, query: SearchQuery, limit: number) => Promise<readonly string[]>;
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
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly settings: Settings;
}

export interface Settings {
  /** Public address of the API with its version prefix, without a slash at the end. */
  readonly baseUrl: string;
  readonly appUrl: string;
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
