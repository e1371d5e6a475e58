import { flag, list, number, object, oneOf, orNull, type Parse, text, time } from "./reference-client.ts";

/** The positions of containers as docs/api/openapi.json declares them. */
const placed = object({
  id: text,
  number: text,
  shipment_id: text,
  status: text,
  has_open_exception: flag,
  is_held: flag,
  arrived_at_port_of_discharge: flag,
  delay_days: orNull(number),
});
const placeFeature = object({
  type: oneOf("Feature"),
  id: text,
  geometry: object({ type: oneOf("Point"), coordinates: list(number) }),
  properties: object({
    position_source: oneOf("ais", "estimated", "event"),
    next_port_eta_at: orNull(time),
    containers: list(placed),
  }),
});
export const containerPositions = object({
  type: oneOf("FeatureCollection"),
  features: list(placeFeature),
  meta: object({ as_of: time, containers_total: number, containers_without_position: number, is_complete: flag }),
});

const overviewRow = object({ id: text, bill_of_lading_number: text, status: text, created_at: time });
/** One row of each export; the body is JSON Lines. */
export const exportRows: Readonly<Record<string, Parse<object>>> = {
  Shipments: object({ id: text, bill_of_lading_number: text, tags: list(text), created_at: time }),
  Containers: object({ id: text, number: text, shipment_id: text, created_at: time }),
  TransportEvents: object({ id: text, event: text, container_id: text, created_at: time }),
  ShipmentOverviews: overviewRow,
  ContainerOverviews: overviewRow,
};
