import { setTimeout as delay } from "node:timers/promises";
import { connectDatabase } from "@svc/persistence";
import { createInvitation, createInvitationRepository } from "@svc/persistence/members";
import { eventually } from "@svc/testkit";
import type { Resource } from "../../e2e/harness/api-client.ts";
import { sailUntil, sandboxClock } from "../../e2e/harness/sandbox-clock.ts";
import type { System } from "../../e2e/harness/system.ts";

/** References as long as they get, without a place to break; and as many as some systems send. */
const longReference = `PO-${"ABCDEFGHJ".repeat(10)}`;
const manyReferences = Array.from({ length: 30 }, (_, index) => `PO-2026-${String(index).padStart(5, "0")}`);

/** How time passes while the records are created. */
export interface Passing {
  /** Waits between two requests to track a number. */
  betweenRequests(): Promise<void>;
  /** Lets this many days of the voyages pass, in so many steps. */
  sail(days: number, steps: number): Promise<void>;
}

/** Time as the sandbox has it, which the sails only advance. */
const unhindered = (system: System): Passing => ({
  betweenRequests: async () => undefined,
  sail: async (days) => void (await sandboxClock.advance(system, `${days}d`)),
});

/** Paths of the pages of the application by their names. */
export interface EveryPage {
  readonly signedIn: Readonly<Record<string, string>>;
  /** For whom is not signed in: opened after the others, because opening a shared page is counted. */
  readonly signedOut: Readonly<Record<string, string>>;
}

/** The path of an invitation for an address that no user has. */
async function createJoinPath(system: System): Promise<string> {
  const { databaseUrl: url, login } = system.runtime();
  const database = connectDatabase({ url, applicationName: "test", onIdleError: () => undefined });
  try {
    const { accountId } = await database.prisma.membership.findFirstOrThrow({
      where: { user: { email: login.email } },
    });
    const { invitation, path } = createInvitation({ email: "ben@example.com", role: "operator" }, Date.now());
    await createInvitationRepository(database.sql).create(accountId, invitation);
    return path;
  } finally {
    await database.close();
  }
}

/**
 * Creates records of every kind, and returns the path of every page. Some voyages are at sea; one container is held by
 * customs after its last free day, one was not picked up and costs demurrage, and those of one shipment are returned.
 */
export async function createEveryPage(system: System, passing: Passing = unhindered(system)): Promise<EveryPage> {
  const track = async (request_number: string, more: object = {}): Promise<void> => {
    const request = { request_type: "bill_of_lading", request_number, scac: "SBXL", ...more };
    const { status } = await system.api.create("/tracking_requests", "tracking_request", request);
    if (status !== 201) throw new Error(`Tracking ${request_number} answered ${status}.`);
    await passing.betweenRequests();
  };
  // Each request counts against the API's limit.
  const pauseMs = 500;
  /** The shipments with their containers, once there are so many of both. */
  const known = (shipments: number, containers: number) =>
    eventually(`${shipments} shipments have containers`, async () => {
      await delay(pauseMs);
      const { body } = await system.api.get("/shipments?include=containers&sort=created_at");
      return body.data.length === shipments && (body.included?.length ?? 0) >= containers ? body : undefined;
    });
  // A voyage begins with the first request to the carrier.
  await track("SBXARW000123");
  await track("SBXDIR000123", { ref_numbers: ["PO-4711"] });
  await known(2, 3);
  await passing.sail(8, 2);
  await track("SBXHLD000123", { ref_numbers: ["PO-4712", "PO-4713"], shipment_tags: ["priority"] });
  await known(3, 4);
  await passing.sail(10, 10);
  const webhook = { url: "http://127.0.0.1:9/dead/port/with-a-long-path", events: ["*"], active: true };
  const { body: created } = await system.api.create("/webhooks", "webhook", webhook);
  await track("SBXSPL000123", { ref_numbers: [longReference], shipment_tags: ["urgent", "cold chain"] });
  await track("SBXRAI000123", { ref_numbers: manyReferences });
  await track("SBXDLY000123");
  await track("SBXNFD000123");
  await track("SBXROL000123");
  const secrets = { client_id: "id", client_secret: "secret", headers: [{ name: "Consumer-Key", value: "id" }] };
  const credentials = { kind: "oauth2_client_credentials", ...secrets };
  await system.api.create("/carrier_connections", "carrier_connection", { scac: "MAEU", credentials });
  const alert = { name: "Holds and fees of Kite", channel: "slack", frequency: "daily", time_zone: "Europe/Berlin" };
  const filter = { kinds: ["hold", "fee", "last_free_day_over"], carriers: ["MAEU", "SBXL"], tags: ["cold chain"] };
  const { body: subscribed } = await system.api.create("/alert_subscriptions", "alert_subscription", {
    ...alert,
    ...filter,
    webhook_url: "http://127.0.0.1:9/dead",
  });
  const saved = { list: "shipments", name: "Urgent shipments of Kite", filters: { tag: "urgent" }, shared: true };
  const { body: view } = await system.api.create("/saved_views", "saved_view", saved);
  const { body: tariff } = await system.api.create("/demurrage_rules", "demurrage_rule", {
    name: "Contract of Kite 2026",
    kind: "demurrage",
    direction: "import",
    carrier_scac: "SBXL",
    free_days: 4,
    free_day_calendar: "working_days",
    currency_code: "USD",
    equipment_types: ["dry", "reefer"],
    tiers: [{ from_day: 1, amount_per_day: "75.00" }],
  });
  const { body: factor } = await system.api.create("/emission_factors", "emission_factor", {
    name: "Asia to North Europe by SBXL, 2026",
    energy_scope: "well_to_wake",
    grams_per_teu_km: 55.125,
    distance_basis: "actual_distance",
    source: "Sustainability report of the line, edition of June 2026",
    carrier_scac: "SBXL",
    origins: ["CN", "JP", "KR"],
    destinations: ["BE", "DE", "NL"],
    both_directions: true,
  });
  await system.api.create("/parties", "party", { company_name: "Kite & Sons Imports" });
  const { body: customField } = await system.api.create("/custom_field_definitions", "custom_field_definition", {
    entity_type: "Shipment",
    api_slug: "cost_centre",
    display_name: "Cost centre",
    data_type: "short_text",
  });
  const { data: shipments, included: containers = [] } = await known(7, 9);
  const shipmentOf = (number: string): Resource => {
    const found = shipments.find(({ attributes }) => attributes.bill_of_lading_number === number);
    if (!found) throw new Error(`Shipment ${number} is missing.`);
    return found;
  };
  const shipmentPath = (number: string): string => `/shipments/${shipmentOf(number).id}`;
  /** The container of a shipment with the lowest number. */
  const containerOf = (number: string): Resource => {
    const ids = JSON.stringify(shipmentOf(number).relationships?.containers?.data);
    const [first] = containers
      .filter(({ id }) => ids.includes(id))
      .toSorted((a, b) => String(a.attributes.number).localeCompare(String(b.attributes.number)));
    if (!first) throw new Error(`Shipment ${number} has no container.`);
    return first;
  };
  const notification = await eventually("a tracked number is notified", async () => {
    await delay(pauseMs);
    const trackingEventsPath = "/webhook_notifications?filter[event]=tracking_request.succeeded";
    return (await system.api.get(trackingEventsPath)).body.data[0];
  });
  await passing.sail(12, 12);
  const exceptionOf = (kind: string): Promise<Resource> =>
    sailUntil(system, `an exception of the kind ${kind} is open`, async () => {
      const { body } = await system.api.get(`/exceptions?filter[status]=open&filter[kind]=${kind}`);
      return body.data[0];
    });
  const failedRequest = await exceptionOf("tracking_request_failed");
  const held = await exceptionOf("customs_hold");
  const overdue = await exceptionOf("last_free_day_over");
  const shipment = shipmentPath("SBXSPL000123");
  const container = containerOf("SBXRAI000123");
  const heldShipment = shipmentPath("SBXHLD000123");
  const link = { shows_references: true, shows_fees: true, expires_at: null };
  const { body: shared } = await system.api.create(`${heldShipment}/share_links`, "share_link", link);
  const hook = `/developers/webhooks/${created.data.id}`;
  const earlier = String(container.attributes.created_at);
  const signedIn = {
    list: "/shipments",
    attention: "/attention",
    exception: `/attention/${failedRequest.id}`,
    "exception of a hold": `/attention/${held.id}`,
    "exception with a price": `/attention/${overdue.id}`,
    containers: "/containers",
    map: "/map",
    carriers: "/carriers",
    "connect carrier": "/carriers/CMDU",
    "connect carrier by certificate": "/carriers/MSCU",
    "connected carrier": "/carriers/MAEU",
    "disconnect carrier": "/carriers/MAEU/disconnect",
    "carrier performance": "/carriers/performance",
    "filtered list": "/shipments?tag=urgent&carrier=SBXL&sort=created_at",
    "empty search": "/shipments?q=NOWHERE+1",
    shipment,
    "shipment by rail": shipmentPath("SBXRAI000123"),
    "shipment with a late ETA": shipmentPath("SBXDLY000123"),
    "shipment with a hold": heldShipment,
    "shipment with demurrage": shipmentPath("SBXARW000123"),
    "returned shipment": shipmentPath("SBXDIR000123"),
    "share links": `${heldShipment}/share`,
    "shipment as known earlier": `${shipment}?as_of=${earlier}`,
    "container as known earlier": `/containers/${container.id}?as_of=${earlier}`,
    "edit shipment": `${shipment}/edit`,
    "shipment JSON": `${shipment}/json`,
    container: `/containers/${container.id}`,
    "container with a hold": `/containers/${containerOf("SBXHLD000123").id}`,
    "edit container": `/containers/${container.id}/edit`,
    "raw messages": `/containers/${container.id}/raw-events`,
    track: "/track?number=SBXDIR000777",
    bulk: "/track/bulk",
    import: "/track/import",
    "EDI files": "/track/edi",
    requests: "/tracking-requests",
    search: "/track/search?q=SBXU",
    times: "/times",
    status: "/status",
    developers: "/developers",
    tokens: "/developers/tokens",
    "new token": "/developers/tokens/new",
    webhooks: "/developers/webhooks",
    webhook: hook,
    "edit webhook": `${hook}/edit`,
    "rotate secret": `${hook}/rotate`,
    "delete webhook": `${hook}/delete`,
    "recover webhook": `${hook}/recover`,
    "new webhook": "/developers/webhooks/new",
    notifications: "/developers/notifications",
    notification: `/developers/notifications/${notification.id}`,
    events: "/developers/events",
    event: "/developers/events/container.updated",
    inbox: "/developers/inbox",
    mcp: "/developers/mcp",
    alerts: "/account/alerts",
    "new alert": "/account/alerts/new",
    "edit alert": `/account/alerts/${subscribed.data.id}/edit`,
    "delete alert": `/account/alerts/${subscribed.data.id}/delete`,
    "saved views": "/account/views",
    "edit view": `/account/views/${view.data.id}/edit`,
    "delete view": `/account/views/${view.data.id}/delete`,
    "list with a view": `/shipments?tag=urgent&columns=status,arrival&saved=${view.data.id}`,
    "demurrage rules": "/account/demurrage",
    "new demurrage rule": "/account/demurrage/new",
    "edit demurrage rule": `/account/demurrage/${tariff.data.id}/edit`,
    "delete demurrage rule": `/account/demurrage/${tariff.data.id}/delete`,
    "emission factors": "/account/emissions",
    "new emission factor": "/account/emissions/new",
    "import emission factors": "/account/emissions/import",
    "edit emission factor": `/account/emissions/${factor.data.id}/edit`,
    "delete emission factor": `/account/emissions/${factor.data.id}/delete`,
    customers: "/account/customers",
    "new customer": "/account/customers/new",
    "custom fields": "/account/custom-fields",
    "new custom field": "/account/custom-fields/new",
    "edit custom field": `/account/custom-fields/${customField.data.id}/edit`,
    "delete custom field": `/account/custom-fields/${customField.data.id}/delete`,
    calendar: "/account/calendar",
    display: "/account/display",
    "all share links": "/account/share-links",
    members: "/account/members",
    "invite member": "/account/members/invite",
    "sign-in rules": "/account/sign-in-rules",
    "audit log": "/account/audit",
    "own accounts": "/account/accounts",
    sessions: "/account/sessions",
    "two-factor authentication": "/account/two-factor",
    password: "/account/password",
    missing: "/no-such-page",
  };
  const signedOut = {
    "sign in": "/login",
    "lost password": "/login/forgotten",
    "outdated password link": "/login/reset/outdated",
    join: await createJoinPath(system),
    "shared shipment": new URL(String(shared.data.attributes.url)).pathname,
    "revoked share link": "/share/revoked",
  };
  return { signedIn, signedOut };
}
