import type { Container } from "@svc/domain/containers";
import type { PageRequest } from "@svc/domain/lists";
import { notFound } from "@svc/jsonapi";
import type { Database } from "@svc/persistence";
import { createCustomFieldRepository } from "@svc/persistence/custom-fields";
import type { Request, Response } from "express";
import type { Caller } from "../access/callers.ts";
import { found } from "../http/found.ts";
import { isUuid } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { createTrackingReaders, latestChanges } from "../shipments/tracking-readers.ts";
import { containerPage } from "./container-page.ts";
import { rawEventsPage } from "./raw-events-page.ts";

const rawEventsOnPage = 50;
const customFieldsAtMost: PageRequest<"created_at"> = {
  size: 100,
  sortBy: "created_at",
  descending: false,
  position: { kind: "number", number: 1 },
};

/** `GET /containers/{id}` and `GET /containers/{id}/raw-events`. Both throw `TrackingError` `not_found`. */
export function containerRoutes(database: Database, apiBaseUrl: string) {
  const { containers, shipments, events, rawEvents, histories, sourcesOf, readNames } = createTrackingReaders(database);
  const customFields = createCustomFieldRepository(database.tenantSql);

  const find = (accountId: string, request: Request): Promise<Container> =>
    found("container", request.params.id, (id) => containers.find(accountId, id));

  const show = async (request: Request, response: Response, caller: Caller): Promise<void> => {
    const { accountId } = caller;
    const container = await find(accountId, request);
    const [shipment, timeline, changes, sources, fields] = await Promise.all([
      shipments.find(accountId, container.shipmentId),
      events.findOfContainers(accountId, [container.id]),
      histories.list(accountId, container.id, undefined, latestChanges),
      sourcesOf(accountId, container.id),
      customFields.list(accountId, { entityType: ["Container"], entityId: [container.id] }, customFieldsAtMost),
    ]);
    if (!shipment) throw notFound("container", container.id);
    const names = await readNames(timeline, [container.podTerminalId, container.pickupFacility?.id]);
    const page = containerPage({
      caller,
      apiBaseUrl,
      container,
      shipment,
      timeline,
      names,
      sources,
      history: changes.items,
      customFields: fields.items,
    });
    sendLivePage(request, response, page);
  };

  const showRawEvents = async (request: Request, response: Response, caller: Caller): Promise<void> => {
    const container = await find(caller.accountId, request);
    const after = typeof request.query.after === "string" ? request.query.after : "";
    const page = await rawEvents.listOfContainer(caller.accountId, container.id, {
      size: rawEventsOnPage,
      sortBy: "created_at",
      descending: true,
      position: isUuid(after) ? { kind: "after", row: { value: after, id: after } } : { kind: "number", number: 1 },
    });
    const last = page.items.at(-1);
    const older = page.hasMore && last ? `/containers/${container.id}/raw-events?after=${last.id}` : null;
    sendPage(response, 200, rawEventsPage({ caller, apiBaseUrl, container, page, older }));
  };

  return { show, showRawEvents };
}
