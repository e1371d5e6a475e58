import { type Container, containerFields } from "@svc/domain/containers";
import type { RecordOf } from "@svc/domain/records";
import type { TerminalKind } from "@svc/domain/reference-data";
import { selectList } from "../records/select-list.ts";

const { pickupFacility: _, ...columnFields } = containerFields;

/** One row of a container as its record shows it, over `containers c` joined by `containerJoins`. */
export const containerColumns = selectList(Object.keys(columnFields), "c", {
  pickupFacilityId: "c.pickup_facility_id",
  pickupFacilityKind: "pickup_facility.kind",
  podTimezone: "discharge.time_zone",
  terminalCheckedAt: `(SELECT max(t.last_succeeded_at) FROM tracking_subjects t WHERE t.account_id = c.account_id
    AND t.number = c.id::text AND t.kind = 'terminal_container' AND t.scac <> s.shipping_line_scac)`,
  shipmentLastTrackingRequestAt: "subject.last_attempted_at",
});

/** The names in a `ContainerRow`. */
export const containerRowNames = [...Object.keys(columnFields), "pickupFacilityId", "pickupFacilityKind"];

/** The rows that the columns refer to, besides the shipment `s`. */
export const containerReferences = `
  LEFT JOIN tracking_subjects subject ON subject.id = s.subject_id
  LEFT JOIN ports discharge ON discharge.id = s.port_of_discharge_id
  LEFT JOIN terminals pickup_facility ON pickup_facility.id = c.pickup_facility_id`;

/** @param shipments the table, or an expression that replaces it. */
export const containerJoinsOf = (shipments: string): string => `
  JOIN ${shipments} s ON s.account_id = c.account_id AND s.id = c.shipment_id ${containerReferences}`;

export const containerJoins = containerJoinsOf("shipments");

/** The columns of `containerColumns` as the driver returns them; holds and fees are JSON in the shape of the domain. */
export interface ContainerRow extends RecordOf<typeof columnFields> {
  readonly pickupFacilityId: string | null;
  readonly pickupFacilityKind: TerminalKind | null;
}

export function toContainer(row: ContainerRow): Container {
  const { pickupFacilityId: id, pickupFacilityKind: kind } = row;
  return { ...row, pickupFacility: id === null || kind === null ? null : { id, kind } };
}
