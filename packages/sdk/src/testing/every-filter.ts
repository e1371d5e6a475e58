/** Filters of the lists, each with a value, so that a new one does not compile until it has one here. */
import type { AuditEventFilters } from "../resources/audit-events.ts";
import type { ContainerFilters } from "../resources/containers.ts";
import type { CustomFieldDefinitionFilters, CustomFieldFilters } from "../resources/custom-fields.ts";
import type { EdiFileFilters } from "../resources/edi-files.ts";
import type { EtaAccuracyFilters } from "../resources/eta-accuracy.ts";
import type { ExceptionFilters } from "../resources/exceptions.ts";
import type { NotificationFilters } from "../resources/notifications.ts";
import type { OverviewFilters } from "../resources/overviews.ts";
import type { SavedViewFilters } from "../resources/saved-views.ts";
import type { ShareLinkFilters } from "../resources/share-links.ts";
import type { ShipmentFilters } from "../resources/shipments.ts";
import type { TrackingRequestFilters } from "../resources/tracking-requests.ts";

const id = "0197a1b2-0000-7000-8000-000000000001";
const text = "x";
const commonFilters = {
  status: text,
  port: text,
  carrier: text,
  updatedAfter: text,
  createdAfter: text,
  number: text,
  refNumber: text,
  tag: text,
  trackingStopped: true,
};
export const shipmentFilters: Required<ShipmentFilters> = { ...commonFilters, arrivalAfter: text, arrivalBefore: text };
export const containerFilters: Required<ContainerFilters> = {
  ...commonFilters,
  pickupLfdBefore: text,
  hasHolds: true,
  availableForPickup: true,
};
export const ediFileFilters: Required<EdiFileFilters> = {
  status: text,
  source: text,
  partner: text,
  sender: text,
  hasFaults: true,
};
export const exceptionFilters: Required<ExceptionFilters> = {
  kind: text,
  severity: text,
  status: text,
  resolution: text,
  superseded: false,
  owner: text,
  shipment: text,
  container: text,
  trackingRequest: text,
  carrier: text,
  customer: text,
  customerName: text,
  portOfDischarge: text,
  tag: text,
  search: text,
  openedAfter: text,
  ended: true,
};
export const savedViewFilters: Required<SavedViewFilters> = { list: text };
export const auditEventFilters: Required<AuditEventFilters> = {
  actor: text,
  actorType: text,
  action: text,
  subject: text,
  subjectType: text,
  createdAfter: text,
  createdBefore: text,
};
export const shareLinkFilters: Required<ShareLinkFilters> = { shipment: text, status: text };
export const trackingRequestFilters: Required<TrackingRequestFilters> = {
  status: text,
  requestType: text,
  requestNumber: text,
  scac: text,
  search: text,
  createdFrom: text,
  createdTo: text,
  updatedFrom: text,
  updatedTo: text,
  carrierConnected: false,
  resolved: false,
};
export const notificationFilters: Required<NotificationFilters> = {
  deliveryStatus: text,
  event: text,
  webhook: text,
  createdAfter: text,
};

export const overviewFilters: Required<OverviewFilters> = {
  status: text,
  port: text,
  endPort: text,
  transshipmentPort: text,
  carrier: text,
  customer: text,
  customerName: text,
  tag: text,
  refNumber: text,
  number: text,
  search: text,
  vessel: text,
  arrivalAfter: text,
  arrivalBefore: text,
  delayedByDays: 1,
  trackingStopped: true,
  stale: true,
  updatedAfter: text,
  createdAfter: text,
  shipment: text,
  equipment: text,
  hasHolds: true,
  hasFees: true,
  availableForPickup: true,
  lastFreeDayBefore: text,
  lastFreeDayAfter: text,
  lastFreeDay: "this_week",
  lastFreeDayWithinDays: 1,
  notReturnedForDays: 1,
  emptyReturned: false,
};
export const accuracyFilters: Required<EtaAccuracyFilters> = {
  carrier: text,
  portOfLading: text,
  portOfDischarge: text,
};
export const definitionFilters: Required<CustomFieldDefinitionFilters> = {
  entityType: text,
  dataType: text,
  displayName: text,
};
export const fieldFilters: Required<CustomFieldFilters> = { entityType: text, entityId: id, definitionId: id };
