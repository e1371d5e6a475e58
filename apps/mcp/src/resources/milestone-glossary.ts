import { eventCategories } from "@svc/domain/webhooks";

const uri = "svc://docs/milestone-glossary";

const categoryTitles: Readonly<Record<(typeof eventCategories)[number]["name"], string>> = {
  tracking_request: "Tracking requests",
  "container.transport": "Milestones of a container, in the order of the journey",
  estimated: "Changed estimates",
  container: "Changes of a container",
  demurrage: "Demurrage by the rules of the account, sent only to webhooks that subscribe to this event by name",
  exception: "Exceptions: what needs attention, sent only to webhooks that subscribe to these events by name",
  webhook: "Failing webhooks, sent only to webhooks that subscribe to these events by name",
};

function section(category: (typeof eventCategories)[number]): string {
  const rows = category.events.map(([name, description]) => `| \`${name}\` | ${description} |`);
  return [`## ${categoryTitles[category.name]}`, "", "| Event | Meaning |", "|---|---|", ...rows, ""].join("\n");
}

/** Text of the glossary, generated from the catalogue that webhooks subscribe by, so that both agree. */
const text = [
  "# Event and milestone glossary",
  "",
  "Tools give the names of milestones without the prefix `container.transport.`. Estimates are events of their own;",
  "a milestone appears in a container's history only after it happened.",
  "",
  ...eventCategories.map(section),
].join("\n");

export const milestoneGlossary = {
  uri,
  name: "milestone-glossary",
  title: "Event and milestone glossary",
  description: "Every event kind and milestone with its meaning, in the order of the journey.",
  mimeType: "text/markdown",
  size: Buffer.byteLength(text),
  annotations: { audience: ["assistant" as const], priority: 0.5 },
};

export function readGlossary() {
  return { contents: [{ uri, mimeType: milestoneGlossary.mimeType, text }] };
}
