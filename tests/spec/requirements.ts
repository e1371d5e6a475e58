import { type Requirement, section } from "./requirement.ts";
import {
  type AttributeRow,
  type RelationshipRow,
  shipmentAttributes,
  shipmentRelationships,
} from "./shipment-record.ts";

const kinds = {
  text: "string",
  texts: "array of strings",
  moment: "RFC 3339 time",
  locode: "UN/LOCODE",
  zone: "IANA time zone name",
  stop_reason: "one of six reasons",
} as const;

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const attributeSentence = ({ kind, nullable, meaning }: AttributeRow): string =>
  `${capitalised(meaning)}: ${kinds[kind]}, ${nullable ? "null while unknown" : "never null"}.`;

const relationshipSentence = (row: RelationshipRow): string =>
  `${capitalised(row.meaning)}: ${row.many ? "array of " : ""}${row.types.join(" or ")}${row.many ? "" : ", or null"}.`;

const rowsOf = <Row>(table: Readonly<Record<string, Row>>, sentence: (row: Row) => string) =>
  Object.fromEntries(Object.entries(table).map(([name, row]) => [name, sentence(row)]));

const service = section("What the service does", "service", {
  1: "Tracks ocean shipments and their containers from origin to destination and exposes the data over HTTP.",
  2: "Every record has id, type, attributes, relationships and links.",
  3: "An account attaches reference numbers and tags to shipments, and reference numbers to containers.",
  4: "Webhooks are the primary channel of updates: notifications are posted to the subscriber's HTTPS endpoint.",
  5: "An MCP server exposes the tracking data to AI clients as tools, prompts and resources.",
  6: "A deep link resolves any number of a shipment or container to its tracking page.",
  7: "API, web application and MCP server each have a base address; that of the API ends in /v2.",
});

const shipment = [
  ...section("Shipment", "shipment.field", {
    id: "UUID, required.",
    type: "Always `shipment`.",
    attributes: "Object, required.",
    relationships: "Object, required.",
    links: "Object with `self`, the address of the shipment.",
  }),
  ...section("Shipment, attributes", "shipment.attribute", rowsOf<AttributeRow>(shipmentAttributes, attributeSentence)),
  ...section(
    "Shipment, relationships",
    "shipment.relationship",
    rowsOf<RelationshipRow>(shipmentRelationships, relationshipSentence),
  ),
];

const otherRecords = [
  ...section("Container", "container", {
    id: "UUID, required.",
    container_number: "Container number: string.",
    available_for_pickup: "Whether it is available for pickup: boolean.",
    ref_numbers: "Reference numbers: array of strings, editable.",
    included: "Shipment, terminal at the port of discharge and transport events can be included.",
  }),
  ...section("Other resources", "resource", {
    tracking_request: "A tracking request has request_type, request_number, scac and ref_numbers.",
    webhook: "A webhook has the boolean `active`.",
    webhook_notification: "A notification has a unique id and a delivery status to filter by.",
  }),
];

const states = section("States and transitions", "states", {
  stopped_reason: "Line tracking stops for one of six reasons, each with its rule.",
  webhook_active: "A webhook is active or not. The service may deactivate it; its owner reactivates it.",
  notification_failed: "A notification has a delivery status; `failed` is one.",
  deactivated: "Repeated delivery failures deactivate the webhook, and deliveries stop.",
  reactivated: "Editing `active` to true reactivates the webhook, and deliveries resume.",
});

const edits = [
  ...section("Edit a shipment", "shipments.edit", {
    id: "The path names the shipment.",
    data: "The body has `data`, an object, required.",
    "data.attributes": "`data` has `attributes`, an object, required.",
    ref_numbers: "Replaces the reference numbers; optional.",
    tags: "Replaces the tags; optional, items unique.",
    media_type: "Accepts both JSON media types, with and without `data.type`.",
    response: "Responds 200 with the complete shipment.",
    deep_link: "The deep link finds an edited reference number immediately.",
  }),
  ...section("Edit a container", "containers.edit", {
    ref_numbers: "A JSON:API document replaces the reference numbers of a container.",
  }),
  ...section("Create a tracking request", "tracking_requests.create", {
    payload: "The document has request_type, request_number, scac and, optionally, ref_numbers.",
    ref_numbers: "Reference numbers are copied to the shipment and to its containers.",
  }),
];

const webhooks = [
  ...section("Trigger a webhook", "webhooks.trigger", {
    url: "Sends one sample to the given HTTPS address.",
    event: "The sample is of the given event.",
    secret: "With a secret, the sample is signed like a delivery.",
    sample: "The sample has the form of a real notification.",
  }),
  ...section("Webhook operations", "webhooks", {
    list: "Lists the account's webhooks, each with `active`.",
    edit: "An edit accepts `active`.",
    ips: "The IP addresses that notifications originate from can be read.",
  }),
  ...section("List webhook notifications", "webhook_notifications", {
    list: "Lists notifications with their ids as JSON:API, optionally by delivery status.",
  }),
];

const mcp = [
  ...section("Hosted MCP endpoint", "mcp", {
    endpoint: "POST /mcp accepts JSON-RPC 2.0 messages over Streamable HTTP.",
    api_path: "/api/mcp is the same endpoint.",
    stdio: "A local program serves the same over standard input, for development.",
  }),
  ...section("MCP tools", "mcp.tool", {
    search_container: "Finds shipments and containers by a query.",
    track_container: "Tracks a number; optional type, SCAC and reference numbers.",
    get_container: "Gets a container, optionally with shipment, terminal and events.",
    get_shipment_details: "Gets a shipment, optionally with its containers.",
    get_container_transport_events: "Gets the transport events of a container.",
    get_supported_shipping_lines: "Lists the supported carriers, optionally by a search.",
    get_container_route: "Gets the route of a container (paid feature).",
    list_shipments: "Lists shipments by status, port, carrier and update time, in pages.",
    list_containers: "Lists containers by status, port, carrier and update time, in pages.",
    list_tracking_requests: "Lists tracking requests by filters, status and type, in pages.",
  }),
  ...section("MCP prompts", "mcp.prompt", {
    "track-shipment": "Asks for the state of a container; optional carrier.",
    "check-demurrage": "Asks for the demurrage risk of a container.",
    "analyze-delays": "Asks for the delays of a container and their causes.",
  }),
  ...section("MCP resources", "mcp.resource", {
    container: "The data of a container under a URI of its own.",
    "milestone-glossary": "A reference of events and milestones.",
  }),
  ...section("MCP server configuration", "mcp.config", {
    SVC_API_TOKEN:
      "Required over stdio; over HTTP the token of requests that carry none, by an explicit opt-in on loopback.",
    SVC_API_BASE_URL: "Optional: the base address of the API.",
    SVC_MCP_ALLOWED_HOSTS: "Optional: allowed values of the Host header, comma-separated.",
    SVC_MCP_ALLOWED_ORIGINS: "Optional: allowed values of the Origin header, comma-separated.",
  }),
  ...section("Client SDK", "sdk.format", {
    raw: "The JSON:API document.",
    mapped: "Simplified camelCase objects with resolved ids.",
    both: "An object of the two: `{raw, mapped}`.",
  }),
];

const deepLink = section("Web deep link", "deep_link", {
  address: "GET /shipments/find redirects by the identifier in `q`.",
  1: "An exact container number opens its shipment with the container selected.",
  2: "Else an exact shipment or reference number opens the shipment.",
  3: "Else the first partial match of a container opens its shipment with the container selected.",
  4: "Else the first partial match of a shipment opens it.",
  5: "Else the list of shipments opens with the query filled in.",
  case: "Matching ignores case.",
  separators: "Spaces and dashes in container numbers are ignored.",
  first: "Of several shipments the first is used.",
  account: "Only the caller's account is searched.",
});

const rules = [
  ...section("Authentication", "authentication", {
    1: "API requests carry `Authorization: Token <key>`.",
    2: "The MCP endpoint accepts Bearer and Token, and falls back to the token of its environment.",
    3: "The MCP endpoint uses API tokens only, not OAuth.",
    4: "Account holders with API access create tokens in the web dashboard.",
    5: "With a secret, every delivery carries `X-SVC-Webhook-Signature`.",
    6: "A consumer can compare the source address with the published list.",
  }),
  ...section("Events", "events", {
    1: "A notification is an HTTP POST to the subscriber's URL.",
    2: "The id at `data.id` is unique and the same in every delivery of the notification.",
    3: "200, 201, 202 and 204 are success; any other response and a timeout cause a retry.",
    4: "After about a dozen retries the notification is failed.",
    5: "After repeated failures the webhook can be deactivated.",
    6: "`tracking_request.succeeded` is an event.",
    7: "The payload beyond `data.id` is left open: here an envelope with the event and the records around it.",
    8: "A trigger sends one sample once and creates no subscription.",
  }),
  ...section("Errors", "errors", {
    401: "Missing or invalid token, on the API and on the MCP endpoint.",
    429: "Rate limit exceeded.",
    mcp_unknown_tool: "An unknown MCP tool is a tool-not-found error.",
  }),
  ...section("Limits", "limits", {
    1: "Rate limits apply, the same for MCP and API.",
    2: "The tags of an edit are unique.",
    3: "A delivery is retried about a dozen times.",
    4: "Lists accept `page` and `page_size`.",
    5: "The limits themselves are left open: here they are documented, and exceeding one is an explained error.",
  }),
  ...section("Versioning", "versioning", {
    1: "The version is the path prefix /v2.",
    2: "The interface description is version 0.2.0 and marked as beta.",
    3: "The token is sent the same way in every version.",
    4: "The deprecation policy is left open: here a deprecated operation announces its last day on every response.",
  }),
];

/** Every numbered line and table row of the interface specification, in its order. */
export const requirements: readonly Requirement[] = [
  ...service,
  ...shipment,
  ...otherRecords,
  ...states,
  ...edits,
  ...webhooks,
  ...mcp,
  ...deepLink,
  ...rules,
];
