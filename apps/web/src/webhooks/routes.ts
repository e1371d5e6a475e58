import { get, post, type Route } from "../http/define-route.ts";
import { recoverHandlers } from "./recover-handlers.ts";
import { type WebhookServices, webhookHandlers } from "./webhook-handlers.ts";

const path = "/developers/webhooks";

/** Pages that list, show, create, edit, test and delete webhooks, and resend missed events. */
export function webhookRoutes(services: WebhookServices): readonly Route[] {
  const webhooks = webhookHandlers(services);
  const recovery = recoverHandlers(services);
  return [
    get(path, "read", webhooks.list),
    post(path, "manage_webhooks", webhooks.create),
    get(`${path}/new`, "manage_webhooks", webhooks.showNew),
    get(`${path}/:id`, "read", webhooks.show),
    get(`${path}/:id/edit`, "manage_webhooks", webhooks.showEdit),
    post(`${path}/:id/edit`, "manage_webhooks", webhooks.save),
    post(`${path}/:id/state`, "manage_webhooks", webhooks.setState),
    get(`${path}/:id/rotate`, "manage_webhooks", webhooks.showRotate),
    post(`${path}/:id/rotate`, "manage_webhooks", webhooks.rotate),
    get(`${path}/:id/delete`, "manage_webhooks", webhooks.showDelete),
    post(`${path}/:id/delete`, "manage_webhooks", webhooks.remove),
    post(`${path}/:id/test`, "manage_webhooks", webhooks.sendTest),
    get(`${path}/:id/recover`, "manage_webhooks", recovery.showRecover),
    post(`${path}/:id/recover`, "manage_webhooks", recovery.recover),
  ];
}
