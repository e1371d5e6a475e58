import type { Instant } from "@svc/domain";
import type { Services } from "../services.ts";

/** Services that read shipments, containers, their events and history as they were known at a time. */
export function servicesAsOf(services: Services, asOf: Instant): Services {
  const { shipments, containers, containerLinks, transportEvents, rawEvents, history, provenance } = services;
  return {
    ...services,
    shipments: {
      ...shipments,
      find: async (accountId, id) => (await shipments.findManyAsOf(accountId, [id], asOf))[0] ?? null,
      findMany: (accountId, ids) => shipments.findManyAsOf(accountId, ids, asOf),
    },
    containers: {
      ...containers,
      find: async (accountId, id) => (await containers.findManyAsOf(accountId, [id], asOf))[0] ?? null,
      findMany: (accountId, ids) => containers.findManyAsOf(accountId, ids, asOf),
    },
    transportEvents: {
      ...transportEvents,
      findOfContainers: (accountId, ids) => transportEvents.findOfContainersAsOf(accountId, ids, asOf),
      findListedOfContainers: (accountId, ids) => transportEvents.findListedOfContainersAsOf(accountId, ids, asOf),
    },
    rawEvents: {
      ...rawEvents,
      listOfContainer: (accountId, id, page) => rawEvents.listOfContainer(accountId, id, page, asOf),
    },
    history: { list: (accountId, id, fields, page) => history.list(accountId, id, fields, page, asOf) },
    provenance: { list: (accountId, id, _asOf, page) => provenance.list(accountId, id, asOf, page) },
    readLastEvents: (accountId, ids) => services.readLastEvents(accountId, ids, { asOf }),
    containerLinks: { find: (accountId, ids) => containerLinks.find(accountId, ids, asOf) },
  };
}
