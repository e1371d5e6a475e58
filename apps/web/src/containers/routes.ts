import { get, post, type Route } from "../http/define-route.ts";
import type { Services } from "../services.ts";
import { containerHandlers } from "./container-handlers.ts";
import { editHandlers } from "./edit-handlers.ts";
import { listHandler } from "./list-handler.ts";

export function containerRoutes(services: Pick<Services, "apiBaseUrl" | "clock">): readonly Route[] {
  const container = containerHandlers(services);
  const edit = editHandlers();
  return [
    get("/containers", "read", listHandler(services)),
    get("/containers/:id", "account", container.show),
    get("/containers/:id/raw-events", "account", container.showRawEvents),
    get("/containers/:id/edit", "edit_records", edit.show),
    post("/containers/:id/edit", "edit_records", edit.save),
  ];
}
