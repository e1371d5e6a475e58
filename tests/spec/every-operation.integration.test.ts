import fs from "node:fs";
import { beforeAll, expect, test } from "@jest/globals";
import { paidFeatures } from "@svc/persistence/members";
import { startWebhookSink } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { insertSharedPlaces } from "../../apps/api/src/testing/full-account.ts";
import { createFilledAccount } from "../../apps/api/src/testing/read-addresses.ts";
import { startTestApi } from "../../apps/api/src/testing/start-test-api.ts";
import * as wire from "../e2e/harness/reference-client.ts";
import * as own from "../e2e/harness/service-client.ts";
import { factorFile, newFactor } from "./emission-examples.ts";
import { repository } from "./repository.ts";

interface Operation {
  readonly operationId: string;
  readonly method: NonNullable<wire.Call["method"]>;
  readonly path: string;
  readonly status: number;
}

interface Description {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { operationId?: string; responses?: Readonly<Record<string, object>> }>>>
  >;
}

/** Every operation that the description publishes, with its first successful status. */
const description: Description = JSON.parse(fs.readFileSync(`${repository}/docs/api/openapi.json`, "utf8"));
const operations: readonly Operation[] = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId, responses = {} }]) => {
    if (operationId === undefined) return [];
    const status = Number(Object.keys(responses).find((code) => code.startsWith("2")));
    return [{ operationId, method: method.toUpperCase() as Operation["method"], path, status }];
  }),
);

let call: ReturnType<typeof wire.referenceClient>;
const api = started(() => startTestApi({ allowInsecureWebhookTargets: true, limits: { default: 10_000 } }));
const sink = started(startWebhookSink);
const account = started(async () => createFilledAccount(api, await insertSharedPlaces(api), 2));
beforeAll(async () => {
  await api.database.prisma.account.updateMany({ data: { features: [...paidFeatures] } });
  call = wire.referenceClient(api.url, await api.createToken(await accountId()));
});

async function accountId(): Promise<string> {
  const where = { id: account.ids.shipments ?? "" };
  return (await api.database.prisma.shipment.findFirstOrThrow({ where })).accountId;
}

const called = new Set<string>();

/** Calls an operation as the description publishes it. By default its record is the account's first of the kind. */
async function visit<T>(
  operationId: string,
  parse: wire.Parse<T>,
  request: {
    readonly ids?: Readonly<Record<string, string>>;
    query?: string;
    body?: unknown;
    file?: wire.Call["file"];
    status?: number;
  } = {},
): Promise<T> {
  const operation = operations.find((each) => each.operationId === operationId);
  if (operation === undefined) throw new Error(`No operation has the id ${operationId}.`);
  const [, kind = ""] = operation.path.split("/");
  const own = kind === "custom_field_definitions" ? "definitions" : kind;
  const ids: Readonly<Record<string, string | undefined>> = {
    id: account.ids[own],
    option_id: account.ids.options,
    api_slug: "field_1",
    ...request.ids,
  };
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? "");
  const { method, status } = operation;
  const options = {
    method,
    status: request.status ?? status,
    ...(request.body !== undefined && { body: request.body }),
    ...(request.file && { file: request.file }),
  };
  const response = await call(`${path}${request.query ?? ""}`, parse, options);
  called.add(operationId);
  return response;
}

const attributes = (values: object, more: object = {}) => ({ data: { attributes: values, ...more } });

test("tracking requests [spec: R15]", async () => {
  await visit("inferNumber", own.inferred, { body: { number: "MSKU0000006" } });
  const request = { request_type: "bill_of_lading", request_number: "SBXLWALK0001", scac: "SBXL" };
  const created = await visit("createTrackingRequest", wire.single(wire.trackingRequest), {
    body: attributes(request),
  });
  const ids = { id: created.data.id };
  const data = [{ type: "tracking_request", attributes: { ...request, request_number: "SBXLWALK0002" } }];
  await visit("createTrackingRequests", own.bulk, { body: { data } });
  await visit("listTrackingRequests", wire.page(wire.trackingRequest));
  await visit("getTrackingRequest", wire.single(wire.trackingRequest), { ids });
  await visit("editTrackingRequest", wire.single(wire.trackingRequest), {
    ids,
    body: attributes({ ref_numbers: ["A"] }),
  });
});

test("shipments and what is known of them [spec: R15]", async () => {
  const one = wire.single(wire.shipment);
  await visit("listShipments", wire.page(wire.shipment));
  await visit("getShipment", one);
  await visit("editShipment", one, { body: attributes({ tags: ["walked"] }) });
  await visit("stopShipmentTracking", one, { body: {} });
  await visit("resumeShipmentTracking", one, { body: {} });
  await visit("listShipmentHistory", wire.page(own.fieldChange));
  await visit("listShipmentProvenance", wire.page(own.provenance));
  await visit("getShipmentFreshness", wire.single(own.freshness));
  await visit("getShipmentTrackingSummary", wire.single(own.trackingSummary));
  await visit("listShipmentOverviews", wire.page(own.shipmentOverview));
  await visit("countShipmentOverviews", own.counts);
  await visit("listTransitTimes", wire.page(own.transitTime));
  await visit("listEtaAccuracy", wire.page(own.etaAccuracy));
  await visit("listChanges", wire.page(own.accountChange));
  const found = await visit("search", wire.page(wire.searchResult), { query: "?query=SBXU" });
  expect(found.data.length).toBeGreaterThan(0);
});

test("containers and what is known of them [spec: R15]", async () => {
  const one = wire.single(wire.container);
  await visit("listContainers", wire.page(wire.container));
  await visit("getContainer", one);
  await visit("editContainer", one, { body: attributes({ ref_numbers: ["BOX"] }) });
  await visit("editContainerInBody", one, { body: attributes({ ref_numbers: [] }, { id: account.ids.containers }) });
  await visit("listContainerTransportEvents", wire.page(wire.transportEvent));
  const raw = await visit("listContainerRawEvents", wire.page(wire.rawEvent));
  expect(raw.data.length).toBeGreaterThan(0);
  const withEvents = wire.object({ included: wire.list(wire.rawEvent) });
  const { included } = await visit("getContainer", withEvents, { query: "?include=raw_events" });
  const indexes = new Map(raw.data.map(({ id, attributes: { index } }) => [id, index]));
  expect(included.map(({ id, attributes: { index } }) => [id, index]).toSorted()).toEqual([...indexes].toSorted());
  await visit("getContainerRoute", wire.single(own.route));
  await visit("getContainerMap", own.map);
  await visit("refreshContainer", own.refreshed, { body: {} });
  await visit("listContainerHistory", wire.page(own.fieldChange));
  await visit("listContainerProvenance", wire.page(own.provenance));
  await visit("listContainerOverviews", wire.page(own.containerOverview));
  await visit("countContainerOverviews", own.counts);
  await visit("listContainerPositions", own.containerPositions);
});

test("exceptions and exports [spec: R15]", async () => {
  await visit("listExceptions", wire.page(own.exception));
  await visit("countExceptions", own.counts);
  await visit("sumExceptionCharges", own.charges);
  await visit("getException", wire.single(own.exception));
  await visit("editException", wire.single(own.exception), { body: attributes({ note: "walked" }) });
  await visit("listExceptionAuditEvents", wire.page(own.auditEvent));
  for (const [what, row] of Object.entries(own.exportRows)) await visit(`export${what}`, wire.list(row));
});

test("share links [spec: R15]", async () => {
  const one = wire.single(own.shareLink);
  const ids = { id: account.ids.shipments ?? "" };
  const created = await visit("createShareLink", one, { ids, body: attributes({ shows_fees: true }) });
  await visit("listShareLinks", wire.page(own.shareLink));
  await visit("getShareLink", one);
  await visit("revokeShareLink", wire.nothing, { ids: { id: created.data.id } });
});

test("saved views", async () => {
  const one = wire.single(own.savedView);
  const view = { list: "shipments", name: "Afloat", filters: { status: "in_transit" }, shared: true };
  const ids = { id: (await visit("createSavedView", one, { body: attributes(view) })).data.id };
  await visit("listSavedViews", wire.page(own.savedView));
  await visit("getSavedView", one, { ids });
  await visit("editSavedView", one, { ids, body: attributes({ sort: "-arrival" }) });
  await visit("deleteSavedView", wire.nothing, { ids });
});

test("reference data and parties [spec: R15]", async () => {
  await visit("listShippingLines", wire.page(wire.shippingLine));
  await visit("getShippingLine", wire.single(wire.shippingLine));
  await visit("listPorts", wire.page(wire.port));
  await visit("getPort", wire.single(wire.port));
  await visit("listMetroAreas", wire.page(wire.metroArea));
  await visit("getMetroArea", wire.single(wire.metroArea));
  await visit("getTerminal", wire.single(wire.terminal));
  await visit("getVessel", wire.single(wire.vessel));
  const ends = "port_id=USLAX&previous_port_id=CNSHA";
  await visit("getVesselFuturePositions", wire.single(wire.vessel), { query: `?${ends}` });
  const at = { query: `?${ends}&latitude=35&longitude=-150.5` };
  await visit("getVesselFuturePositionsWithCoordinates", wire.single(wire.vessel), at);
  await visit("listParties", wire.page(wire.party));
  await visit("createParty", wire.single(wire.party), { body: attributes({ company_name: "Walked" }) });
  await visit("getParty", wire.single(wire.party));
  await visit("editParty", wire.single(wire.party), { body: attributes({ company_name: "Walked Ltd" }) });
});

test("carriers, connections and imports [spec: R15]", async () => {
  const one = wire.single(own.carrierConnection);
  await visit("listCarriers", wire.page(own.carrier));
  await visit("listCarrierConnections", wire.page(own.carrierConnection));
  const credentials = { kind: "api_key", headers: [{ name: "Key", value: "secret" }] };
  const created = await visit("createCarrierConnection", one, { body: attributes({ scac: "ZIMU", credentials }) });
  const ids = { id: created.data.id };
  await visit("getCarrierConnection", one, { ids });
  await visit("editCarrierConnection", one, { ids, body: attributes({ active: false }) });
  // 202: the tracking worker makes the call.
  const tested = { ids: { id: account.ids.carrier_connections ?? "" }, status: 202 };
  await visit("testCarrierConnection", one, tested);
  await visit("deleteCarrierConnection", wire.nothing, { ids });
  const row = {
    scac: "SBXL",
    number: "SBXLWALK0001",
    event_code: "LOAD",
    classifier: "ACT",
    container_number: "MSKU0000006",
    event_time: "2026-03-05T17:45:00Z",
  };
  const stored = await visit("createEventImport", wire.single(own.eventImport), { body: { rows: [row] } });
  await visit("getEventImport", wire.single(own.eventImport), { ids: { id: stored.data.id } });
  const text = "UNB+UNOC:3+LINE+IMPORTER+260105:1130+1'UNZ+0+1'";
  const sent = await visit("sendEdiFile", wire.single(own.ediFile), {
    query: "?partner=standard&scac=SBXL&name=walked.edi",
    file: { mediaType: "application/edifact", text },
  });
  const fileRequest = { ids: { id: sent.data.id } };
  await visit("getEdiFile", wire.single(own.ediFile), fileRequest);
  await visit("listEdiFiles", wire.page(own.ediFile), { query: "?filter[partner]=standard" });
  expect(await visit("getEdiFileContent", wire.text, fileRequest)).toBe(text);
});

test("audit events", async () => {
  const { data } = await visit("listAuditEvents", wire.page(own.auditEvent));
  await visit("getAuditEvent", wire.single(own.auditEvent), { ids: { id: data[0]?.id ?? "" } });
});

test("alert subscriptions", async () => {
  const one = wire.single(own.alertSubscription);
  await visit("listAlertSubscriptions", wire.page(own.alertSubscription));
  const urgent = { name: "Urgent", channel: "teams", webhook_url: "https://teams.example.com/T1", frequency: "daily" };
  const ids = { id: (await visit("createAlertSubscription", one, { body: attributes(urgent) })).data.id };
  await visit("getAlertSubscription", one, { ids });
  await visit("editAlertSubscription", one, { ids, body: attributes({ active: false }) });
  await visit("testAlertSubscription", one, { ids, status: 202 });
  await visit("deleteAlertSubscription", wire.nothing, { ids, status: 204 });
});

test("emission factors, and what a container emits by them", async () => {
  await visit("listEmissionFactors", wire.page(own.emissionFactor));
  await visit("importEmissionFactors", own.emissionFactors, { body: { csv: factorFile } });
  await visit("getContainerEmissions", wire.single(own.containerEmissions));
  const one = wire.single(own.emissionFactor);
  const ids = { id: (await visit("createEmissionFactor", one, { body: attributes(newFactor) })).data.id };
  await visit("getEmissionFactor", one, { ids });
  await visit("editEmissionFactor", one, { ids, body: attributes({ grams_per_teu_km: 60 }) });
  await visit("deleteEmissionFactor", wire.nothing, { ids, status: 204 });
});

test("demurrage rules, and what they charge", async () => {
  const one = wire.single(own.demurrageRule);
  await visit("listDemurrageRules", wire.page(own.demurrageRule));
  const terms = { kind: "demurrage", direction: "import", free_days: 4, currency_code: "USD" };
  const tariff = { name: "Tariff", ...terms, tiers: [{ from_day: 1, amount_per_day: "75.00" }] };
  const ids = { id: (await visit("createDemurrageRule", one, { body: attributes(tariff) })).data.id };
  await visit("getDemurrageRule", one, { ids });
  await visit("editDemurrageRule", one, { ids, body: attributes({ free_days: 5 }) });
  await visit("getContainerDemurrage", wire.single(own.containerDemurrage));
  await visit("deleteDemurrageRule", wire.nothing, { ids, status: 204 });
});

test("webhooks and notifications, also triggering, rotating and recovering [spec: R15]", async () => {
  const one = wire.single(wire.webhook);
  const category = wire.object({
    attributes: wire.object({
      name: wire.text,
      events: wire.list(wire.object({ name: wire.text, description: wire.text })),
    }),
  });
  await visit("listWebhookEvents", wire.page(category));
  const addresses = { webhook_notification_ips: wire.list(wire.text), last_updated: wire.time };
  await visit("listWebhookIps", wire.object(addresses));
  const event = "tracking_request.succeeded";
  const sent = await visit("triggerWebhook", own.triggered, { body: { url: sink.url, event } });
  expect(sent.succeeded).toBe(true);
  const failing = { url: "https://receiver.invalid/hook", event, secret: "s3cret" };
  const failed = await visit("triggerWebhook", own.triggered, { body: failing });
  expect([failed.succeeded, failed.status_code]).toEqual([false, null]);
  const webhook = { url: "https://example.com/walked", active: true, events: [event], headers: null };
  const created = await visit("createWebhook", one, { body: attributes(webhook) });
  const ids = { id: created.data.id };
  await visit("listWebhooks", wire.page(wire.webhook));
  await visit("getWebhook", one, { ids });
  await visit("editWebhook", one, { ids, body: attributes({ active: false }) });
  const rotated = await visit("rotateWebhookSecret", one, { ids, body: {} });
  expect(rotated.data.attributes.secret).not.toBe(created.data.attributes.secret);
  await visit("recoverWebhook", own.recovered, { body: { since: "2026-01-01T00:00:00Z", only: "all" } });
  await visit("listNoticesOfWebhook", wire.page(own.notice));
  await visit("listNotificationsOfWebhook", wire.page(wire.notification));
  const examples = wire.object({ data: wire.list(wire.notification) });
  await visit("listWebhookNotificationExamples", examples, { query: `?event=${event}` });
  await visit("listWebhookNotifications", wire.page(wire.notification));
  await visit("getWebhookNotification", wire.single(wire.notification));
  await visit("listWebhookNotificationAttempts", wire.page(own.attempt));
  await visit("listWebhookDeliveries", wire.page(own.delivery));
  await visit("getWebhookDelivery", wire.single(own.delivery));
  await visit("getWebhookPerformance", wire.single(own.webhookPerformance));
  await visit("listWebhookStatistics", wire.page(own.webhookStatistics));
  await visit("redeliverWebhookNotification", wire.single(wire.notification), { body: {} });
  await visit("deleteWebhook", wire.nothing, { ids });
});

test("custom fields [spec: R15]", async () => {
  const definition = wire.single(wire.definition);
  const option = wire.single(wire.option);
  const field = wire.single(wire.customField);
  const define = { entity_type: "Shipment", api_slug: "walked", display_name: "Walked", data_type: "enum" };
  const created = await visit("createCustomFieldDefinition", definition, { body: attributes(define) });
  const ids = { id: created.data.id };
  await visit("listCustomFieldDefinitions", wire.page(wire.definition));
  await visit("getCustomFieldDefinition", definition, { ids });
  await visit("editCustomFieldDefinition", definition, { ids, body: attributes({ display_name: "Renamed" }) });
  const value = { label: "North", value: "v1" };
  const choice = await visit("createCustomFieldOption", option, { ids, body: attributes(value) });
  const optionRequest = { ids: { ...ids, option_id: choice.data.id } };
  await visit("listCustomFieldOptions", wire.page(wire.option), { ids });
  await visit("getCustomFieldOption", option, optionRequest);
  await visit("editCustomFieldOption", option, { ...optionRequest, body: attributes({ label: "South" }) });
  const relationships = { entity: { data: { type: "shipment", id: account.ids.shipments } } };
  const body = attributes({ api_slug: "walked", value: "v1" }, { relationships });
  const stored = await visit("createCustomField", field, { body });
  const fieldOptions = { ids: { id: stored.data.id } };
  await visit("listCustomFields", wire.page(wire.customField));
  await visit("getCustomField", field, fieldOptions);
  await visit("editCustomField", field, { ...fieldOptions, body: attributes({ value: "v1" }) });
  await visit("deleteCustomField", wire.nothing, fieldOptions);
  for (const entity of ["Shipment", "Container", "TrackingRequest"]) {
    await visit(`put${entity}CustomField`, field, { body: attributes({ api_slug: "field_1", value: "v1" }) });
    await visit(`list${entity}CustomFields`, wire.page(wire.customField));
    await visit(`edit${entity}CustomField`, field, { body: attributes({ value: "v1" }) });
    await visit(`delete${entity}CustomField`, wire.nothing);
  }
  await visit("deleteCustomFieldOption", wire.nothing, optionRequest);
  await visit("deleteCustomFieldDefinition", wire.nothing, { ids });
});

test("the walk has called every operation that docs/api/openapi.json publishes [spec: R15]", () => {
  expect(operations.length).toBeGreaterThan(100);
  expect([...called].toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted());
});
