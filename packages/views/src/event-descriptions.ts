import { eventCategories } from "@svc/domain/webhooks";

const prefix = "container.transport.";
const descriptions: ReadonlyMap<string, string> = new Map(
  eventCategories.flatMap(({ events }) =>
    events.map(([name, description]) => [name.replace(prefix, ""), description] as const),
  ),
);

/** Explains a milestone, for the title of its name. */
export const eventDescription = (event: string): string | undefined => descriptions.get(event);
