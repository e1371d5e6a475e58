import type { Instant } from "@svc/domain";
import type { Services } from "../services.ts";

/** The same services for reading, with shipments, containers and their events as they were known at a time. */
export function servicesAsOf(services: Services, asOf: Instant): Services {
  const { shipments, containers, containerLinks, transportEvents } = services;
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
      findListedOfContainers: (accountId, ids) => transportEvents.findListedOfContainersAsOf(accountId, ids, asOf),
    },
    containerLinks: { find: (accountId, ids) => containerLinks.find(accountId, ids, asOf) },
  };
}
