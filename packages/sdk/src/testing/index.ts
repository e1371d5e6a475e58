export { wireContainerOverview, wireFreshness, wireShipmentOverview } from "./overviews.ts";
export {
  containerId,
  shipmentId,
  terminalId,
  wireContainer,
  wireShipment,
  wireTerminal,
} from "./records.ts";
export {
  type ReceivedRequest,
  startWireServer,
  type WireBehaviour,
  type WireResponse,
  type WireServer,
} from "./wire-server.ts";
