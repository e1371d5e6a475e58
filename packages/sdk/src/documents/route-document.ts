import type { Identifier } from "@svc/jsonapi";

interface ToOne<Type extends string> {
  readonly data: Identifier<Type> | null;
}

/** One place of a route, in the order of the journey (reference-contract.md 1.3). */
export interface RouteLocationResource {
  readonly id: string;
  readonly type: "route_location";
  readonly attributes: {
    readonly inbound_scac: string | null;
    readonly inbound_mode: "vessel" | "rail" | null;
    readonly inbound_eta_at: string | null;
    readonly inbound_ata_at: string | null;
    readonly inbound_voyage_number: string | null;
    readonly outbound_scac: string | null;
    readonly outbound_mode: "vessel" | "rail" | null;
    readonly outbound_etd_at: string | null;
    readonly outbound_atd_at: string | null;
    readonly outbound_voyage_number: string | null;
  };
  readonly relationships: {
    readonly inbound_vessel: ToOne<"vessel">;
    readonly outbound_vessel: ToOne<"vessel">;
    readonly location: ToOne<"port" | "metro_area" | "terminal">;
  };
}

export interface RouteResource {
  readonly id: string;
  readonly type: "route";
  readonly attributes: { readonly created_at: string; readonly updated_at: string };
  readonly relationships: {
    readonly cargo: ToOne<"container">;
    readonly shipment: ToOne<"shipment">;
    readonly route_locations: { readonly data: readonly Identifier<"route_location">[] };
  };
}
