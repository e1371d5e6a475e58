import { type Requirement, section } from "./requirement.ts";
import {
  type AttributeRow,
  type RelationshipRow,
  shipmentAttributes,
  shipmentRelationships,
} from "./shipment-record.ts";

const kinds = {
  text: "a text",
  texts: "an array of texts",
  moment: "an RFC 3339 time",
  locode: "a UN/LOCODE",
  zone: "an IANA time zone name",
  stop_reason: "one of six words",
} as const;

const attributeSentence = ({ kind, nullable, meaning }: AttributeRow): string =>
  `Tells ${meaning}: ${kinds[kind]}${nullable ? ", or null while unknown" : ", never null"}.`;

const relationshipSentence = (row: RelationshipRow): string =>
  `Names ${row.meaning} by type (${row.types.join(" or ")}) and id, ${row.many ? "in an array" : "or null"}.`;

const rowsOf = <Row>(table: Readonly<Record<string, Row>>, sentence: (row: Row) => string) =>
  Object.fromEntries(Object.entries(table).map(([name, row]) => [name, sentence(row)]));

const service = section("What the service does", "service", {
  1: "A number that is handed over is tracked from origin to destination, and what is known is read over HTTP.",
  2: "Every record has id, type, attributes, relationships and links.",
  3: "An account attaches reference numbers and tags to shipments, and reference numbers to containers.",
  4: "What changes is posted to the subscriber's endpoint, without being asked for.",
  5: "AI clients reach the tracking data as tools, prompts and resources of an MCP server.",
  6: "A link with any number of a shipment or container leads to its tracking page.",
  7: "The API, the web application and the MCP server each have a base address, and the API's ends in /v2.",
});

const shipment = [
  ...section("Shipment", "shipment.field", {
    id: "A shipment is known by a UUID.",
    type: "Its type is always shipment.",
    attributes: "Its attributes are always there.",
    relationships: "Its relationships are always there.",
    links: "Its links hold its own address, which can be followed.",
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
    id: "A container is known by a UUID.",
    container_number: "It tells its container number, a text.",
    available_for_pickup: "It tells whether it can be picked up, a boolean.",
    ref_numbers: "It tells its reference numbers, which can be edited.",
    included: "Its shipment, terminal of discharge and transport events come with it when asked for.",
  }),
  ...section("Other resources", "resource", {
    tracking_request: "A tracking request tells its kind, number, SCAC and reference numbers.",
    webhook: "A webhook tells whether it is active.",
    webhook_notification: "A notification has an id of its own and a delivery status that lists can be filtered by.",
  }),
];

const states = section("States and transitions", "states", {
  stopped_reason: "Tracking at the line ends for one of six reasons, and for each of them when its rule says so.",
  webhook_active: "A webhook is active or not; the service switches it off, its owner switches it on again.",
  notification_failed: "A notification has a delivery status, and failed is one.",
  deactivated: "After repeated failures the webhook is inactive and nothing is delivered to it.",
  reactivated: "Editing active to true makes the webhook active, and deliveries go on.",
});

const edits = [
  ...section("Edit a shipment", "shipments.edit", {
    id: "The path names the shipment.",
    data: "The body must hold data, an object.",
    "data.attributes": "data must hold attributes, an object.",
    ref_numbers: "Reference numbers are replaced when given and stay when not.",
    tags: "Tags are replaced when given and stay when not; a repeated tag is refused.",
    media_type: "Both JSON media types are accepted, with and without data.type.",
    response: "The answer is 200 with the full shipment.",
    deep_link: "An edited reference number is found by the deep link at once.",
  }),
  ...section("Edit a container", "containers.edit", {
    ref_numbers: "The reference numbers of a container are replaced by a JSON:API document.",
  }),
  ...section("Create a tracking request", "tracking_requests.create", {
    payload: "A request is made of its kind, number, SCAC and, if wanted, reference numbers.",
    ref_numbers: "Its reference numbers are copied to the shipment and to each container.",
  }),
];

const webhooks = [
  ...section("Trigger a webhook", "webhooks.trigger", {
    url: "One sample is sent to the HTTPS address that is given.",
    event: "The sample is of the event that is named.",
    secret: "With a secret the sample is signed as deliveries are.",
    sample: "The sample has the form of a real notification.",
  }),
  ...section("Webhook operations", "webhooks", {
    list: "Listing tells the account's webhooks, each with active.",
    edit: "Editing accepts active.",
    ips: "The addresses that notifications come from can be read.",
  }),
  ...section("List webhook notifications", "webhook_notifications", {
    list: "Listing tells each notification's id, filtered by delivery status when asked, as JSON:API.",
  }),
];

const mcp = [
  ...section("Hosted MCP endpoint", "mcp", {
    endpoint: "JSON-RPC messages posted to /mcp are answered over Streamable HTTP.",
    api_path: "/api/mcp is the same endpoint.",
    stdio: "A program serves the same over standard input for development.",
  }),
  ...section("MCP tools", "mcp.tool", {
    search_container: "Finds by a query.",
    track_container: "Tracks a number, of a kind and line and with reference numbers if given.",
    get_container: "Reads a container, with shipment, terminal and events when asked for.",
    get_shipment_details: "Reads a shipment, with its containers when asked for.",
    get_container_transport_events: "Reads what happened to a container.",
    get_supported_shipping_lines: "Reads the shipping lines, narrowed by a search.",
    get_container_route: "Reads the route of a container, for accounts that pay for it.",
    list_shipments: "Lists shipments by status, port, carrier and time, with containers if asked for, in pages.",
    list_containers: "Lists containers by status, port, carrier and time, with related records, in pages.",
    list_tracking_requests: "Lists tracking requests by filters, status and kind, in pages.",
  }),
  ...section("MCP prompts", "mcp.prompt", {
    "track-shipment": "Leads to the state of a container, with its carrier if known.",
    "check-demurrage": "Leads to the fees that threaten a container.",
    "analyze-delays": "Leads to what delayed a container.",
  }),
  ...section("MCP resources", "mcp.resource", {
    container: "A container can be read under its own address.",
    "milestone-glossary": "Events and milestones are explained.",
  }),
  ...section("MCP server configuration", "mcp.config", {
    SVC_API_TOKEN: "Required; used for requests that carry no token.",
    SVC_API_BASE_URL: "Where the API is, with a default.",
    SVC_MCP_ALLOWED_HOSTS: "Which Host headers are let in.",
    SVC_MCP_ALLOWED_ORIGINS: "Which Origin headers are let in.",
  }),
  ...section("Client SDK", "sdk.format", {
    raw: "The JSON:API document as it came.",
    mapped: "camelCase objects with ids resolved.",
    both: "The two together.",
  }),
];

const deepLink = section("Web deep link", "deep_link", {
  address: "/shipments/find takes the identifier in q and redirects.",
  1: "An exact container number opens its shipment with the container selected.",
  2: "Else an exact shipment or reference number opens the shipment.",
  3: "Else the first container with that part opens, selected, in its shipment.",
  4: "Else the first shipment with that part opens.",
  5: "Else the list opens with the query filled in.",
  case: "Upper and lower case are the same.",
  separators: "Spaces and dashes in container numbers do not count.",
  first: "Of several shipments the first is taken.",
  account: "Only what the caller's account tracks is found.",
});

const rules = [
  ...section("Authentication", "authentication", {
    1: "Requests to the API carry their token in Authorization, with the scheme Token.",
    2: "The MCP endpoint takes Bearer and Token, and falls back to the token of its environment.",
    3: "The MCP endpoint knows no OAuth.",
    4: "People with API access make tokens in the web dashboard.",
    5: "With a secret every delivery carries X-SVC-Webhook-Signature.",
    6: "The published addresses let a receiver check where a delivery comes from.",
  }),
  ...section("Events", "events", {
    1: "A notification is a POST to the subscriber's address.",
    2: "Its id at data.id is its own and the same in every delivery of it.",
    3: "200, 201, 202 and 204 are success; everything else and a timeout are tried again.",
    4: "After about a dozen retries the notification is failed.",
    5: "After repeated failures the webhook can be switched off.",
    6: "tracking_request.succeeded is an event that is told.",
    7: "The rest of the payload is the service's choice: an envelope with the event and the records it is about.",
    8: "A trigger sends one sample once and subscribes nobody.",
  }),
  ...section("Errors", "errors", {
    401: "A missing or invalid token is 401, at the API and at the MCP endpoint.",
    429: "Too many requests are 429.",
    mcp_unknown_tool: "An unknown tool of the MCP endpoint is answered as not found.",
  }),
  ...section("Limits", "limits", {
    1: "The rate of requests is limited, for MCP and API together.",
    2: "The tags of an edit must be unique.",
    3: "A delivery is retried about a dozen times.",
    4: "Lists take page and page_size.",
    5: "The numbers are the service's choice, and exceeding them is refused in words.",
  }),
  ...section("Versioning", "versioning", {
    1: "The version is the path prefix /v2.",
    2: "The description is labelled 0.2.0 and says that it is a beta.",
    3: "The token is sent the same way whatever the version.",
    4: "The specification names no deprecation policy; an operation that goes says so on every answer, with its last day.",
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
