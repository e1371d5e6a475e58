import type { Shipment } from "@svc/domain/shipments";
import type { TrackingRequest } from "@svc/domain/tracking-requests";
import type { WebhookEventName } from "@svc/domain/webhooks";
import { asOfDocumentSchema } from "@svc/jsonapi/documents";
import { ShipmentResource, shipmentIdentityDocument, shipmentResource } from "@svc/jsonapi/shipments";
import { trackingRequestResource } from "@svc/jsonapi/tracking-requests";
import type { AccountSql } from "@svc/persistence";
import { createShipmentRepository, resumeTracking, stopTracking } from "@svc/persistence/shipments";
import { findSubscriptions, type Subscriptions, writeNotificationEvents } from "@svc/persistence/tracking";
import { defineRoute, type Exchange, type Reply } from "../http/define-route.ts";
import { checkWritten } from "../http/preconditions.ts";
import { recordReply } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";

const tag = "Shipments";
const params = { id: { of: "shipment", kind: "uuid", description: "The shipment's id." } } as const;
const query = { type: "shipment" } as const;
/** Clients send the shipment's identity, or nothing. */
const identityOnly = { document: shipmentIdentityDocument, optional: true } as const;

const stopped: WebhookEventName = "tracking_request.tracking_stopped";

type Context = Pick<Exchange<object, undefined>, "services" | "caller" | "traceparent">;

interface Ended {
  readonly shipment: Shipment;
  readonly requests: readonly TrackingRequest[];
}

/** Notifies subscribers of each request that ended, with its shipment as it is now. */
async function notifyStopped(
  { services: { settings, clock }, caller: { accountId }, traceparent }: Context,
  sql: AccountSql,
  { shipment, requests }: Ended,
  subscriptions: Subscriptions,
): Promise<void> {
  if (!subscriptions.hasSubscriber(stopped)) return;
  const events = requests.map((request) => {
    const included = [trackingRequestResource(request, settings.baseUrl), shipmentResource(shipment, settings.baseUrl)];
    return {
      event: stopped,
      referenceType: "tracking_request" as const,
      referenceId: request.id,
      included: JSON.stringify(included),
    };
  });
  await writeNotificationEvents(sql, accountId, events, subscriptions, clock.now(), traceparent);
}

const stop = defineRoute({
  method: "patch",
  path: "/shipments/{id}/stop_tracking",
  operationId: "stopShipmentTracking",
  summary: "Stop tracking a shipment",
  description: "Ends the polling of the shipment and its containers. Stopping it a second time changes nothing.",
  tag,
  scope: "write",
  action: "track",
  request: { params, query, body: identityOnly, conditional: true },
  responses: { 200: { description: "The shipment.", schema: asOfDocumentSchema(ShipmentResource) } },
  async handle(exchange): Promise<Reply> {
    const { services, caller, params, ifVersions } = exchange;
    const { id } = params;
    const { written, shipment } = await services.transaction(caller.accountId, async (sql) => {
      const options = { now: services.clock.now(), userId: caller.userId, ifVersions };
      const requests = await stopTracking(sql, caller.accountId, id, options);
      const [shipment, subscriptions] = await Promise.all([
        createShipmentRepository(sql).find(caller.accountId, id),
        requests?.length ? findSubscriptions(sql, caller.accountId) : null,
      ]);
      if (shipment && requests && subscriptions)
        await notifyStopped(exchange, sql, { shipment, requests }, subscriptions);
      return { written: requests !== null, shipment };
    });
    const present = requireFound("shipment", id, shipment);
    checkWritten(written, ifVersions, present);
    return recordReply(exchange, present, shipmentResource);
  },
});

const resume = defineRoute({
  method: "patch",
  path: "/shipments/{id}/resume_tracking",
  operationId: "resumeShipmentTracking",
  summary: "Resume tracking a shipment",
  description:
    "Resumes the polling of the shipment and its containers immediately. Events of the time in between may be " +
    "missing from the history.",
  tag,
  scope: "write",
  action: "track",
  request: { params, query, body: identityOnly, conditional: true },
  responses: { 200: { description: "The shipment.", schema: asOfDocumentSchema(ShipmentResource) } },
  async handle(exchange): Promise<Reply> {
    const { services, caller, params, ifVersions } = exchange;
    const { id } = params;
    const options = { now: services.clock.now(), ifVersions };
    const written = await services.transaction(caller.accountId, (sql) =>
      resumeTracking(sql, caller.accountId, id, options),
    );
    const shipment = requireFound("shipment", id, await services.shipments.find(caller.accountId, id));
    checkWritten(written, ifVersions, shipment);
    return recordReply(exchange, shipment, shipmentResource);
  },
});

export const trackingStateRoutes = [stop, resume];
