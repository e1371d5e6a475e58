import { get, post, type Route } from "../http/define-route.ts";
import { changeShipmentRows } from "../rows/shipment-rows.ts";
import type { Services } from "../services.ts";
import { editHandlers } from "./edit-handlers.ts";
import { jsonHandler } from "./json-handler.ts";
import { listHandler } from "./list-handler.ts";
import { refreshHandler } from "./refresh.ts";
import { shipmentHandler } from "./shipment-handler.ts";

export function shipmentRoutes(
  services: Pick<Services, "apiBaseUrl" | "appUrl" | "clock" | "members" | "sendsMail">,
): readonly Route[] {
  const { apiBaseUrl, appUrl, clock } = services;
  const edit = editHandlers(services);
  return [
    get("/shipments", "account", listHandler(apiBaseUrl, clock)),
    post("/shipments/rows", "edit_records", changeShipmentRows),
    get("/shipments/:id", "account", shipmentHandler(services)),
    get("/shipments/:id/json", "read", jsonHandler(apiBaseUrl)),
    post("/shipments/:id/refresh", "track", refreshHandler(appUrl)),
    get("/shipments/:id/edit", "edit_records", edit.show),
    post("/shipments/:id/edit", "edit_records", edit.save),
    post("/shipments/:id/tracking", "track", edit.setTracking),
  ];
}
