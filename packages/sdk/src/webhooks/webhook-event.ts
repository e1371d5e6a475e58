import type { ReferenceType } from "@svc/domain/notifications";
import type { WebhookEventName } from "@svc/domain/webhooks";
import type { AnyResource } from "@svc/jsonapi";
import type { ContainerDemurrageResource } from "@svc/jsonapi/demurrage";
import type { ExceptionResource } from "@svc/jsonapi/exceptions";
import type {
  ContainerCreatedEventResource,
  ContainerPodTerminalChangedEventResource,
  ContainerUpdatedEventResource,
  EstimatedEventResource,
} from "@svc/jsonapi/notifications";
import type { TrackingRequestResource } from "@svc/jsonapi/tracking-requests";
import type { TransportEventResource } from "@svc/jsonapi/transport-events";
import type { WebhookNoticeResource } from "@svc/jsonapi/webhooks";

interface ReferenceResource {
  tracking_request: TrackingRequestResource;
  transport_event: TransportEventResource;
  estimated_event: EstimatedEventResource;
  container_updated_event: ContainerUpdatedEventResource;
  container_created_event: ContainerCreatedEventResource;
  container_demurrage: ContainerDemurrageResource;
  exception: ExceptionResource;
  webhook_notice: WebhookNoticeResource;
  container_pod_terminal_changed_event: ContainerPodTerminalChangedEventResource;
}

/** Type of the record that each kind of event refers to (docs/contract/reference.md 3.1). */
interface ReferenceTypes {
  [event: `tracking_request.${string}`]: "tracking_request";
  [event: `container.transport.${string}` | `container.pickup_${string}`]: "transport_event";
  [event: `container.demurrage.${string}`]: "container_demurrage";
  [event: `exception.${string}`]: "exception";
  [event: `webhook.${string}`]: "webhook_notice";
  "shipment.estimated.arrival": "estimated_event";
  "container.created": "container_created_event";
  "container.updated": "container_updated_event";
  "container.pod_terminal_changed": "container_pod_terminal_changed_event";
}

type ReferenceTypeOf<Name> = Name extends keyof ReferenceTypes ? ReferenceTypes[Name] : never;

// An event that ReferenceTypes does not have is a type error here.
interface WebhookEventOf<Name extends WebhookEventName, Type extends ReferenceTypes[WebhookEventName]> {
  /** Id of the notification, equal in all its deliveries: use it to deduplicate them. */
  readonly id: string;
  readonly event: Name;
  readonly createdAt: string;
  readonly webhookId: string;
  readonly reference: { readonly type: Type; readonly id: string };
  /** The record that `reference` names, where the delivery carries it. */
  readonly resource: ReferenceResource[Type] | undefined;
  /** Related records, as they were when it happened. Do not expect all of them. */
  readonly included: readonly AnyResource[];
}

/** A notification; `event` narrows the type of `resource`. */
export type WebhookEvent = {
  [Name in WebhookEventName]: WebhookEventOf<Name, ReferenceTypeOf<Name>>;
}[WebhookEventName];

interface Envelope {
  readonly data: {
    readonly id: string;
    readonly attributes: { readonly event: WebhookEventName; readonly created_at: string };
    readonly relationships: {
      readonly webhook: { readonly data: { readonly id: string } };
      readonly reference_object: { readonly data: { readonly type: ReferenceType; readonly id: string } };
    };
  };
  readonly included?: readonly AnyResource[];
}

function isEnvelope(value: unknown): value is Envelope {
  const data = (value as Partial<Envelope> | null)?.data;
  return (
    typeof data?.id === "string" &&
    typeof data.attributes?.event === "string" &&
    typeof data.relationships?.webhook?.data?.id === "string" &&
    typeof data.relationships.reference_object?.data?.id === "string"
  );
}

/** The notification in a delivery's parsed body; undefined when it is not one. */
export function toWebhookEvent(body: unknown): WebhookEvent | undefined {
  if (!isEnvelope(body)) return undefined;
  const { id, attributes, relationships } = body.data;
  const reference = relationships.reference_object.data;
  const included = body.included ?? [];
  return {
    id,
    event: attributes.event,
    createdAt: attributes.created_at,
    webhookId: relationships.webhook.data.id,
    reference,
    resource: included.find((resource) => resource.type === reference.type && resource.id === reference.id),
    included,
  } as WebhookEvent;
}
