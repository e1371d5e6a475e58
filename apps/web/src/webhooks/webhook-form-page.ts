import type { EventCategoryResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { developersLayout } from "../developers/developers-layout.ts";
import { field, formProblem, groupProblem, type Problems, textArea } from "../forms/field.ts";
import { type EventGroup, eventGroups, type WebhookForm } from "./webhook-form.ts";
import { allTrackingEvents } from "./webhook-text.ts";

const path = "/developers/webhooks";

function choice(type: "checkbox" | "radio", value: string, isChosen: boolean, label: Html | string): Html {
  const checked = isChosen && html` checked`;
  return html`<label class="choice"><input type="${type}" name="events" value="${value}"${checked}> <span>${label}</span></label>`;
}

function group({ name, choices }: EventGroup, chosen: ReadonlySet<string>): Html {
  const count = choices.filter(([value]) => chosen.has(value)).length;
  return html`
    <details${count > 0 && html` open`}>
      <summary><code>${name}</code> <span class="muted">${count} of ${choices.length}</span></summary>
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
  const groups = eventGroups(categories, form.events);
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

export function webhookFormPage(options: {
  readonly caller: Caller;
  /** Null: a new webhook. */
  readonly id: string | null;
  /** Idempotency key, so that submitting the form twice creates one webhook. */
  readonly key: string;
  readonly form: WebhookForm;
  readonly categories: readonly EventCategoryResource[];
  /** Hidden fields of the form of a stored record (`beforeForm`). */
  readonly before: Html | null;
  readonly problems?: Problems;
}): Html {
  const { caller, id, key, form, before, categories, problems = {} } = options;
  const title = id === null ? "New webhook" : "Edit webhook";
  return developersLayout({
    title,
    caller,
    part: "webhooks",
    isOfRecord: true,
    content: html`
      <form class="card form" method="post" action="${id === null ? path : `${path}/${id}/edit`}">
        ${formProblem(problems)}
        <input type="hidden" name="key" value="${key}">
        ${before}
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
        })}
        <p class="actions">
          <button>${id === null ? "Create webhook" : "Save"}</button>
          <a href="${id === null ? path : `${path}/${id}`}">Cancel</a>
        </p>
      </form>`,
  });
}
