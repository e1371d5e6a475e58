/** A page with the API path and the MCP tool that return its data. */
export interface SameData {
  /** Path of the page, with `{id}` for an id. */
  readonly page: string;
  readonly shows: string;
  /** Relative to the base URL of the API. */
  readonly apiPath: string;
  /** Absent when the MCP server has no tool for the data. */
  readonly tool?: string;
}

const container = { apiPath: "/containers/{id}", tool: "get_container" };

export const sameData: readonly SameData[] = [
  { page: "/shipments", shows: "all shipments", apiPath: "/shipments", tool: "list_shipments" },
  {
    page: "/shipments/find",
    shows: "the shipment or container of a number",
    apiPath: "/search",
    tool: "search_container",
  },
  {
    page: "/shipments/{id}",
    shows: "one shipment",
    apiPath: "/shipments/{id}/tracking_summary",
    tool: "get_shipment_details",
  },
  { page: "/containers/{id}", shows: "one container", ...container },
  { page: "/containers/{id}/raw-events", shows: "reports of carriers and terminals about a container", ...container },
  {
    page: "/tracking-requests",
    shows: "the status of each tracking request",
    apiPath: "/tracking_requests",
    tool: "list_tracking_requests",
  },
  { page: "/map", shows: "where all containers are", apiPath: "/container_positions" },
  { page: "/carriers/performance", shows: "ETA accuracy of carriers by lane", apiPath: "/eta_accuracy" },
  { page: "/developers/webhooks", shows: "all webhooks", apiPath: "/webhooks" },
  { page: "/developers/webhooks/{id}", shows: "one webhook", apiPath: "/webhooks/{id}" },
  { page: "/developers/notifications", shows: "all webhook notifications", apiPath: "/webhook_deliveries" },
  {
    page: "/developers/notifications/{id}",
    shows: "delivery attempts of a notification, with the responses",
    apiPath: "/webhook_notifications/{id}/attempts",
  },
  { page: "/developers/events", shows: "every kind of event", apiPath: "/webhooks/events" },
];
