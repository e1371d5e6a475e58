import type { Clock, IdGenerator, SearchQuery } from "@svc/domain";
import type {
  CatalogueLine,
  ContainerRepository,
  ContainerRouteReader,
  Database,
  DeliveryLog,
  FieldHistoryReader,
  IdempotencyRepository,
  IncludedReferenceData,
  NotificationFeed,
  NotificationReader,
  PartyRepository,
  RawEventReader,
  ReferenceDataRepository,
  ShipmentRepository,
  TrackingRequestRepository,
  TransportEventRepository,
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
  readonly webhooks: WebhookRepository;
  readonly notifications: NotificationReader;
  readonly parties: PartyRepository;
  readonly referenceData: ReferenceDataRepository;
  readonly includedReferenceData: IncludedReferenceData;
  readonly idempotency: IdempotencyRepository;
  readonly rawEvents: RawEventReader;
  readonly history: FieldHistoryReader;
  readonly notificationFeed: NotificationFeed;
  readonly deliveryLog: DeliveryLog;
  readonly samples: SampleSender;
  /** Ids of the shipments that a search should show, newest first. */
  readonly findMatchingShipments: (accountId: string, query: SearchQuery, limit: number) => Promise<readonly string[]>;
  /** For what must be written together, for one account. */
  readonly transaction: Database["tenantTransaction"];
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
  /** Since when these addresses hold: the start of the process. */
  readonly webhookEgressIpsSince: string;
  /** http:// and loopback webhook targets, for development. */
  readonly allowInsecureWebhookTargets: boolean;
}
