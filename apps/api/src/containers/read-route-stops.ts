import type { Instant } from "@svc/domain";
import { containerRoute, type RouteStop } from "@svc/domain/container-route";
import { TrackingError } from "@svc/jsonapi";
import type { ContainerRouteSource } from "@svc/persistence/container-route";
import type { Caller } from "../http/authenticator.ts";
import { requireFound } from "../http/require-found.ts";
import type { Services } from "../services.ts";

/** The route of a container. Throws `not_found`, or `feature_not_enabled` for an account without routes. */
export async function readRouteStops(
  { containers, containerRoutes }: Services,
  caller: Caller,
  containerId: string,
  asOf?: Instant,
): Promise<{ readonly source: ContainerRouteSource; readonly stops: readonly RouteStop[] }> {
  if (!caller.features.includes("container_route")) {
    requireFound("container", containerId, await containers.find(caller.accountId, containerId));
    throw TrackingError.of(
      "feature_not_enabled",
      "Container routes are a paid feature that this account does not have.",
    );
  }
  const { source, records } = requireFound(
    "container",
    containerId,
    await containerRoutes.find(caller.accountId, containerId, asOf),
  );
  return { source, stops: containerRoute(source, records) };
}
