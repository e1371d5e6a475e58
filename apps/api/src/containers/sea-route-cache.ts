import { findSeaRoute, type Passage, type SeaPort, type SeaRoute } from "@svc/domain/sea-routes";

/** Finds sea routes and keeps those that were requested last. */
export interface SeaRoutes {
  find(from: SeaPort, to: SeaPort, avoid: readonly Passage[]): SeaRoute | null;
}

/** A route takes half a millisecond, and most containers of a service travel between few pairs of ports. */
export function createSeaRoutes(routesMax = 2_000): SeaRoutes {
  const cachedRoutes = new Map<string, SeaRoute | null>();
  return {
    find(from, to, avoid) {
      const key = [from.locode, to.locode, ...avoid.toSorted()].join(" ");
      const known = cachedRoutes.get(key);
      const route = known === undefined ? findSeaRoute(from, to, avoid) : known;
      // Deleted and set, so that the first key of the map is the least recently used one.
      cachedRoutes.delete(key);
      cachedRoutes.set(key, route);
      const [oldest] = cachedRoutes.keys();
      if (cachedRoutes.size > routesMax && oldest !== undefined) cachedRoutes.delete(oldest);
      return route;
    },
  };
}
