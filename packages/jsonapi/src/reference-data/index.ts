export { MetroAreaResource, metroAreaResource } from "./metro-area-resource.ts";
export { PortResource, portResource } from "./port-resource.ts";
export { ShippingLineResource, shippingLineResource } from "./shipping-line-resource.ts";
export { RailTerminalResource, TerminalResource, terminalResource } from "./terminal-resource.ts";
export { VesselResource, vesselResource } from "./vessel-resource.ts";
