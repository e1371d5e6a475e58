import { notYetSentEventNames } from "@svc/domain/webhooks";
import type { EventCategoryResource } from "@svc/sdk";

const notYetSent: ReadonlySet<string> = new Set(notYetSentEventNames);

/** The events to choose from: those that are sent, and those that a subscription names already. */
export const visibleEvents = (
  categories: readonly EventCategoryResource[],
  subscribed: readonly string[],
): readonly EventCategoryResource[] =>
  categories.map((category) => ({
    ...category,
    attributes: {
      ...category.attributes,
      events: category.attributes.events.filter(({ name }) => !notYetSent.has(name) || subscribed.includes(name)),
    },
  }));
