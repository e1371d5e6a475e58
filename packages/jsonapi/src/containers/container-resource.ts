import { type Container, type ContainerLinks, containerFields } from "@svc/domain/containers";
import { z } from "zod";
import { attribute, omitted, wireAttributes } from "../records/wire-attributes.ts";
import { dateTime, linkage, resourceObject, toManyLinked, toOne, toOneOrNull } from "../resource.ts";

const TerminalHold = containerFields.holdsAtPodTerminal.derived.element.meta({ id: "TerminalHold" });
const TerminalFee = z
  .object({
    type: containerFields.feesAtPodTerminal.derived.element.shape.type,
    amount: z.number(),
    currency_code: z.string().nullable(),
  })
  .meta({ id: "TerminalFee" });

const dateTimeOrNull = dateTime.nullable();
const notReported = "Null: not reported by any source.";

/**
 * Two names for one value: docs/contract/specification.md container.container_number and docs/contract/reference.md 2.2
 * (`number`).
 */
const attributes = wireAttributes(containerFields, {
  id: omitted,
  shipmentId: omitted,
  number: {
    container_number: attribute(z.string().describe("ISO 6346 container number."), ({ number }) => number),
    number: attribute(z.string().describe("The same as container_number."), ({ number }) => number),
  },
  pickupLfdTerminal: {
    import_deadlines: attribute(
      z.object({
        pickup_lfd_terminal: dateTimeOrNull,
        pickup_lfd_rail: dateTimeOrNull,
        pickup_lfd_line: dateTimeOrNull,
      }),
      (container) => ({
        pickup_lfd_terminal: container.pickupLfdTerminal,
        pickup_lfd_rail: container.pickupLfdRail,
        pickup_lfd_line: container.pickupLfdLine,
      }),
    ),
  },
  pickupLfdRail: omitted,
  pickupLfdLine: {
    ssl_lfd: attribute(
      dateTimeOrNull.describe("The same as import_deadlines.pickup_lfd_line."),
      ({ pickupLfdLine }) => pickupLfdLine,
    ),
  },
  pickupFacility: omitted,
  podTerminalId: omitted,
  holdsAtPodTerminal: {
    holds_at_pod_terminal: attribute(z.array(TerminalHold), ({ holdsAtPodTerminal }) =>
      holdsAtPodTerminal.map(({ name, status, description }) => ({ name, status, description })),
    ),
  },
  feesAtPodTerminal: {
    fees_at_pod_terminal: attribute(z.array(TerminalFee), ({ feesAtPodTerminal }) =>
      feesAtPodTerminal.map(({ type, amount, currencyCode }) => ({ type, amount, currency_code: currencyCode })),
    ),
  },
  shipmentLastTrackingRequestAt: {
    ind_facility_lfd_on: attribute(
      dateTimeOrNull.describe("Deprecated: use import_deadlines.pickup_lfd_rail."),
      ({ pickupLfdRail }) => pickupLfdRail,
    ),
    ind_facility_holds: attribute(z.array(TerminalHold).nullable().describe(notReported), () => null),
    ind_facility_fees: attribute(z.array(TerminalFee).nullable().describe(notReported), () => null),
    pod_last_tracking_request_at: attribute(dateTimeOrNull, ({ terminalCheckedAt }) => terminalCheckedAt),
    rail_last_tracking_request_at: attribute(
      dateTimeOrNull.describe("Always null: railways are not polled separately."),
      () => null,
    ),
    shipment_last_tracking_request_at: attribute(
      dateTimeOrNull,
      ({ shipmentLastTrackingRequestAt }) => shipmentLastTrackingRequestAt,
    ),
  },
  rowVersion: omitted,
  updatedAt: omitted,
});

export const ContainerResource = resourceObject("container", attributes.shape, {
  shipment: toOne("shipment"),
  pod_terminal: toOneOrNull("terminal"),
  pickup_facility: toOneOrNull("terminal").describe(
    "Facility of pickup. It may be inland: a rail terminal is a terminal with the facility_type rail_terminal.",
  ),
  transport_events: toManyLinked("transport_event"),
  raw_events: toManyLinked("raw_event"),
}).meta({ id: "Container" });

export type ContainerResource = z.infer<typeof ContainerResource>;

const identifiers = <const Type extends string>(type: Type, ids: readonly string[]) => ids.map((id) => ({ type, id }));

/** The container with links to its newest events. */
export function withContainerLinks(
  container: ContainerResource,
  { transportEventIds, rawEventIds }: ContainerLinks,
): ContainerResource {
  const { transport_events, raw_events, ...others } = container.relationships;
  return {
    ...container,
    relationships: {
      ...others,
      transport_events: { ...transport_events, data: identifiers("transport_event", transportEventIds) },
      raw_events: { ...raw_events, data: identifiers("raw_event", rawEventIds) },
    },
  };
}

/** The wire form of a container, without the links to its events. */
export function containerResource(container: Container, baseUrl: string): ContainerResource {
  const self = `${baseUrl}/containers/${container.id}`;
  return {
    id: container.id,
    type: "container",
    attributes: attributes.of(container),
    relationships: {
      shipment: linkage("shipment", container.shipmentId),
      pod_terminal: linkage("terminal", container.podTerminalId),
      pickup_facility: linkage("terminal", container.pickupFacility?.id ?? null),
      transport_events: { links: { related: `${self}/transport_events` } },
      raw_events: { links: { related: `${self}/raw_events` } },
    },
    links: { self },
  };
}
