import fs from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { type Client, createClient } from "./create-client.ts";
import {
  accuracyFilters,
  auditEventFilters,
  containerFilters,
  definitionFilters,
  ediFileFilters,
  exceptionFilters,
  fieldFilters,
  notificationFilters,
  overviewFilters,
  savedViewFilters,
  shareLinkFilters,
  shipmentFilters,
  trackingRequestFilters,
} from "./testing/every-filter.ts";
import { startWireServer } from "./testing/wire-server.ts";

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly { readonly name?: string; readonly in?: string }[];
}

const description: { readonly paths: Record<string, Record<string, Operation>> } = JSON.parse(
  fs.readFileSync(new URL("../../../docs/api/openapi.json", import.meta.url), "utf8"),
);

/** `PATCH /containers` is an alias of `PATCH /containers/{id}`, which `containers.edit` uses. */
const aliases = new Set(["editContainerInBody"]);

const published = Object.entries(description.paths).flatMap(([path, operations]) =>
  Object.entries(operations).flatMap(([method, operation]) =>
    operation.operationId === undefined || aliases.has(operation.operationId)
      ? []
      : [{ id: operation.operationId, method: method.toUpperCase(), path, parameters: operation.parameters ?? [] }],
  ),
);

const id = "0197a1b2-0000-7000-8000-000000000001";
const text = "x";
const way = { portId: "USLAX", previousPortId: "CNSHA" };
const webhook = { url: "https://example.com", events: ["*"] };
const newRequest = { requestType: "container", requestNumber: "MSKU0000006", scac: "MAEU" } as const;
const definition = { entityType: "Shipment", apiSlug: text, displayName: text, dataType: "date" } as const;
const field = { apiSlug: text, value: text };

const { ended: _, ...chargeFilters } = exceptionFilters;

/** How the client is asked for each operation of the API; a list with every filter that it has. */
const calls: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  inferNumber: (client) => client.trackingRequests.inferNumber(text),
  createTrackingRequests: (client) => client.trackingRequests.createBulk([newRequest]),
  createTrackingRequest: (client) => client.trackingRequests.create(newRequest),
  listTrackingRequests: (client) => client.trackingRequests.list({ filter: trackingRequestFilters }),
  getTrackingRequest: (client) => client.trackingRequests.get(id),
  editTrackingRequest: (client) => client.trackingRequests.update(id, { refNumbers: [] }),
  listShipments: (client) => client.shipments.list({ filter: shipmentFilters }),
  getShipment: (client) => client.shipments.get(id, { asOf: "2026-11-01" }),
  editShipment: (client) => client.shipments.update(id, { tags: [] }),
  stopShipmentTracking: (client) => client.shipments.stopTracking(id),
  resumeShipmentTracking: (client) => client.shipments.resumeTracking(id),
  listSavedViews: (client) => client.savedViews.list({ filter: savedViewFilters }),
  createSavedView: (client) => client.savedViews.create({ list: "shipments", name: text, isDefault: true }),
  getSavedView: (client) => client.savedViews.get(id),
  editSavedView: (client) => client.savedViews.update(id, { sort: null }),
  deleteSavedView: (client) => client.savedViews.delete(id),
  listAuditEvents: (client) => client.auditEvents.list({ filter: auditEventFilters }),
  getAuditEvent: (client) => client.auditEvents.get(id),
  createShareLink: (client) => client.shareLinks.create(id, { showsFees: true, expiresAt: new Date(0) }),
  listShareLinks: (client) => client.shareLinks.list({ filter: shareLinkFilters }),
  getShareLink: (client) => client.shareLinks.get(id),
  revokeShareLink: (client) => client.shareLinks.revoke(id),
  listContainers: (client) => client.containers.list({ filter: containerFilters }),
  getContainer: (client) => client.containers.get(id, { asOf: new Date(0) }),
  editContainer: (client) => client.containers.update(id, { refNumbers: [] }),
  listContainerTransportEvents: (client) =>
    client.containers.transportEvents(id, { asOf: "2026-11-01", kind: ["milestone"], event: [text] }),
  listContainerRawEvents: (client) => client.containers.rawEvents(id),
  getContainerRoute: (client) => client.containers.route(id),
  getContainerMap: (client) => client.containers.map(id, { avoid: ["suez"], asOf: "2026-11-01" }),
  listContainerPositions: (client) => client.overviews.containerPositions(overviewFilters),
  refreshContainer: (client) => client.containers.refresh(id),
  listShipmentHistory: (client) => client.shipments.history(id, { filter: { field: text } }),
  listContainerHistory: (client) => client.containers.history(id, { filter: { field: text } }),
  listShipmentProvenance: (client) => client.shipments.provenance(id, { asOf: "2026-11-01" }),
  listContainerProvenance: (client) => client.containers.provenance(id, { asOf: new Date(0) }),
  getShipmentFreshness: (client) => client.shipments.freshness(id),
  getShipmentTrackingSummary: (client) => client.shipments.trackingSummary(id, { containerId: id, asOf: "2026-11-01" }),
  listTransitTimes: (client) => client.transitTimes.list({ filter: accuracyFilters }),
  listEtaAccuracy: (client) => client.etaAccuracy.list({ filter: accuracyFilters }),
  listContainerOverviews: (client) =>
    client.overviews.containers({ filter: overviewFilters, after: text, before: text }),
  countContainerOverviews: (client) => client.overviews.countContainers("status", overviewFilters, { upTo: 1 }),
  listShipmentOverviews: (client) => client.overviews.shipments({ filter: overviewFilters, after: text, before: text }),
  countShipmentOverviews: (client) => client.overviews.countShipments("customer", overviewFilters, { upTo: 1 }),
  listExceptions: (client) => client.exceptions.list({ filter: exceptionFilters }),
  countExceptions: (client) => client.exceptions.count("kind", exceptionFilters),
  sumExceptionCharges: (client) => client.exceptions.charges("customer", chargeFilters),
  getException: (client) => client.exceptions.get(id),
  listExceptionAuditEvents: (client) => client.exceptions.auditEvents(id, { pageSize: 5 }),
  editException: (client) => client.exceptions.update(id, { status: "resolved", note: text }),
  listChanges: (client) => client.overviews.changes({ filter: { since: "2026-11-01", field: text, shipment: id } }),
  exportShipments: (client) => client.exports.shipments({ since: text }),
  exportContainers: (client) => client.exports.containers({ since: text }),
  exportTransportEvents: (client) => client.exports.transportEvents({ since: text }),
  exportShipmentOverviews: (client) => client.exports.shipmentOverviews({ filter: overviewFilters, sort: text }),
  exportContainerOverviews: (client) => client.exports.containerOverviews({ filter: overviewFilters, sort: text }),
  search: (client) => client.search(text),
  listCarriers: (client) => client.carriers.list(),
  listCarrierConnections: (client) => client.carrierConnections.list(),
  createCarrierConnection: (client) => client.carrierConnections.create({ scac: text, credentials: { kind: "none" } }),
  getCarrierConnection: (client) => client.carrierConnections.get(id),
  editCarrierConnection: (client) => client.carrierConnections.update(id, { active: false }),
  testCarrierConnection: (client) => client.carrierConnections.test(id),
  deleteCarrierConnection: (client) => client.carrierConnections.delete(id),
  sendEdiFile: (client) => client.ediFiles.send(text),
  listEdiFiles: (client) => client.ediFiles.list({ filter: ediFileFilters }),
  listAlertSubscriptions: (client) => client.alertSubscriptions.list(),
  createAlertSubscription: (client) =>
    client.alertSubscriptions.create({ name: text, channel: "email", member: text, frequency: "at_once" }),
  getAlertSubscription: (client) => client.alertSubscriptions.get(id),
  editAlertSubscription: (client) => client.alertSubscriptions.update(id, { active: false }),
  deleteAlertSubscription: (client) => client.alertSubscriptions.delete(id),
  testAlertSubscription: (client) => client.alertSubscriptions.test(id),
  listDemurrageRules: (client) => client.demurrageRules.list(),
  createDemurrageRule: (client) =>
    client.demurrageRules.create({
      name: text,
      kind: "demurrage",
      direction: "import",
      freeDays: 4,
      currencyCode: "USD",
      tiers: [{ fromDay: 1, amountPerDay: "75.00" }],
    }),
  getDemurrageRule: (client) => client.demurrageRules.get(id),
  editDemurrageRule: (client) => client.demurrageRules.update(id, { freeDays: 5 }),
  deleteDemurrageRule: (client) => client.demurrageRules.delete(id),
  getContainerDemurrage: (client) => client.containers.demurrage(id),
  listEmissionFactors: (client) => client.emissionFactors.list(),
  createEmissionFactor: (client) =>
    client.emissionFactors.create({
      name: text,
      energyScope: "well_to_wake",
      gramsPerTeuKm: 62.5,
      distanceBasis: "actual_distance",
      source: text,
    }),
  getEmissionFactor: (client) => client.emissionFactors.get(id),
  editEmissionFactor: (client) => client.emissionFactors.update(id, { gramsPerTeuKm: 60 }),
  deleteEmissionFactor: (client) => client.emissionFactors.delete(id),
  importEmissionFactors: (client) => client.emissionFactors.import(text),
  getContainerEmissions: (client) => client.containers.emissions(id),
  getEdiFile: (client) => client.ediFiles.get(id),
  getEdiFileContent: (client) => client.ediFiles.content(id),
  createEventImport: (client) => client.eventImports.create({ rows: [{ scac: text }] }),
  getEventImport: (client) => client.eventImports.get(id),
  listWebhookEvents: (client) => client.webhooks.events(),
  listWebhookIps: (client) => client.webhooks.ips(),
  triggerWebhook: (client) => client.webhooks.trigger({ url: webhook.url, event: "container.created" }),
  listWebhooks: (client) => client.webhooks.list(),
  createWebhook: (client) => client.webhooks.create(webhook),
  getWebhook: (client) => client.webhooks.get(id),
  editWebhook: (client) => client.webhooks.update(id, { active: false }),
  deleteWebhook: (client) => client.webhooks.delete(id),
  rotateWebhookSecret: (client) => client.webhooks.rotateSecret(id),
  listNoticesOfWebhook: (client) => client.webhooks.notices(id),
  listNotificationsOfWebhook: (client) => client.webhooks.notifications(id),
  getWebhookPerformance: (client) => client.webhooks.performance({ webhook: id, period: "week" }),
  listWebhookStatistics: (client) => client.webhooks.statistics(),
  recoverWebhook: (client) => client.webhooks.recover(id, { since: "2026-11-01T00:00:00Z" }),
  listWebhookNotificationExamples: (client) => client.notifications.examples("container.created"),
  listWebhookNotifications: (client) => client.notifications.list({ filter: notificationFilters }),
  getWebhookNotification: (client) => client.notifications.get(id),
  listWebhookNotificationAttempts: (client) => client.notifications.attempts(id),
  listWebhookDeliveries: (client) => client.notifications.deliveries({ filter: notificationFilters }),
  getWebhookDelivery: (client) => client.notifications.delivery(id),
  redeliverWebhookNotification: (client) => client.notifications.redeliver(id),
  listShippingLines: (client) => client.shippingLines.list({ search: text }),
  getShippingLine: (client) => client.shippingLines.get(text),
  listPorts: (client) => client.ports.list({ search: text }),
  getPort: (client) => client.ports.get(id),
  listMetroAreas: (client) => client.metroAreas.list({ search: text }),
  getMetroArea: (client) => client.metroAreas.get(id),
  getTerminal: (client) => client.terminals.get(id),
  getVessel: (client) => client.vessels.get(id),
  getVesselFuturePositions: (client) => client.vessels.futurePositions(id, way),
  getVesselFuturePositionsWithCoordinates: (client) =>
    client.vessels.futurePositionsWithCoordinates(id, { ...way, latitude: 1.25, longitude: -104 }),
  listParties: (client) => client.parties.list({ filter: { companyName: text } }),
  createParty: (client) => client.parties.create({ companyName: text }),
  getParty: (client) => client.parties.get(id),
  editParty: (client) => client.parties.update(id, { companyName: text }),
  listCustomFieldDefinitions: (client) => client.customFields.listDefinitions({ filter: definitionFilters }),
  createCustomFieldDefinition: (client) => client.customFields.define(definition),
  getCustomFieldDefinition: (client) => client.customFields.getDefinition(id),
  editCustomFieldDefinition: (client) => client.customFields.updateDefinition(id, { displayName: text }),
  deleteCustomFieldDefinition: (client) => client.customFields.deleteDefinition(id),
  listCustomFieldOptions: (client) => client.customFields.listOptions(id),
  createCustomFieldOption: (client) => client.customFields.addOption(id, { label: text, value: text }),
  getCustomFieldOption: (client) => client.customFields.getOption(id, id),
  editCustomFieldOption: (client) => client.customFields.updateOption(id, id, { label: text }),
  deleteCustomFieldOption: (client) => client.customFields.deleteOption(id, id),
  listCustomFields: (client) => client.customFields.list({ filter: fieldFilters }),
  createCustomField: (client) => client.customFields.create({ type: "shipment", id }, field),
  getCustomField: (client) => client.customFields.get(id),
  editCustomField: (client) => client.customFields.update(id, text),
  deleteCustomField: (client) => client.customFields.delete(id),
  listShipmentCustomFields: (client) => client.customFields.listOf("shipments", id),
  putShipmentCustomField: (client) => client.customFields.set("shipments", id, field),
  editShipmentCustomField: (client) => client.customFields.change("shipments", id, field),
  deleteShipmentCustomField: (client) => client.customFields.remove("shipments", id, text),
  listContainerCustomFields: (client) => client.customFields.listOf("containers", id),
  putContainerCustomField: (client) => client.customFields.set("containers", id, field),
  editContainerCustomField: (client) => client.customFields.change("containers", id, field),
  deleteContainerCustomField: (client) => client.customFields.remove("containers", id, text),
  listTrackingRequestCustomFields: (client) => client.customFields.listOf("tracking_requests", id),
  putTrackingRequestCustomField: (client) => client.customFields.set("tracking_requests", id, field),
  editTrackingRequestCustomField: (client) => client.customFields.change("tracking_requests", id, field),
  deleteTrackingRequestCustomField: (client) => client.customFields.remove("tracking_requests", id, text),
};

const pathOf = (template: string) => new RegExp(`^/v2${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
const filterNames = (parameters: Operation["parameters"] = []) =>
  parameters.flatMap(({ name }) => (name?.startsWith("filter[") ? [name] : []));

const server = started(() => startWireServer(() => ({ body: { data: [] }, headers: { "export-cursor": text } })));
const client = started(() => createClient({ token: "t", baseUrl: server.baseUrl }));

describe("every operation of the published description has a method of the client", () => {
  test("covers exactly the operations of the API", () => {
    expect(Object.keys(calls).sort()).toEqual(published.map((operation) => operation.id).sort());
  });

  test.each(published)("$id: $method $path", async ({ id: operationId, method, path, parameters }) => {
    const before = server.requests.length;
    await calls[operationId]?.(client);
    const request = server.requests[before];
    const url = new URL(request?.rawUrl ?? "", "http://api.test");
    expect(request?.method).toBe(method);
    expect(url.pathname).toMatch(pathOf(path));
    const sent = [...url.searchParams.keys()].filter((name) => name.startsWith("filter["));
    expect(sent.sort()).toEqual(filterNames(parameters).sort());
    const known = parameters.map(({ name }) => name);
    const others = [...url.searchParams.keys()].filter((name) => !/^(filter|page|fields)\[|^include$/.test(name));
    for (const name of others) expect(known).toContain(name);
    expect("idempotency-key" in (request?.headers ?? {})).toBe(method === "POST" && operationId !== "inferNumber");
  });
});
