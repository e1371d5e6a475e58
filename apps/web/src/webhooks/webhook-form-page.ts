import type { EventCategoryResource, WebhookResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { type RecordForm, recordForm } from "../dashboard/record-form.ts";
import { developersLayout } from "../developers/developers-layout.ts";
import { visibleEvents } from "../events/visible-events.ts";
import { field, groupProblem, type Problems, textArea } from "../forms/field.ts";
import { type EventGroup, eventGroups, type WebhookForm } from "./webhook-form.ts";
import { allTrackingEvents, recordOf } from "./webhook-text.ts";

const path = "/developers/webhooks";

function choice(type: "checkbox" | "radio", value: string, isChosen: boolean, label: Html | string): Html {
  const checked = isChosen && html` checked`;
  return html`<label class="choice"><input type="${type}" name="events" value="${value}"${checked}> <span>${label}</span></label>`;
}

/** "2 of 5", or "all" by the wildcard, which is not counted. */
function chosenText({ wildcard, choices }: EventGroup, chosen: ReadonlySet<string>): string {
  if (wildcard !== null && chosen.has(wildcard)) return "all";
  const events = choices.filter(([value]) => value !== wildcard);
  return `${events.filter(([value]) => chosen.has(value)).length} of ${events.length}`;
}

function group(events: EventGroup, chosen: ReadonlySet<string>): Html {
  const { name, choices } = events;
  const isOpen = choices.some(([value]) => chosen.has(value));
  return html`
    <details${isOpen && html` open`}>
      <summary><code>${name}</code> <span class="muted">${chosenText(events, chosen)}</span></summary>
      ${choices.map(([value, description]) =>
        choice(
          "checkbox",
          value,
          chosen.has(value),
          html`<code>${value}</code> <span class="muted">${description}</span>`,
        ),
      )}
    </details>`;
}

function eventChoice(form: WebhookForm, categories: readonly EventCategoryResource[], problems: Problems): Html {
  const chosen = new Set(form.events);
  const isAll = chosen.has("*");
  const groups = eventGroups(visibleEvents(categories, form.events), form.events);
  const [tracking, others] = [true, false].map((isTracking) =>
    groups.filter((one) => one.isTracking === isTracking).map((one) => group(one, chosen)),
  );
  return html`
    <fieldset>
      <legend>Events</legend>
      ${groupProblem(problems, "events")}
      ${choice("radio", "*", isAll, html`${allTrackingEvents} <span class="muted">including future ones</span>`)}
      ${choice("radio", "", !isAll, "Selected tracking events")}
      <div class="selected-events">${tracking}</div>
      <p class="muted">Other events, which are sent only when selected:</p>
      ${others}
    </fieldset>`;
}

export function webhookFormPage(
  options: Omit<RecordForm<WebhookForm>, "id"> & {
    /** Null: a new webhook. */
    readonly webhook: WebhookResource | null;
    readonly categories: readonly EventCategoryResource[];
  },
): Html {
  const { caller, webhook, form, categories, problems = {} } = options;
  const record = webhook === null ? undefined : recordOf(webhook);
  const fields = html`
      ${field({
        label: "Endpoint URL",
        name: "url",
        value: form.url,
        problems,
        hint: "An https:// address of your own that takes a POST and answers 200, 201, 202 or 204 within 10 seconds.",
        maxLength: 2_000,
        isRequired: true,
      })}
      ${eventChoice(form, categories, problems)}
      ${textArea({
        label: "Headers",
        name: "headers",
        value: form.headers,
        problems,
        hint: "Sent with every delivery, one a line, for example “X-Api-Key: 1234”.",
        rows: 3,
      })}
      ${field({
        label: "Rate limit (per second)",
        name: "rateLimit",
        value: form.rateLimit,
        problems,
        hint: "Leave empty for no limit.",
        type: "number",
      })}`;
  return developersLayout({
    title: webhook === null ? "New webhook" : "Edit webhook",
    caller,
    part: "webhooks",
    isOfRecord: true,
    record,
    content: recordForm(
      { ...options, id: webhook?.id ?? null },
      { path, createLabel: "Create webhook", fields, ...(record && { back: record.path }) },
    ),
  });
}
