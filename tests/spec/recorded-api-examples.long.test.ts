import fs from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import type { Document, Resource } from "../e2e/harness/api-client.ts";
import { type ApiExamples, withKnownValues } from "./api-examples.ts";
import { recordEmissions } from "./emission-examples.ts";
import { startExampleRecorder } from "./example-recorder.ts";
import { repository } from "./repository.ts";

/**
 * Records the examples of the API reference: one request and response of each operation, from a system that tracks
 * voyages of the sandbox carrier. `SVC_RECORD=1 npm test -- recorded-api-examples` writes the file, then renew
 * openapi.json. Without it, the test compares which operations have which parts.
 */
const file = path.join(repository, "apps/api/src/openapi/recorded-examples.json");

const timeoutMs = 480_000;

const api = started(startExampleRecorder);

const attributes = (type: string, values: object, more: object = {}) => ({
  data: { type, attributes: values, ...more },
});

/** Reference of the shipment in the examples. */
const reference = "SBXTSP000123";

const idOf = (document: Document): string => document.data.id;

async function recordTracking(): Promise<void> {
  await api.record("inferNumber", "POST /tracking_requests/infer_number", { number: "MSCU1234566" });
  const request = {
    request_type: "bill_of_lading",
    request_number: reference,
    scac: "SBXL",
    ref_numbers: ["PO-2026-1003"],
    shipment_tags: ["reefer"],
  };
  const created = await api.record(
    "createTrackingRequest",
    "POST /tracking_requests",
    attributes("tracking_request", request),
  );
  const bulk = ["SBXROL000123", "SBXRAI000123"].map((request_number) => ({
    type: "tracking_request",
    attributes: { request_type: "bill_of_lading", request_number, scac: "SBXL" },
  }));
  await api.record("createTrackingRequests", "POST /tracking_requests/bulk", { data: bulk });
  const id = idOf(created);
  await api.firstOf("/tracking_requests?filter[status]=created", (request) => request.id === id);
  await api.record("getTrackingRequest", `GET /tracking_requests/${id}`);
  await api.record("listTrackingRequests", "GET /tracking_requests?filter[status]=created");
  const edit = attributes("tracking_request", { ref_numbers: ["PO-2026-1003", "SO-88213"] }, { id });
  await api.record("editTrackingRequest", `PATCH /tracking_requests/${id}`, edit);
}

async function recordShipment({ id }: Resource): Promise<void> {
  const shipment = `/shipments/${id}`;
  await api.record(
    "editShipment",
    `PATCH ${shipment}`,
    attributes("shipment", { tags: ["reefer", "priority"] }, { id }),
  );
  await api.record("stopShipmentTracking", `PATCH ${shipment}/stop_tracking`);
  await api.record("resumeShipmentTracking", `PATCH ${shipment}/resume_tracking`);
  await api.record("getShipment", `GET ${shipment}?include=containers`);
  await api.record("listShipments", "GET /shipments?filter[tag]=reefer");
  await api.record("listShipmentHistory", `GET ${shipment}/history`);
  await api.record("listShipmentProvenance", `GET ${shipment}/provenance`);
  await api.record("getShipmentFreshness", `GET ${shipment}/freshness`);
  await api.record("getShipmentTrackingSummary", `GET ${shipment}/tracking_summary`);
  await api.record("listShipmentOverviews", "GET /shipment_overviews?filter[tag]=reefer");
  await api.record("countShipmentOverviews", "GET /shipment_overviews/counts?group_by=status");
  await api.record("listTransitTimes", "GET /transit_times");
  await api.record("listEtaAccuracy", "GET /eta_accuracy");
  await api.record("listChanges", "GET /changes");
  await api.record("search", "GET /search?query=PO-2026");
  const link = { shows_references: true, expires_at: "2027-03-31T00:00:00Z" };
  const view = { list: "shipments", name: "Afloat", filters: { status: "in_transit" }, sort: "arrival", shared: true };
  const saved = await api.record("createSavedView", "POST /saved_views", attributes("saved_view", view));
  await api.record("getSavedView", `GET /saved_views/${idOf(saved)}`);
  await api.record("listSavedViews", "GET /saved_views");
  await api.record(
    "editSavedView",
    `PATCH /saved_views/${idOf(saved)}`,
    attributes("saved_view", { sort: "-arrival" }),
  );
  const shared = await api.record("createShareLink", `POST ${shipment}/share_links`, attributes("share_link", link));
  await api.record("getShareLink", `GET /share_links/${idOf(shared)}`);
  await api.record("listShareLinks", "GET /share_links");
}

async function recordContainer({ id }: Resource): Promise<void> {
  const container = `/containers/${id}`;
  const edit = { ref_numbers: ["PALLETS-24"] };
  await api.record("editContainer", `PATCH ${container}`, attributes("container", edit, { id }));
  await api.record("editContainerInBody", "PATCH /containers", attributes("container", edit, { id }));
  await api.record("getContainer", `GET ${container}`);
  await api.record("listContainers", "GET /containers?filter[carrier]=SBXL");
  await api.record("listContainerTransportEvents", `GET ${container}/transport_events`);
  await api.record("listContainerRawEvents", `GET ${container}/raw_events`);
  await api.record("getContainerRoute", `GET ${container}/route`);
  await api.record("getContainerMap", `GET ${container}/map_geojson`);
  await api.record("refreshContainer", `PATCH ${container}/refresh`);
  await api.record("listContainerHistory", `GET ${container}/history`);
  await api.record("listContainerProvenance", `GET ${container}/provenance`);
  await api.record("listContainerOverviews", "GET /container_overviews?sort=last_free_day");
  await api.record("countContainerOverviews", "GET /container_overviews/counts?group_by=status");
  await api.record("listContainerPositions", "GET /container_positions");
}

async function recordExceptions(): Promise<void> {
  const { id } = await api.firstOf("/exceptions");
  await api.record("listExceptions", "GET /exceptions?filter[status]=open");
  await api.record("countExceptions", "GET /exceptions/counts?group_by=kind");
  await api.record("sumExceptionCharges", "GET /exceptions/charges?group_by=kind");
  const note = { note: "Carrier confirmed the next vessel." };
  await api.record("editException", `PATCH /exceptions/${id}`, attributes("exception", note, { id }));
  await api.record("getException", `GET /exceptions/${id}`);
  await api.record("listExceptionAuditEvents", `GET /exceptions/${id}/audit_events`);
  const subscription = {
    name: "Operations channel",
    channel: "slack",
    webhook_url: "https://hooks.slack.com/services/T000/B000/example",
    frequency: "daily",
  };
  const created = await api.record(
    "createAlertSubscription",
    "POST /alert_subscriptions",
    attributes("alert_subscription", subscription),
  );
  const alert = `/alert_subscriptions/${idOf(created)}`;
  await api.record("getAlertSubscription", `GET ${alert}`);
  await api.record("listAlertSubscriptions", "GET /alert_subscriptions");
  const audit = await api.record("listAuditEvents", "GET /audit_events?filter[subject_type]=alert_subscription");
  await api.record("getAuditEvent", `GET /audit_events/${audit.data[0]?.id}`);
  await api.record(
    "editAlertSubscription",
    `PATCH ${alert}`,
    attributes("alert_subscription", { active: false }, { id: idOf(created) }),
  );
  await api.record("testAlertSubscription", `POST ${alert}/test`);
  const tariff = {
    name: "Contract 2026",
    kind: "demurrage",
    direction: "import",
    carrier_scac: "SBXL",
    free_days: 4,
    free_day_calendar: "working_days",
    holidays: ["2026-12-25"],
    currency_code: "USD",
    tiers: [
      { from_day: 1, amount_per_day: "75.00" },
      { from_day: 5, amount_per_day: "150.00" },
    ],
  };
  const rule = await api.record("createDemurrageRule", "POST /demurrage_rules", attributes("demurrage_rule", tariff));
  const rulePath = `/demurrage_rules/${idOf(rule)}`;
  await api.record("getDemurrageRule", `GET ${rulePath}`);
  await api.record("listDemurrageRules", "GET /demurrage_rules");
  const freeDays = attributes("demurrage_rule", { free_days: 5 }, { id: idOf(rule) });
  await api.record("editDemurrageRule", `PATCH ${rulePath}`, freeDays);
  const container = await api.firstOf("/containers");
  await api.record("getContainerDemurrage", `GET /containers/${container.id}/demurrage`);
  await recordEmissions(api, container);
}

async function recordReferenceData(shipment: Resource): Promise<void> {
  const values = shipment.attributes;
  await api.record("listShippingLines", "GET /shipping_lines?search=maersk");
  await api.record("getShippingLine", "GET /shipping_lines/MAEU");
  await api.record("listPorts", "GET /ports?search=USLON");
  const port = await api.record("getPort", "GET /ports/USLAX");
  await api.record("listMetroAreas", "GET /metro_areas?search=Chicago");
  await api.record("getMetroArea", "GET /metro_areas/USCHI");
  const terminals = port.data.relationships?.terminals?.data as readonly { id: string }[];
  await api.record("getTerminal", `GET /terminals/${terminals[0]?.id}`);
  const vessel = `/vessels/${values.pod_vessel_imo}`;
  await api.record("getVessel", `GET ${vessel}`);
  const ends = `port_id=${values.port_of_discharge_locode}&previous_port_id=${values.port_of_lading_locode}`;
  await api.record("getVesselFuturePositions", `GET ${vessel}/future_positions?${ends}`);
  const at = "latitude=35&longitude=-150.5";
  await api.record(
    "getVesselFuturePositionsWithCoordinates",
    `GET ${vessel}/future_positions_with_coordinates?${ends}&${at}`,
  );
  const party = await api.record(
    "createParty",
    "POST /parties",
    attributes("party", { company_name: "Nordwind Foods GmbH" }),
  );
  const id = idOf(party);
  await api.record(
    "editParty",
    `PATCH /parties/${id}`,
    attributes("party", { company_name: "Nordwind Foods SE" }, { id }),
  );
  await api.record("getParty", `GET /parties/${id}`);
  await api.record("listParties", "GET /parties");
}

async function recordCarriers(): Promise<void> {
  await api.record("listCarriers", "GET /carriers");
  const credentials = { kind: "api_key", headers: [{ name: "Ocp-Apim-Subscription-Key", value: "your-key" }] };
  const connection = attributes("carrier_connection", { scac: "ZIMU", credentials });
  const created = await api.record("createCarrierConnection", "POST /carrier_connections", connection);
  const id = idOf(created);
  await api.record("getCarrierConnection", `GET /carrier_connections/${id}`);
  await api.record("listCarrierConnections", "GET /carrier_connections");
  const off = attributes("carrier_connection", { active: false }, { id });
  await api.record("editCarrierConnection", `PATCH /carrier_connections/${id}`, off);
  const row = {
    scac: "SBXL",
    number: reference,
    event_code: "LOAD",
    classifier: "ACT",
    container_number: "MSKU0000006",
    event_time: "2026-11-05T17:45:00Z",
  };
  const stored = await api.record("createEventImport", "POST /event_imports", { rows: [row] });
  await api.record("getEventImport", `GET /event_imports/${idOf(stored)}`);
}

/** First of all, so that it receives the notifications of the voyage. */
async function recordNewWebhook(): Promise<string> {
  const events = ["container.transport.*", "container.updated"];
  const webhook = { url: `${api.receiverUrl}/webhooks`, events, active: true };
  return idOf(await api.record("createWebhook", "POST /webhooks", attributes("webhook", webhook)));
}

async function recordWebhooks(id: string): Promise<void> {
  await api.record("listWebhookEvents", "GET /webhooks/events");
  await api.record("listWebhookIps", "GET /webhooks/ips");
  await api.record("triggerWebhook", "POST /webhooks/trigger", {
    url: `${api.receiverUrl}/webhooks`,
    event: "container.updated",
  });
  await api.record("getWebhook", `GET /webhooks/${id}`);
  await api.record("listWebhooks", "GET /webhooks");
  await api.record("rotateWebhookSecret", `POST /webhooks/${id}/rotate_secret`);
  const { id: notification } = await api.firstOf("/webhook_notifications?filter[delivery_status]=succeeded");
  await api.record("getWebhookNotification", `GET /webhook_notifications/${notification}`);
  await api.record("listWebhookNotifications", "GET /webhook_notifications");
  await api.record("listWebhookNotificationAttempts", `GET /webhook_notifications/${notification}/attempts`);
  await api.record("listNotificationsOfWebhook", `GET /webhooks/${id}/notifications`);
  await api.record("listNoticesOfWebhook", `GET /webhooks/${id}/notices`);
  const { id: delivery } = await api.firstOf("/webhook_deliveries");
  await api.record("listWebhookDeliveries", "GET /webhook_deliveries");
  await api.record("getWebhookDelivery", `GET /webhook_deliveries/${delivery}`);
  await api.record("getWebhookPerformance", "GET /webhook_performance?period=week");
  await api.record("listWebhookStatistics", "GET /webhook_statistics");
  await api.record("listWebhookNotificationExamples", "GET /webhook_notifications/examples?event=container.updated");
  await api.record("redeliverWebhookNotification", `POST /webhook_notifications/${notification}/redeliver`);
  await api.record("recoverWebhook", `POST /webhooks/${id}/recover`, { since: "2026-11-24T00:00:00Z", only: "failed" });
  await api.record("editWebhook", `PATCH /webhooks/${id}`, attributes("webhook", { active: false }, { id }));
}

async function recordCustomFields(shipment: Resource): Promise<void> {
  const define = { api_slug: "incoterm", display_name: "Incoterm", data_type: "enum" };
  const definitions = "/custom_field_definitions";
  const created = await api.record(
    "createCustomFieldDefinition",
    `POST ${definitions}`,
    attributes("custom_field_definition", { entity_type: "Shipment", ...define }),
  );
  const definition = `${definitions}/${idOf(created)}`;
  await api.record("listCustomFieldDefinitions", `GET ${definitions}`);
  await api.record(
    "editCustomFieldDefinition",
    `PATCH ${definition}`,
    attributes("custom_field_definition", { display_name: "Incoterms 2020" }, { id: idOf(created) }),
  );
  await api.record("getCustomFieldDefinition", `GET ${definition}`);
  const option = await api.record(
    "createCustomFieldOption",
    `POST ${definition}/options`,
    attributes("custom_field_option", { label: "Free on board", value: "FOB" }),
  );
  const choice = `${definition}/options/${idOf(option)}`;
  await api.record("listCustomFieldOptions", `GET ${definition}/options`);
  await api.record("getCustomFieldOption", `GET ${choice}`);
  await api.record(
    "editCustomFieldOption",
    `PATCH ${choice}`,
    attributes("custom_field_option", { label: "FOB, free on board" }, { id: idOf(option) }),
  );
  const relationships = { entity: { data: { type: "shipment", id: shipment.id } } };
  const value = { api_slug: "incoterm", value: "FOB" };
  const field = await api.record(
    "createCustomField",
    "POST /custom_fields",
    attributes("custom_field", value, { relationships }),
  );
  await api.record("getCustomField", `GET /custom_fields/${idOf(field)}`);
  await api.record("listCustomFields", "GET /custom_fields");
  await api.record(
    "editCustomField",
    `PATCH /custom_fields/${idOf(field)}`,
    attributes("custom_field", { value: "FOB" }, { id: idOf(field) }),
  );
  const { id: request } = await api.firstOf("/tracking_requests");
  const { id: container } = await api.firstOf("/containers");
  const owners = { Shipment: shipment.id, Container: container, TrackingRequest: request };
  for (const [entity, id] of Object.entries(owners)) {
    const path = { Shipment: "shipments", Container: "containers", TrackingRequest: "tracking_requests" }[entity];
    const text = { entity_type: entity, api_slug: "cost_centre", display_name: "Cost centre", data_type: "short_text" };
    await api.send(`POST ${definitions}`, attributes("custom_field_definition", text));
    const fields = `/${path}/${id}/custom_fields`;
    await api.record(
      `put${entity}CustomField`,
      `POST ${fields}`,
      attributes("custom_field", { api_slug: "cost_centre", value: "4711" }),
    );
    await api.record(`list${entity}CustomFields`, `GET ${fields}`);
    await api.record(
      `edit${entity}CustomField`,
      `PATCH ${fields}/cost_centre`,
      attributes("custom_field", { value: "4712" }),
    );
  }
}

test(
  "every operation that reads or answers JSON has an example from a running system",
  async () => {
    const webhook = await recordNewWebhook();
    await recordTracking();
    const shipment = await api.firstOf(
      "/shipments?filter[tag]=reefer",
      ({ attributes: values }) => values.pol_atd_at !== null,
    );
    const container = await api.firstOf("/containers?filter[tag]=reefer");
    await recordShipment(shipment);
    await recordContainer(container);
    await recordExceptions();
    await recordReferenceData(shipment);
    await recordCarriers();
    await recordWebhooks(webhook);
    await recordCustomFields(shipment);
    const sorted = Object.fromEntries(Object.entries(api.examples).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    const committed = () => JSON.parse(fs.readFileSync(file, "utf8")) as ApiExamples;
    if (process.env.SVC_RECORD)
      fs.writeFileSync(file, `${JSON.stringify(withKnownValues(sorted, committed()), null, 1)}\n`);
    const parts = (examples: ApiExamples) =>
      Object.entries(examples).map(([id, example]) => [id, Object.keys(example)]);
    expect(parts(sorted)).toEqual(parts(committed()));
  },
  timeoutMs,
);
