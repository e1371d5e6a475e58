import type { WebhookEventName } from "@svc/domain/webhooks";
import { notificationEnvelope } from "@svc/jsonapi/notifications";
import type { Services } from "../../services.ts";
import { exampleContent } from "./example-content.ts";
import { exampleId } from "./example-places.ts";

export interface ExampleNotification {
  /** `data.id` of the body: new in each example, so that a receiver that deduplicates takes every one. */
  readonly id: string;
  /** Exactly as a delivery would post it. */
  readonly body: string;
}

const webhookId = exampleId(7);

/** A notification as if the event happened now to the container of the example. */
export function exampleNotification(
  event: WebhookEventName,
  { ids, clock, settings }: Pick<Services, "ids" | "clock" | "settings">,
): ExampleNotification {
  const id = ids.next();
  const createdAt = clock.now();
  const content = exampleContent(event, createdAt, settings.baseUrl);
  return { id, body: notificationEnvelope({ id, event, webhookId, createdAt, ...content }) };
}
