import type { EventCategoryResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { developersLayout } from "../developers/developers-layout.ts";
import { prettyJson } from "../notifications/exchange.ts";
import { apiQuery, sameFromApi } from "../pages/same-from-api.ts";
import { snippet } from "../pages/snippet.ts";
import { withWordBreaks } from "../pages/word-breaks.ts";

const path = "/developers/events";

export function cataloguePage(caller: Caller, apiBaseUrl: string, categories: readonly EventCategoryResource[]): Html {
  return developersLayout({
    title: "Events",
    caller,
    part: "events",
    content: html`
      <p>Events that webhooks can subscribe to, in the order of a voyage. Each has a sample payload.</p>
      ${categories.map(
        ({ attributes: { name, events } }) => html`
          <section class="card">
            <h2><code>${name}</code></h2>
            <dl class="catalogue">
              ${events.map(
                (event) => html`
                  <div><dt><a href="${path}/${event.name}"><code>${withWordBreaks(event.name)}</code></a></dt>
                    <dd>${event.description}</dd></div>`,
              )}
            </dl>
          </section>`,
      )}
      ${sameFromApi(apiBaseUrl, [{ path: "/webhooks/events" }])}`,
  });
}

export function eventPage(
  caller: Caller,
  apiBaseUrl: string,
  event: { readonly name: string; readonly description: string; readonly sample: string },
): Html {
  const { name, description, sample } = event;
  return developersLayout({
    title: name,
    heading: html`${withWordBreaks(name)}`,
    caller,
    part: "events",
    isOfRecord: true,
    content: html`
      <p>${description}</p>
      <section class="card">
        <h2>Sample</h2>
        <p class="muted">The body of a delivery, as if the event happened now. To see it arrive, send a test from a
          <a href="/developers/webhooks">webhook's page</a>.</p>
        ${snippet({ id: "sample", text: prettyJson(sample), of: "the sample" })}
      </section>
      ${sameFromApi(apiBaseUrl, [{ path: `/webhook_notifications/examples${apiQuery({ event: name })}` }])}`,
  });
}
