export {
  daysLater,
  daysPast,
  delayDays,
  overdueDays,
  type PlaceArrival,
  placeDelayDays,
} from "./arrival-delay.ts";
export {
  arrivesSeparately,
  containerAta,
  isAtPort,
  lastContainer,
  withContainerArrival,
  withLastArrival,
} from "./container-arrival.ts";
export {
  isUnreported,
  type Place,
  type Shipment,
  type StopReason,
  shipmentFields,
  stopReasonLabels,
  stopReasons,
  type TerminalReference,
  unreportedStops,
} from "./shipment.ts";
export { isInland, shipmentArrival, unknownArrival } from "./shipment-arrival.ts";
export {
  overviewStatus,
  overviewStatuses,
  type ShipmentOverviewStatus,
  type ShipmentStatus,
  shipmentStatus,
  shipmentStatuses,
} from "./shipment-status.ts";
