import { uuidV7 } from "@svc/persistence";
import { insertContainer, insertException, insertNotification, insertTransportEvent } from "./rows.ts";
import type { TestAccount, TestApi } from "./start-test-api.ts";
import { insertVoyage } from "./voyage-rows.ts";

const imo = "2000016";
const at = new Date("2026-11-20T10:00:00Z");

/** Places and a vessel that the records of `fillAccount` refer to, so that every relationship has linkage. */
export async function insertSharedPlaces({ database: { prisma } }: TestApi) {
  const port = await prisma.port.findUniqueOrThrow({ where: { locode: "USLAX" } });
  const terminal = { id: uuidV7.next(), portId: port.id, kind: "terminal", name: "Pier 400", source: "carrier" };
  await prisma.terminal.create({ data: terminal });
  const vessel = await prisma.vessel.create({ data: { id: uuidV7.next(), imo, name: "SBX ALPHA" } });
  return { portId: port.id, terminalId: terminal.id, vesselId: vessel.id };
}

/**
 * `count` of everything that an account can have and, of what lists show within a record, `count` in the first. Returns
 * the first of each kind, by the name that it has in paths.
 */
export async function fillAccount(
  api: TestApi,
  account: TestAccount,
  places: Awaited<ReturnType<typeof insertSharedPlaces>>,
  count: number,
): Promise<Readonly<Record<string, string>>> {
  const { prisma } = api.database;
  const { portId, terminalId, vesselId } = places;
  const post = async (path: string, attributes: object): Promise<string> => {
    const response = await api.request(path, { method: "POST", token: account.token, body: { data: { attributes } } });
    if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${response.text}`);
    return response.body.data.id;
  };
  const dischargePorts = await prisma.port.findMany({ orderBy: { locode: "asc" }, take: count });
  const lines = await prisma.shippingLine.findMany({ orderBy: { scac: "asc" }, take: count });
  const credentials = { kind: "api_key", headers: [{ name: "Key", value: "secret" }] };
  const first: Record<string, string> = {};
  for (let n = 1; n <= count; n++) {
    const containerNumber = `SBXU${account.id.slice(-4)}${n}`;
    const facts = Array.from({ length: count }, (_, day) => ({
      ...({ classifier: day % 2 === 0 ? "ACT" : "EST", code: "DEPA", at: "USLAX", vessel: imo } as const),
      on: `2026-11-0${day + 1}`,
    }));
    const { shipmentId, containerId } = await insertVoyage(api.database, account.id, containerNumber, [
      { classifier: "ACT", code: "LOAD", at: "CNSHA", on: "2026-10-30", vessel: imo, container: containerNumber },
      ...facts,
    ]);
    const partyId = await post("/parties", { company_name: `Customer ${n}` });
    const key = { accountId: account.id, id: shipmentId };
    // Each on a lane of its own, on which it has arrived.
    const places = { portOfLadingId: portId, portOfDischargeId: dischargePorts[n - 1]?.id ?? portId };
    const voyage = { destinationPortId: portId, polAtdAt: new Date("2026-10-30T10:00:00Z"), podAtaAt: at };
    const terminals = { podTerminalId: terminalId, destinationTerminalId: terminalId };
    await prisma.shipment.update({
      where: { accountId_id: key },
      data: { ...places, ...voyage, ...terminals, customerId: partyId, podVesselId: vesselId },
    });
    const facility = { podTerminalId: terminalId, pickupFacilityId: terminalId };
    await prisma.container.update({ where: { accountId_id: { ...key, id: containerId } }, data: facility });
    const requestId = uuidV7.next();
    await prisma.trackingRequest.create({
      data: {
        accountId: account.id,
        id: requestId,
        requestType: "bill_of_lading",
        requestNumber: containerNumber,
        normalizedNumber: containerNumber,
        scac: "SBXL",
        status: "created",
        shipmentId,
        customerId: partyId,
        createdAt: at,
        updatedAt: at,
      },
    });
    const exceptionId = await insertException(api.database, account.id, {
      shipmentId,
      containerId,
      subjectId: containerId,
    });
    first.exceptions ??= exceptionId;
    const note = { data: { type: "exception", id: first.exceptions, attributes: { note: `Note ${n}` } } };
    await api.request(`/exceptions/${first.exceptions}`, { method: "PATCH", token: account.token, body: note });
    const linkId = await post(`/shipments/${shipmentId}/share_links`, {});
    first.share_links ??= linkId;
    const viewId = await post("/saved_views", { list: "shipments", name: containerNumber, shared: true });
    first.saved_views ??= viewId;
    const importId = uuidV7.next();
    const message = { channel: "import", scac: "", form: "json", receivedAt: at, contentHash: Buffer.from(importId) };
    await prisma.eventMessage.create({
      data: { ...message, accountId: account.id, id: importId, eventCount: 1, body: Buffer.alloc(0) },
    });
    first.event_imports ??= importId;
    const fileId = uuidV7.next();
    await prisma.ediFile.create({
      data: {
        accountId: account.id,
        id: fileId,
        source: "api",
        partner: "standard",
        receivedAt: at,
        sizeBytes: 0,
        status: "received",
      },
    });
    first.edi_files ??= fileId;
    const alert = {
      name: "Urgent",
      channel: "slack",
      webhook_url: "https://hooks.example.com/T1",
      frequency: "at_once",
    };
    const alertId = await post("/alert_subscriptions", alert);
    first.alert_subscriptions ??= alertId;
    const ruleId = await post("/demurrage_rules", {
      name: "Tariff",
      kind: "demurrage",
      direction: "import",
      free_days: 4,
      currency_code: "USD",
      tiers: [{ from_day: 1, amount_per_day: "75.00" }],
    });
    first.demurrage_rules ??= ruleId;
    const factorId = await post("/emission_factors", {
      name: "Lane",
      energy_scope: "well_to_wake",
      grams_per_teu_km: 62.5,
      distance_basis: "actual_distance",
      source: "Clean Cargo 2025",
      carrier_scac: lines[n - 1]?.scac,
    });
    first.emission_factors ??= factorId;
    const connectionId = await post("/carrier_connections", { scac: lines[n - 1]?.scac, credentials });
    first.carrier_connections ??= connectionId;
    const webhookId = await post("/webhooks", { url: `https://example.com/${n}`, active: true, events: ["*"] });
    const define = (entity_type: string, data_type: string) =>
      post("/custom_field_definitions", { entity_type, data_type, display_name: "Field", api_slug: `field_${n}` });
    const definitionId = await define("Shipment", "enum");
    for (const type of ["Container", "TrackingRequest"]) await define(type, "short_text");
    const entities = { shipments: shipmentId, containers: containerId, tracking_requests: requestId };
    if (n === 1) Object.assign(first, entities, { webhooks: webhookId, parties: partyId, definitions: definitionId });
    for (let each = 1; each <= (n === 1 ? count : 1); each++) {
      const option = await post(`/custom_field_definitions/${definitionId}/options`, { value: `v${each}`, label: "A" });
      first.options ??= option;
      const subject = { subjectType: "shipment", subjectId: shipmentId, field: "podEtaAt", value: `${each}` };
      for (const kind of [subject, { ...subject, subjectType: "container", subjectId: containerId }]) {
        const rule = { rule: "latest-estimate", dataSource: "shipping_line" };
        const validFrom = new Date(at.getTime() + each);
        const supersededAt = each === count ? null : new Date(at.getTime() + each + 1);
        const data = { accountId: account.id, id: uuidV7.next(), ...kind, ...rule, validFrom, supersededAt };
        await prisma.fieldFact.create({ data });
        const present = { ...data, id: uuidV7.next(), field: `${data.field}${each}`, supersededAt: null };
        await prisma.fieldFact.create({ data: present });
      }
      const estimate = { observedAt: at, etaAt: at, arrivedAt: new Date(at.getTime() + 3_600_000) };
      const lane = { shippingLineScac: "SBXL", portOfLadingLocode: "CNSHA", portOfDischargeLocode: `USLA${each}` };
      const sample = { accountId: account.id, id: uuidV7.next(), shipmentId, ...lane, ...estimate };
      await prisma.etaSample.create({ data: sample });
      if (each > 1)
        await insertContainer(api.database, account.id, shipmentId, {
          number: `${containerNumber}${each}`,
          ...facility,
        });
      const keys = { shipmentId, containerId, portId, terminalId, vesselId };
      await insertTransportEvent(api.database, account.id, keys);
      const notificationId = await insertNotification(api.database, account.id, webhookId);
      first.webhook_notifications ??= notificationId;
      first.webhook_deliveries ??= notificationId;
      const attempt = { attemptNumber: each, startedAt: at, outcome: "failed", url: "https://example.com" };
      const notice = { url: "https://example.com", kind: "failing", consecutiveFailures: each, createdAt: at };
      await prisma.webhookNotice.create({
        data: { accountId: account.id, id: uuidV7.next(), webhookId: first.webhooks ?? webhookId, ...notice },
      });
      const notification = { notificationId: first.webhook_notifications, webhookId: first.webhooks ?? webhookId };
      if (n === 1) {
        const data = { accountId: account.id, id: uuidV7.next(), ...notification, ...attempt, requestHeaders: {} };
        await prisma.webhookAttempt.create({ data });
      }
    }
    for (const kind of ["shipments", "containers", "tracking_requests"]) {
      const field = await post(`/${kind}/${first[kind]}/custom_fields`, { api_slug: `field_${n}`, value: "v1" });
      first.custom_fields ??= field;
    }
  }
  return first;
}
