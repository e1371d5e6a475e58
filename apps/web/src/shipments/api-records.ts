import { type Instant, instant, instantOrNull } from "@svc/domain";
import type { Container } from "@svc/domain/containers";
import type { DataSource } from "@svc/domain/observations";
import type { Place, Shipment, TerminalReference } from "@svc/domain/shipments";
import type { TransportEventName } from "@svc/domain/transport-events";
import { type AnyResource, toDomainName, toDomainValue } from "@svc/jsonapi";
import type {
  ContainerResource,
  ExceptionResource,
  FieldChangeResource,
  ProvenanceResource,
  ShipmentResource,
  TransportEventResource,
} from "@svc/sdk";

/** Names of ports, terminals, inland places and vessels by id. */
export type KnownNames = ReadonlyMap<string, string>;

/** A container as pages show it. */
export type ContainerRecord = Omit<Container, "pickupFacility" | "rowVersion" | "updatedAt"> & {
  readonly pickupFacility: { readonly id: string } | null;
  /** YYYY-MM-DD at the port of discharge. Absent on pages that do not show what the account agreed. */
  readonly lastFreeDayByRule?: string | null;
};

/** A shipment as pages show it. */
export type ShipmentRecord = Omit<Shipment, "rowVersion" | "updatedAt">;

/** A changed attribute, by its name in the domain. */
export interface ChangeRecord {
  readonly field: string;
  readonly value: unknown;
  readonly previousValue: unknown;
  readonly validFrom: Instant;
  readonly dataSource: DataSource;
  readonly rule: string;
  /** Why the ETA changed. */
  readonly cause: FieldChangeResource["attributes"]["cause"];
}

/** Provenance of the current value of an attribute. */
export interface FieldSource {
  readonly id: string;
  readonly rule: string;
  readonly dataSource: DataSource;
  readonly validFrom: Instant;
  /** When the source made the report, as given by the source. */
  readonly statedAt: Instant | null;
  readonly channel: "poll" | "push" | "import" | "edi" | null;
  readonly receivedAt: Instant | null;
}

/** Sources by attribute name of the domain. */
export type FieldSources = ReadonlyMap<string, FieldSource>;

interface IncludedResources {
  readonly container: ContainerResource;
  readonly exception: ExceptionResource;
  readonly field_change: FieldChangeResource;
  readonly provenance: ProvenanceResource;
  readonly shipment: ShipmentResource;
  readonly transport_event: TransportEventResource;
}

const withDomainNames = (attributes: object): object =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [toDomainName(name), value]));

/** The included records of one type. */
export function resourcesOfType<Type extends keyof IncludedResources>(
  included: readonly AnyResource[] | undefined,
  type: Type,
): IncludedResources[Type][] {
  return (included ?? []).filter((resource) => resource.type === type) as unknown as IncludedResources[Type][];
}

/** Names of the included records that have one. */
export const namesOf = (included: readonly AnyResource[] | undefined): KnownNames =>
  new Map(
    (included ?? []).flatMap(({ id, attributes }) =>
      attributes && "name" in attributes && typeof attributes.name === "string" ? [[id, attributes.name] as const] : [],
    ),
  );

function placeOf(
  link: { readonly type: Place["kind"]; readonly id: string } | null,
  { locode, name, timeZone }: { locode: string | null; name: string | null; timeZone: string | null },
): Place | null {
  return link && { id: link.id, kind: link.type, locode: locode ?? "", name: name ?? locode ?? "", timeZone };
}

const terminalOf = (link: { readonly type: TerminalReference["kind"]; readonly id: string } | null) =>
  link && { id: link.id, kind: link.type };

export function toShipmentRecord({ id, attributes, relationships }: ShipmentResource): ShipmentRecord {
  const { pol_timezone, pod_timezone, destination_timezone } = attributes;
  return {
    ...(withDomainNames(attributes) as ShipmentRecord),
    id,
    refNumbers: attributes.ref_numbers ?? [],
    portOfLading: placeOf(relationships.port_of_lading.data, {
      locode: attributes.port_of_lading_locode,
      name: attributes.port_of_lading_name,
      timeZone: pol_timezone,
    }),
    portOfDischarge: placeOf(relationships.port_of_discharge.data, {
      locode: attributes.port_of_discharge_locode,
      name: attributes.port_of_discharge_name,
      timeZone: pod_timezone,
    }),
    destination: placeOf(relationships.destination.data, {
      locode: attributes.destination_locode,
      name: attributes.destination_name,
      timeZone: destination_timezone,
    }),
    podTerminal: terminalOf(relationships.pod_terminal.data),
    destinationTerminal: terminalOf(relationships.destination_terminal.data),
    lineTrackingStoppedByUserId: relationships.line_tracking_stopped_by_user.data?.id ?? null,
    containerIds: relationships.containers.data.map((container) => container.id),
  };
}

export function toContainerRecord({ id, attributes, relationships }: ContainerResource): ContainerRecord {
  const { import_deadlines: deadlines, fees_at_pod_terminal: fees } = attributes;
  return {
    ...(withDomainNames(attributes) as ContainerRecord),
    id,
    shipmentId: relationships.shipment.data.id,
    podTerminalId: relationships.pod_terminal.data?.id ?? null,
    pickupFacility: relationships.pickup_facility.data,
    pickupLfdTerminal: instantOrNull(deadlines.pickup_lfd_terminal),
    pickupLfdRail: instantOrNull(deadlines.pickup_lfd_rail),
    pickupLfdLine: instantOrNull(deadlines.pickup_lfd_line),
    feesAtPodTerminal: fees.map(({ type, amount, currency_code }) => ({ type, amount, currencyCode: currency_code })),
  };
}

const prefix = "container.transport.";

/** The name of a milestone without its family. */
export const milestoneName = (event: string): TransportEventName => event.replace(prefix, "") as TransportEventName;

export const toChangeRecord = ({ attributes }: FieldChangeResource): ChangeRecord => ({
  field: toDomainName(attributes.field),
  value: toDomainValue(attributes.new_value),
  previousValue: toDomainValue(attributes.old_value),
  validFrom: instant(attributes.changed_at),
  dataSource: attributes.data_source,
  rule: attributes.rule,
  cause: attributes.cause,
});

export const fieldSources = (provenance: readonly ProvenanceResource[]): FieldSources =>
  new Map(
    provenance.map(({ id, attributes: { field, rule, data_source, since, stated_at, raw_reply } }) => [
      toDomainName(field),
      {
        id,
        rule,
        dataSource: data_source,
        validFrom: instant(since),
        statedAt: instantOrNull(stated_at),
        channel: raw_reply?.channel ?? null,
        receivedAt: instantOrNull(raw_reply?.received_at ?? null),
      },
    ]),
  );
