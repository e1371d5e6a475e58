export type { MetroArea } from "./metro-area.ts";
export type { Port } from "./port.ts";
export type { ShippingLine } from "./shipping-line.ts";
export type { Terminal, TerminalKind } from "./terminal.ts";
export type { Vessel } from "./vessel.ts";
