import { getContainer } from "./get-container.ts";
import { getContainerRoute } from "./get-container-route.ts";
import { getContainerTransportEvents } from "./get-container-transport-events.ts";
import { getShipmentDetails } from "./get-shipment-details.ts";
import { getSupportedShippingLines } from "./get-supported-shipping-lines.ts";
import { listChanges } from "./list-changes.ts";
import { listContainers } from "./list-containers.ts";
import { listShipments } from "./list-shipments.ts";
import { listTrackingRequests } from "./list-tracking-requests.ts";
import { searchContainer } from "./search-container.ts";
import type { Tool } from "./shared/define-tool.ts";
import { trackContainer } from "./track-container.ts";
import { updateShipment } from "./update-shipment.ts";

/** The tools of the specification in its order, then those that it does not have. */
export const tools: readonly Tool[] = [
  searchContainer,
  trackContainer,
  getContainer,
  getShipmentDetails,
  getContainerTransportEvents,
  getSupportedShippingLines,
  getContainerRoute,
  listShipments,
  listContainers,
  listTrackingRequests,
  listChanges,
  updateShipment,
];
