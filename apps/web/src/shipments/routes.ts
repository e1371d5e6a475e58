import { get, post, type Route } from "../http/define-route.ts";
import { changeShipmentRows } from "../rows/shipment-rows.ts";
import type { Services } from "../services.ts";
import { editHandlers } from "./edit-handlers.ts";
import { jsonRoute } from "./json-route.ts";
import { listRoute } from "./list-route.ts";
import { refreshRoute } from "./refresh.ts";
import { shipmentRoute } from "./shipment-route.ts";

export function shipmentRoutes(
  services: Pick<Services, "apiBaseUrl" | "appUrl" | "clock" | "members" | "sendsMail">,
): readonly Route[] {
  const { apiBaseUrl, appUrl, clock } = services;
  const edit = editHandlers(services);
  return [
    get("/shipments", "account", listRoute(apiBaseUrl, clock)),
    post("/shipments/rows", "edit_records", changeShipmentRows),
    get("/shipments/:id", "account", shipmentRoute(services)),
    get("/shipments/:id/json", "read", jsonRoute(apiBaseUrl)),
    post("/shipments/:id/refresh", "track", refreshRoute(appUrl)),
    get("/shipments/:id/edit", "edit_records", edit.show),
    post("/shipments/:id/edit", "edit_records", edit.save),
    post("/shipments/:id/tracking", "track", edit.setTracking),
  ];
}
