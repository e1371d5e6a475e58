import { sendTemplate } from "../forms/file-columns.ts";
import { get, post, type Route } from "../http/define-route.ts";
import type { Services } from "../services.ts";
import { bulkHandlers } from "./bulk-handlers.ts";
import { eventColumns, numberColumns } from "./import-columns.ts";
import { importHandlers } from "./import-handlers.ts";
import { listBytesMax } from "./read-numbers.ts";
import { requestHandlers } from "./request-handlers.ts";
import { trackHandlers } from "./track-handlers.ts";

export function trackingRequestRoutes(services: Pick<Services, "apiBaseUrl" | "clock">): readonly Route[] {
  const track = trackHandlers(services);
  const bulk = bulkHandlers(services);
  const imports = importHandlers(services);
  const requests = requestHandlers(services);
  return [
    get("/track", "track", track.show),
    post("/track", "track", track.submit),
    get("/track/bulk", "track", bulk.show),
    get("/track/bulk/template.csv", "track", sendTemplate("numbers", numberColumns)),
    post("/track/bulk", "track", bulk.submit, { filesBytesMax: listBytesMax }),
    get("/track/import", "track", imports.show),
    post("/track/import", "track", imports.submit, { filesBytesMax: listBytesMax }),
    get("/track/import/template.csv", "track", sendTemplate("events", eventColumns)),
    get("/track/import/:id", "track", imports.showState),
    get("/tracking-requests", "read", requests.list),
    post("/tracking-requests/:id/dismiss", "handle_exceptions", requests.dismiss),
  ];
}
