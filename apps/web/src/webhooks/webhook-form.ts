import { isSubscribed, type WebhookEventName } from "@svc/domain/webhooks";
import type { EventCategoryResource, NewWebhook, WebhookResource } from "@svc/sdk";
import type { Problems } from "../forms/field.ts";
import type { FormValues } from "../forms/form-values.ts";
import type { FormFields } from "../forms/merge-form.ts";

/** Submitted values, shown again when they are invalid. */
export interface WebhookForm {
  readonly url: string;
  readonly events: readonly string[];
  /** One per line, `Name: value`. */
  readonly headers: string;
  readonly rateLimit: string;
}

export const emptyForm: WebhookForm = { url: "", events: ["*"], headers: "", rateLimit: "" };

export function formOf({ attributes }: WebhookResource): WebhookForm {
  return {
    url: attributes.url,
    events: attributes.events,
    headers: attributes.headers.map(({ name, value }) => `${name}: ${value}`).join("\n"),
    rateLimit: attributes.rate_limit === null ? "" : String(attributes.rate_limit),
  };
}

/** Labels of the fields, as the page shows them. */
export const formFields: FormFields<WebhookForm> = {
  url: "Endpoint URL",
  events: "Events",
  headers: { label: "Headers", isList: true },
  rateLimit: "Rate limit (per second)",
};

type Edit = Required<Pick<NewWebhook, "url" | "events" | "headers">> & { readonly rateLimit: number | null };

/** Whether `*` covers an event or a family of events. */
const isTrackingEvent = (pattern: string): boolean => isSubscribed(["*"], pattern as WebhookEventName);

/** Leaves out what `*` covers: its checkboxes are hidden while all tracking events are selected. */
function readEvents(values: FormValues): string[] {
  const events = [...new Set(values.all("events"))].filter((event) => event !== "");
  return events.includes("*") ? ["*", ...events.filter((event) => !isTrackingEvent(event))] : events;
}

export const readWebhookForm = (values: FormValues): WebhookForm => ({
  url: values.text("url"),
  events: readEvents(values),
  headers: values.text("headers").replaceAll("\r\n", "\n"),
  rateLimit: values.text("rateLimit"),
});

/** Rejects only what cannot be sent to the API, which validates everything else. */
export function toWebhookEdit(form: WebhookForm): { readonly problems: Problems; readonly edit: Edit } {
  const problems: Record<string, string> = {};
  const lines = form.headers.split("\n").filter((line) => line.trim() !== "");
  const headers = lines.map((line) => {
    const colon = line.indexOf(":");
    if (colon < 1)
      problems.headers = `Write each header as “Name: value”. This line is not: ${line.trim().slice(0, 60)}`;
    return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
  });
  if (form.url === "") problems.url = "Enter the address that receives the notifications.";
  if (form.events.length === 0) problems.events = "Select at least one event type.";
  const rateLimit = form.rateLimit === "" ? null : Number(form.rateLimit);
  if (rateLimit !== null && !Number.isInteger(rateLimit)) problems.rateLimit = "Enter a whole number, or nothing.";
  return { problems, edit: { url: form.url, events: form.events, headers, rateLimit } };
}

const fields: Readonly<Record<string, string>> = {
  url: "url",
  events: "events",
  headers: "headers",
  rate_limit: "rateLimit",
};

/** The form's field of a pointer such as `/data/attributes/headers/0/name`. */
export const fieldOfPointer = (pointer: string): string => fields[pointer.split("/")[3] ?? ""] ?? "";

/** A wildcard for a family of events of a category, with its description. */
const families: Readonly<Record<string, readonly [pattern: string, label: string]>> = {
  tracking_request: ["tracking_request.*", "All tracking request events"],
  "container.transport": ["container.transport.*", "All transport events, including container estimates"],
  estimated: ["container.transport.estimated.*", "All container estimates"],
  container: ["container.*", "All container events, including transport"],
  exception: ["exception.*", "All exception events"],
  webhook: ["webhook.*", "All events of other webhooks"],
};

export interface EventGroup {
  readonly name: string;
  /** Whether `*` covers its events. */
  readonly isTracking: boolean;
  /** The choice that covers all others, if the group has one. */
  readonly wildcard: string | null;
  /** Value and description of each checkbox. */
  readonly choices: readonly (readonly [value: string, description: string])[];
}

/** The checkboxes of the form by category, wildcard first, then subscribed events of no category. */
export function eventGroups(categories: readonly EventCategoryResource[], chosen: readonly string[]): EventGroup[] {
  const groups = categories.map(({ attributes: { name, events } }) => {
    const family = families[name];
    const each = events.map((event) => [event.name, event.description] as const);
    const isTracking = events.every((event) => isTrackingEvent(event.name));
    if (family === undefined) return { name, isTracking, wildcard: null, choices: each };
    return { name, isTracking, wildcard: family[0], choices: [family, ...each] };
  });
  const offered = new Set(groups.flatMap(({ choices }) => choices.map(([value]) => value)));
  const others = chosen.filter((event) => event !== "*" && !offered.has(event));
  if (others.length === 0) return groups;
  const choices = others.map((event) => [event, "Set by the API."] as const);
  return [...groups, { name: "other", isTracking: others.every(isTrackingEvent), wildcard: null, choices }];
}
