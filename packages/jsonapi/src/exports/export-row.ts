import type { Container } from "@svc/domain/containers";
import { customFieldColumn } from "@svc/domain/custom-fields";
import { totalReasons } from "@svc/domain/emissions";
import type { Shipment } from "@svc/domain/shipments";
import type { ListedTransportEvent } from "@svc/domain/transport-events";
import { z } from "zod";
import { ContainerResource, containerResource } from "../containers/container-resource.ts";
import {
  ContainerOverviewResource,
  type OverviewCustomField,
  ShipmentOverviewResource,
} from "../overviews/overview-resources.ts";
import type { Parameter } from "../query/query-definition.ts";
import { dateTime } from "../resource.ts";
import { ShipmentResource, shipmentResource } from "../shipments/shipment-resource.ts";
import { TransportEventResource, transportEventResource } from "../transport-events/transport-event-resource.ts";

const id = z.uuid();
const idOrNull = z.uuid().nullable();
const { import_deadlines: deadlines, ...containerAttributes } = ContainerResource.shape.attributes.shape;

const formats = ["csv", "jsonl"] as const;
const format: Parameter<(typeof formats)[number]> = {
  name: "format",
  description: "Format of the rows: csv or jsonl. Default: the one that the Accept header prefers, else jsonl.",
  schema: { type: "string", enum: formats },
  read(text) {
    const value = formats.find((known) => known === text);
    return value ? { value } : { problem: "takes csv or jsonl" };
  },
};
const since: Parameter<string> = {
  name: "since",
  description: "Export-Cursor of an earlier export: only records that changed since. Default: all records.",
  schema: { type: "string" },
  read: (text) => ({ value: text }),
};
export const exportParameters = { format, since } as const;

/** One row per record: its attributes and the ids of its to-one relationships. */
export const ShipmentExportRow = z
  .object({
    id,
    ...ShipmentResource.shape.attributes.shape,
    updated_at: dateTime,
    port_of_lading_id: idOrNull,
    port_of_discharge_id: idOrNull,
    destination_id: idOrNull,
    pod_terminal_id: idOrNull,
    destination_terminal_id: idOrNull,
  })
  .meta({ id: "ShipmentExportRow" });

export const ContainerExportRow = z
  .object({
    id,
    ...containerAttributes,
    ...deadlines.shape,
    updated_at: dateTime,
    shipment_id: id,
    pod_terminal_id: idOrNull,
    pickup_facility_id: idOrNull,
  })
  .meta({ id: "ContainerExportRow" });

export const TransportEventExportRow = z
  .object({
    id,
    ...TransportEventResource.shape.attributes.shape,
    shipment_id: id,
    container_id: id,
    vessel_id: idOrNull,
    location_id: idOrNull,
    terminal_id: idOrNull,
    previous_version_id: idOrNull,
    source_event_id: idOrNull,
  })
  .meta({ id: "TransportEventExportRow" });

const unknownEmissions = [...totalReasons, "containers_missing", "no_factor"] as const;

/** One row per record of the lists of overviews. */
export const ShipmentOverviewExportRow = z
  .object({
    id,
    ...ShipmentOverviewResource.shape.attributes.shape,
    container_numbers: z.array(z.string()),
    emissions_grams: z
      .number()
      .int()
      .nullable()
      .describe("Grams of CO2 equivalent, well-to-wake, of all containers. Null: unknown, for the reason given."),
    emissions_unknown_reason: z.enum(unknownEmissions).nullable(),
  })
  .meta({ id: "ShipmentOverviewExportRow" });
export const ContainerOverviewExportRow = z
  .object({ id, ...ContainerOverviewResource.shape.attributes.shape })
  .meta({ id: "ContainerOverviewExportRow" });

/** The columns of a list's file; those of custom fields follow them (`customFieldColumns`). */
export const overviewColumns = (row: typeof ShipmentOverviewExportRow | typeof ContainerOverviewExportRow): string[] =>
  Object.keys(row.shape).filter((column) => column !== "custom_fields");

export const customFieldColumns = (apiSlugs: readonly string[] = []): string[] =>
  [...new Set(apiSlugs)].map(customFieldColumn);

/** The cells of a row's custom fields by column: numbers and booleans as such, others as their text for display. */
export const customFieldCells = (fields: readonly OverviewCustomField[] = []) =>
  Object.fromEntries(
    fields.map(({ api_slug: apiSlug, value, display_value: displayValue }) => [
      customFieldColumn(apiSlug),
      typeof value === "number" || typeof value === "boolean" ? value : displayValue,
    ]),
  );

export type ShipmentOverviewExportRow = z.infer<typeof ShipmentOverviewExportRow>;
export type ContainerOverviewExportRow = z.infer<typeof ContainerOverviewExportRow>;
export type ShipmentExportRow = z.infer<typeof ShipmentExportRow>;
export type ContainerExportRow = z.infer<typeof ContainerExportRow>;
export type TransportEventExportRow = z.infer<typeof TransportEventExportRow>;

export function shipmentExportRow(shipment: Shipment): ShipmentExportRow {
  return {
    id: shipment.id,
    ...shipmentResource(shipment, "").attributes,
    updated_at: shipment.updatedAt,
    port_of_lading_id: shipment.portOfLading?.id ?? null,
    port_of_discharge_id: shipment.portOfDischarge?.id ?? null,
    destination_id: shipment.destination?.id ?? null,
    pod_terminal_id: shipment.podTerminal?.id ?? null,
    destination_terminal_id: shipment.destinationTerminal?.id ?? null,
  };
}

export function containerExportRow(container: Container): ContainerExportRow {
  const { import_deadlines: deadlines, ...attributes } = containerResource(container, "").attributes;
  return {
    id: container.id,
    ...attributes,
    ...deadlines,
    updated_at: container.updatedAt,
    shipment_id: container.shipmentId,
    pod_terminal_id: container.podTerminalId,
    pickup_facility_id: container.pickupFacility?.id ?? null,
  };
}

export function transportEventExportRow(event: ListedTransportEvent): TransportEventExportRow {
  return {
    id: event.id,
    ...transportEventResource(event).attributes,
    shipment_id: event.shipmentId,
    container_id: event.containerId,
    vessel_id: event.vesselId,
    location_id: event.portId ?? event.metroAreaId,
    terminal_id: event.terminalId,
    previous_version_id: event.previousVersionId,
    source_event_id: event.sourceEventId,
  };
}

/** The end of an export, opaque to clients: the transaction id at which the next export starts. */
export const encodeExportCursor = (transactionId: string): string =>
  Buffer.from(JSON.stringify(["change", transactionId])).toString("base64url");

/** Null when the text is no cursor of an export. */
export function decodeExportCursor(text: string): string | null {
  try {
    const [kind, transactionId] = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return kind === "change" && /^\d{1,18}$/.test(transactionId) ? transactionId : null;
  } catch {
    return null;
  }
}
