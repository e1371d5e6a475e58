import type { AnyResource } from "@svc/jsonapi";
import type { ContainerResource, RouteLocationResource } from "@svc/jsonapi/containers";
import type { PartyResource } from "@svc/jsonapi/parties";
import type {
  MetroAreaResource,
  PortResource,
  RailTerminalResource,
  TerminalResource,
  VesselResource,
} from "@svc/jsonapi/reference-data";
import type { ShipmentResource } from "@svc/jsonapi/shipments";
import type { TransportEventResource } from "@svc/jsonapi/transport-events";

interface ResourceOf {
  container: ContainerResource;
  metro_area: MetroAreaResource;
  party: PartyResource;
  port: PortResource;
  rail_terminal: RailTerminalResource;
  route_location: RouteLocationResource;
  shipment: ShipmentResource;
  terminal: TerminalResource;
  transport_event: TransportEventResource;
  vessel: VesselResource;
}

/** Related records of one document, found by the identifiers in its relationships. */
export interface Included {
  find<Type extends keyof ResourceOf>(
    identifier: { readonly type: Type; readonly id: string } | null | undefined,
  ): ResourceOf[Type] | undefined;
}

export function indexIncluded(resources: readonly AnyResource[] | undefined): Included {
  const byKey = new Map<string, AnyResource>();
  for (const resource of resources ?? []) byKey.set(`${resource.type} ${resource.id}`, resource);
  return {
    find<Type extends keyof ResourceOf>(identifier: { readonly type: Type; readonly id: string } | null | undefined) {
      if (identifier === null || identifier === undefined) return undefined;
      return byKey.get(`${identifier.type} ${identifier.id}`) as ResourceOf[Type] | undefined;
    },
  };
}
