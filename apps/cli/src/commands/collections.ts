import type {
  AlertSubscriptionResource,
  AuditEventResource,
  Client,
  DemurrageRuleResource,
  ExceptionResource,
  MappedContainer,
  MappedRecord,
  MappedShipment,
  MappedTrackingRequest,
  NotificationResource,
  PartyResource,
  SavedViewResource,
  ShareLinkResource,
  ShippingLineResource,
  WebhookResource,
} from "@svc/sdk";
import { type Column, columnsFor } from "../output/cells.ts";

/** A filter of a list: the client's name for it, and what a person reads in the help. */
export interface Filter {
  readonly name: string;
  /** `shipments` and `containers`: ids or numbers of them. */
  readonly kind: "text" | "time" | "flag" | "shipments" | "containers";
  readonly help: string;
}

interface ListParameters {
  readonly filter?: object;
  readonly page?: number | undefined;
  readonly pageSize?: number | undefined;
  readonly sort?: string | undefined;
  /** Of shipping lines. */
  readonly search?: string | undefined;
}

interface CallOptions {
  readonly signal: AbortSignal;
  readonly format: "raw" | "mapped";
}

/** The part of the client that reads one kind of record. */
interface Records {
  list?(parameters: ListParameters, options: CallOptions): Promise<unknown>;
  iterate?(parameters: ListParameters, options: CallOptions): AsyncIterable<unknown>;
  get(id: string, options: CallOptions & { readonly asOf?: string | undefined }): Promise<unknown>;
}

/** Records that are listed and read in the same way. */
export interface Collection {
  readonly name: string;
  readonly what: string;
  /** What `get` takes. */
  readonly key: string;
  /** `get` can show one as it was known at a time. */
  readonly hasPast?: true;
  /** The list of saved views whose filters and order `list` can take. */
  readonly views?: "shipments" | "exceptions";
  readonly filters: readonly Filter[];
  readonly columns: readonly Column[];
  readonly of: (client: Client) => Records;
}

const text = (name: string, help: string): Filter => ({ name, kind: "text", help });
const time = (name: string, help: string): Filter => ({ name, kind: "time", help });
const flag = (name: string, help: string): Filter => ({ name, kind: "flag", help });

const commonFilters = [
  text("status", "of the voyage, for example in_transit"),
  text("port", "UN/LOCODE of lading, discharge or destination"),
  text("carrier", "SCAC"),
  time("updatedAfter", "changed since"),
  time("createdAfter", "made since"),
  text("number", "bill of lading, booking or container"),
  text("refNumber", "reference number"),
  text("tag", "tag"),
  flag("trackingStopped", "tracking has ended"),
];

export const collections: readonly Collection[] = [
  {
    name: "shipments",
    what: "shipments",
    key: "id or number",
    hasPast: true,
    views: "shipments",
    filters: [...commonFilters, time("arrivalAfter", "arrives later than"), time("arrivalBefore", "arrives before")],
    columns: columnsFor<MappedShipment>(
      ["NUMBER", "billOfLadingNumber"],
      ["LINE", "shippingLineScac"],
      ["FROM", "portOfLadingLocode"],
      ["TO", "portOfDischargeLocode"],
      ["ETA (UTC]", "podEtaAt"],
      ["ARRIVED", "podAtaAt"],
      ["TAGS", "tags"],
      ["ID", "id"],
    ),
    of: (client) => client.shipments,
  },
  {
    name: "containers",
    what: "containers",
    key: "id or number",
    hasPast: true,
    filters: [
      ...commonFilters,
      time("pickupLfdBefore", "last free day before"),
      flag("hasHolds", "held"),
      flag("availableForPickup", "can be picked up"),
    ],
    columns: columnsFor<MappedContainer>(
      ["NUMBER", "number"],
      ["STATUS", "status"],
      ["SHIPMENT", "shipment.billOfLading"],
      ["LAST FREE DAY", "demurrage.pickupLfd"],
      ["AVAILABLE", "location.availableForPickup"],
      ["ID", "id"],
    ),
    of: (client) => client.containers,
  },
  {
    name: "exceptions",
    what: "exceptions",
    key: "id",
    views: "exceptions",
    filters: [
      text("status", "open, snoozed or resolved"),
      text("kind", "for example customs_hold or last_free_day_over"),
      text("severity", "critical or warning"),
      text("owner", "e-mail address of the owner, or none"),
      { name: "shipment", kind: "shipments", help: "id or number of the shipment" },
      { name: "container", kind: "containers", help: "id or number of the container" },
      text("trackingRequest", "id of the tracking request"),
      text("carrier", "SCAC"),
      text("customer", "part of the customer's name"),
      text("tag", "tag of the shipment"),
      time("openedAfter", "opened since"),
    ],
    columns: columnsFor<MappedRecord<ExceptionResource>>(
      ["SEVERITY", "severity"],
      ["STATUS", "status"],
      ["NUMBER", "number"],
      ["SUMMARY", "summary"],
      ["OWNER", "owner"],
      ["OPENED (UTC)", "openedAt"],
      ["ID", "id"],
    ),
    of: (client) => client.exceptions,
  },
  {
    name: "alerts",
    what: "alert subscriptions",
    key: "id",
    filters: [],
    columns: columnsFor<MappedRecord<AlertSubscriptionResource>>(
      ["NAME", "name"],
      ["CHANNEL", "channel"],
      ["MEMBER", "member"],
      ["SENT", "frequency"],
      ["ACTIVE", "active"],
      ["LAST SENT (UTC)", "lastSentAt"],
      ["LAST ERROR", "lastError"],
      ["ID", "id"],
    ),
    of: ({ alertSubscriptions }) => ({
      ...alertSubscriptions,
      iterate: (_parameters, options) => alertSubscriptions.iterate(options),
    }),
  },
  {
    name: "views",
    what: "saved views",
    key: "id",
    filters: [text("list", "shipments, containers or exceptions")],
    columns: columnsFor<MappedRecord<SavedViewResource>>(
      ["NAME", "name"],
      ["LIST", "list"],
      ["SHARED", "shared"],
      ["DEFAULT", "isDefault"],
      ["BY", "createdBy"],
      ["ID", "id"],
    ),
    of: (client) => client.savedViews,
  },
  {
    name: "audit",
    what: "the audit log: who changed what and when",
    key: "id",
    filters: [
      text("actor", "id of a user or API token"),
      text("actorType", "user, api_token, operator or unknown"),
      text("action", "for example webhook.updated"),
      text("subject", "id of the record that was changed"),
      text("subjectType", "for example webhook"),
      time("createdAfter", "made after this time"),
      time("createdBefore", "made before this time"),
    ],
    columns: columnsFor<MappedRecord<AuditEventResource>>(
      ["TIME (UTC)", "createdAt"],
      ["ACTOR", "actorName"],
      ["TYPE", "actorType"],
      ["ACTION", "action"],
      ["SUBJECT", "subjectName"],
      ["ID", "id"],
    ),
    of: (client) => client.auditEvents,
  },
  {
    name: "demurrage-rules",
    what: "free time and charges of lines and terminals",
    key: "id",
    filters: [],
    columns: columnsFor<MappedRecord<DemurrageRuleResource>>(
      ["NAME", "name"],
      ["KIND", "kind"],
      ["DIRECTION", "direction"],
      ["CARRIER", "carrierScac"],
      ["PORT", "portLocode"],
      ["TERMINAL", "terminalCode"],
      ["FREE DAYS", "freeDays"],
      ["CURRENCY", "currencyCode"],
      ["ID", "id"],
    ),
    of: ({ demurrageRules }) => ({
      ...demurrageRules,
      iterate: (_parameters, options) => demurrageRules.iterate(options),
    }),
  },
  {
    name: "share-links",
    what: "public pages of shipments",
    key: "id",
    filters: [
      { name: "shipment", kind: "shipments", help: "id or number of the shipment" },
      text("status", "active, expired or revoked"),
    ],
    columns: columnsFor<MappedRecord<ShareLinkResource>>(
      ["SHIPMENT", "shipmentNumber"],
      ["STATUS", "status"],
      ["ADDRESS", "url"],
      ["EXPIRES (UTC)", "expiresAt"],
      ["VIEWS", "openedCount"],
      ["BY", "createdBy"],
      ["ID", "id"],
    ),
    of: (client) => client.shareLinks,
  },
  {
    name: "tracking-requests",
    what: "tracking requests",
    key: "id",
    filters: [
      text("status", "pending, awaiting_manifest, created, failed or tracking_stopped"),
      text("requestType", "bill_of_lading, booking_number or container"),
      text("requestNumber", "number"),
      text("scac", "SCAC"),
      time("createdFrom", "made since"),
      time("createdTo", "made until"),
      time("updatedFrom", "changed since"),
      time("updatedTo", "changed until"),
    ],
    columns: columnsFor<MappedTrackingRequest>(
      ["NUMBER", "requestNumber"],
      ["TYPE", "requestType"],
      ["LINE", "scac"],
      ["STATUS", "status"],
      ["FAILED", "failedReason"],
      ["MADE", "createdAt"],
      ["ID", "id"],
    ),
    of: (client) => client.trackingRequests,
  },
  {
    name: "notifications",
    what: "webhook notifications",
    key: "id",
    filters: [
      text("deliveryStatus", "pending, succeeded or failed"),
      text("event", "for example container.transport.vessel_arrived"),
      text("webhook", "id of the webhook"),
      time("createdAfter", "made since"),
    ],
    columns: columnsFor<MappedRecord<NotificationResource>>(
      ["MADE", "createdAt"],
      ["EVENT", "event"],
      ["DELIVERY", "deliveryStatus"],
      ["ID", "id"],
    ),
    of: (client) => client.notifications,
  },
  {
    name: "webhooks",
    what: "webhooks",
    key: "id",
    filters: [],
    columns: columnsFor<MappedRecord<WebhookResource>>(
      ["URL", "url"],
      ["ACTIVE", "active"],
      ["EVENTS", "events"],
      ["ID", "id"],
    ),
    of: ({ webhooks }) => ({ ...webhooks, iterate: (_parameters, options) => webhooks.iterate(options) }),
  },
  {
    name: "parties",
    what: "parties",
    key: "id",
    filters: [],
    columns: columnsFor<MappedRecord<PartyResource>>(["COMPANY", "companyName"], ["ID", "id"]),
    of: ({ parties }) => ({ ...parties, iterate: (_parameters, options) => parties.iterate(options) }),
  },
  {
    name: "carrier-connections",
    what: "connections to carriers",
    key: "id",
    filters: [],
    columns: [
      { title: "LINE", path: "scac" },
      { title: "STATUS", path: "status" },
      { title: "CREDENTIALS", path: "credentialKind" },
      { title: "LAST SUCCESS", path: "lastSuccessAt" },
      { title: "ID", path: "id" },
    ],
    of: ({ carrierConnections }) => ({
      ...carrierConnections,
      iterate: (_parameters, options) => carrierConnections.iterate(options),
    }),
  },
  {
    name: "shipping-lines",
    what: "shipping lines",
    key: "SCAC or id",
    filters: [],
    columns: columnsFor<MappedRecord<ShippingLineResource>>(["SCAC", "scac"], ["NAME", "name"], ["SHORT", "shortName"]),
    of: ({ shippingLines }) => shippingLines,
  },
  {
    name: "ports",
    what: "ports",
    key: "UN/LOCODE or id",
    filters: [],
    columns: [],
    of: ({ ports }) => ({ get: ports.get }),
  },
  {
    name: "terminals",
    what: "terminals",
    key: "id",
    filters: [],
    columns: [],
    of: ({ terminals }) => ({ get: terminals.get }),
  },
  {
    name: "vessels",
    what: "vessels",
    key: "IMO number or id",
    filters: [],
    columns: [],
    of: ({ vessels }) => ({ get: vessels.get }),
  },
  {
    name: "metro-areas",
    what: "metropolitan areas",
    key: "UN/LOCODE or id",
    filters: [],
    columns: [],
    of: ({ metroAreas }) => ({ get: metroAreas.get }),
  },
];

export function collectionNamed(name: string): Collection {
  const found = collections.find((collection) => collection.name === name);
  if (found === undefined) throw new Error(`No collection ${name}.`);
  return found;
}
