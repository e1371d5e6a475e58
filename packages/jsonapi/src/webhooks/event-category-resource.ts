import { eventCategories, type WebhookEventName } from "@svc/domain/webhooks";
import { z } from "zod";

/** docs/contract/reference.md 1.7. The id is the category's name. */
export const EventCategoryResource = z
  .object({
    id: z.string(),
    type: z.literal("webhook_event_category"),
    attributes: z.object({
      name: z.string(),
      events: z.array(z.object({ name: z.string(), description: z.string() })),
    }),
  })
  .meta({ id: "WebhookEventCategory" });

export type EventCategoryResource = z.infer<typeof EventCategoryResource>;

/** All categories with the events that `isOffered` accepts. */
export function eventCategoryResources(isOffered: (event: WebhookEventName) => boolean): EventCategoryResource[] {
  return eventCategories.map(({ name, events }) => ({
    id: name,
    type: "webhook_event_category",
    attributes: {
      name,
      events: events
        .filter(([event]) => isOffered(event))
        .map(([event, description]) => ({ name: event, description })),
    },
  }));
}
