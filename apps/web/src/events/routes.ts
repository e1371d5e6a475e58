import type { WebhookEventName } from "@svc/domain/webhooks";
import { notFound } from "@svc/jsonapi";
import { get, type Route } from "../http/define-route.ts";
import type { PageHandler } from "../http/handler.ts";
import { sendPage } from "../http/send-page.ts";
import type { Services } from "../services.ts";
import { cataloguePage, eventPage } from "./event-pages.ts";
import { visibleEvents } from "./visible-events.ts";

/** Pages of the events that the API offers to this account. */
export function eventRoutes({ apiBaseUrl }: Pick<Services, "apiBaseUrl">): readonly Route[] {
  const list: PageHandler = async (_request, response, caller) => {
    const { data: categories } = await caller.api.webhooks.events();
    const subscribed: string[] = [];
    for await (const { attributes } of caller.api.webhooks.iterate()) subscribed.push(...attributes.events);
    sendPage(response, 200, cataloguePage(caller, apiBaseUrl, visibleEvents(categories, subscribed)));
  };

  const show: PageHandler = async (request, response, caller) => {
    const eventName = String(request.params.name);
    const { data: categories } = await caller.api.webhooks.events();
    const event = categories.flatMap(({ attributes }) => attributes.events).find(({ name }) => name === eventName);
    if (!event) throw notFound("event", eventName);
    const { data, included } = await caller.api.notifications.examples(event.name as WebhookEventName);
    const sample = JSON.stringify({ data: data[0], included });
    sendPage(response, 200, eventPage(caller, apiBaseUrl, { ...event, sample }));
  };

  return [get("/developers/events", "read", list), get("/developers/events/:name", "read", show)];
}
