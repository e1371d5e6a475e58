export { type MetroArea, metroAreaFields } from "./metro-area.ts";
export { createPlaceNames, type LocodeOf } from "./place-names.ts";
export { type Port, portFields } from "./port.ts";
export { type ShippingLine, shippingLineFields } from "./shipping-line.ts";
export type { Terminal, TerminalKind } from "./terminal.ts";
export { type Vessel, vesselFields } from "./vessel.ts";
