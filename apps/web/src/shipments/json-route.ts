import type { PageHandler } from "../http/handler.ts";
import { sendPage } from "../http/send-page.ts";
import { jsonPage } from "./json-page.ts";

/** `GET /shipments/{id}/json`: for signed-in users, because the API does not accept their session. */
export function jsonRoute(apiBaseUrl: string): PageHandler {
  return async (request, response, caller) => {
    const document = await caller.api.shipments.get(String(request.params.id), { include: ["containers"] });
    const { id, attributes } = document.data;
    const number = attributes.bill_of_lading_number;
    const apiPath = `/shipments/${id}?include=containers`;
    sendPage(response, 200, jsonPage({ caller, apiBaseUrl, id, number, apiPath, document }));
  };
}
