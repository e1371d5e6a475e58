/**
 * All webhook events by category, in journey order. The categories `demurrage`, `exception` and `webhook` are
 * extensions; all others are the catalogue of docs/contract/reference.md 3.1.
 */
export const eventCategories = [
  {
    name: "tracking_request",
    events: [
      ["tracking_request.succeeded", "The shipment was found at the carrier and is now tracked."],
      ["tracking_request.failed", "The request failed permanently; failed_reason gives the reason."],
      ["tracking_request.awaiting_manifest", "The carrier does not know the number yet; it is polled until it does."],
      ["tracking_request.tracking_stopped", "Tracking of the shipment stopped; the shipment gives the reason."],
    ],
  },
  {
    name: "container.transport",
    events: [
      ["container.transport.empty_out", "The empty container left the depot at origin."],
      ["container.transport.full_in", "The full container was gated in at origin."],
      ["container.transport.vessel_loaded", "The container was loaded on a vessel at the port of loading."],
      ["container.transport.vessel_departed", "The vessel left the port of loading."],
      ["container.transport.transshipment_arrived", "The container arrived at a transshipment port."],
      ["container.transport.transshipment_discharged", "The container was discharged at a transshipment port."],
      ["container.transport.transshipment_loaded", "The container was loaded at a transshipment port."],
      ["container.transport.transshipment_departed", "The container left a transshipment port."],
      ["container.transport.feeder_arrived", "The container arrived on a feeder vessel or barge."],
      ["container.transport.feeder_discharged", "The container was discharged from a feeder vessel or barge."],
      ["container.transport.feeder_loaded", "The container was loaded on a feeder vessel or barge."],
      ["container.transport.feeder_departed", "The container left on a feeder vessel or barge."],
      ["container.transport.vessel_arrived", "The vessel arrived at the port of discharge."],
      ["container.transport.vessel_berthed", "The vessel berthed at the port of discharge."],
      ["container.transport.vessel_discharged", "The container was discharged at the port of discharge."],
      ["container.transport.rail_loaded", "The container was loaded on a train."],
      ["container.transport.rail_departed", "The train with the container departed."],
      ["container.transport.rail_arrived", "The train with the container arrived."],
      ["container.transport.rail_unloaded", "The container was unloaded from the train."],
      ["container.transport.arrived_at_inland_destination", "The container arrived at its inland destination."],
      ["container.transport.available", "The container can be picked up."],
      ["container.transport.not_available", "The container can no longer be picked up."],
      ["container.transport.full_out", "The full container was picked up."],
      [
        "container.transport.delivered",
        "The container was marked delivered. No operation sets this yet, so only samples are sent.",
      ],
      ["container.transport.empty_in", "The empty container was returned."],
    ],
  },
  {
    name: "estimated",
    events: [
      ["container.transport.estimated.vessel_departed", "The estimated departure from the port of loading changed."],
      [
        "container.transport.estimated.vessel_arrived",
        "The estimated arrival at the port of discharge changed, per container.",
      ],
      [
        "container.transport.estimated.arrived_at_inland_destination",
        "The estimated arrival at the inland destination changed.",
      ],
      ["shipment.estimated.arrival", "The estimated arrival at the port of discharge changed, once per shipment."],
    ],
  },
  {
    name: "container",
    events: [
      ["container.created", "A container was added to a shipment."],
      ["container.updated", "Attributes of a container changed; the changeset has old and new values."],
      ["container.pod_terminal_changed", "The terminal at the port of discharge changed."],
      ["container.pickup_lfd.changed", "The effective last free day changed."],
      ["container.pickup_lfd_line.changed", "The shipping line's last free day changed."],
      ["container.pickup_lfd_terminal.changed", "The terminal's last free day changed."],
      ["container.pickup_lfd_rail.changed", "The rail carrier's last free day changed."],
      ["container.pickup_appointment.changed", "The pickup appointment changed."],
    ],
  },
  {
    name: "demurrage",
    events: [
      ["container.demurrage.changed", "What the demurrage rules of the account charge for a container changed."],
    ],
  },
  {
    name: "exception",
    events: [
      ["exception.opened", "Something needs attention: an exception was opened, or reopened by a member."],
      ["exception.resolved", "An exception was resolved; its resolution gives the reason."],
    ],
  },
  {
    name: "webhook",
    events: [
      ["webhook.failing", "Another webhook of the account has had no successful delivery for 1, 24 or 48 hours."],
      ["webhook.deactivated", "Another webhook of the account was disabled; the notice gives the reason."],
      ["webhook.recovered", "Another webhook of the account has recovered."],
    ],
  },
] as const;

/** Sent only to webhooks that name them or their family: `*` and every other family cover the catalogue only. */
const extensionPrefixes = ["container.demurrage.", "exception.", "webhook."] as const;
const findExtensionPrefix = (event: string): string | undefined =>
  extensionPrefixes.find((prefix) => event.startsWith(prefix));

export type WebhookEventName = (typeof eventCategories)[number]["events"][number][0];

export const webhookEventNames: readonly WebhookEventName[] = eventCategories.flatMap((category) =>
  category.events.map(([name]) => name),
);

/** Events of the catalogue that are never sent. Webhooks may name them, so that existing clients need not change. */
export const unsentEventNames = ["document.extracted", "document.extraction_failed", "link.created"] as const;

/** Events of the catalogue that nothing sends yet, except as samples. */
export const notYetSentEventNames: readonly WebhookEventName[] = ["container.transport.delivered"];

const known: ReadonlySet<string> = new Set([...webhookEventNames, ...unsentEventNames]);

/** The catalogue without the extensions: the subscription of a webhook that names no event. */
export const catalogueEventNames: readonly WebhookEventName[] = webhookEventNames.filter(
  (event) => findExtensionPrefix(event) === undefined,
);

/** Events that require a paid feature (docs/contract/reference.md 3.1). */
const features: Partial<Readonly<Record<WebhookEventName, string>>> = {
  "container.pickup_lfd_rail.changed": "rail_deadlines",
};

/** Whether an account with these paid features receives the event. Otherwise families exclude it. */
export function isOffered(event: WebhookEventName, accountFeatures: readonly string[]): boolean {
  const feature = features[event];
  return feature === undefined || accountFeatures.includes(feature);
}

/** Whether a subscription is valid: an exact name, a family such as `container.transport.*`, or `*`. */
export function isSubscription(pattern: string): boolean {
  if (pattern === "*" || known.has(pattern)) return true;
  return pattern.endsWith(".*") && webhookEventNames.some((name) => name.startsWith(pattern.slice(0, -1)));
}

export function isSubscribed(subscriptions: readonly string[], event: WebhookEventName): boolean {
  // `container.*` is a family of the catalogue, which `container.demurrage.changed` is no part of.
  const narrowest = findExtensionPrefix(event) ?? "";
  return subscriptions.some(
    (pattern) =>
      pattern === event ||
      (pattern === "*" && narrowest === "") ||
      (pattern.endsWith(".*") && pattern.startsWith(narrowest) && event.startsWith(pattern.slice(0, -1))),
  );
}
