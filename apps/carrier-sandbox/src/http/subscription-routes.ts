import { randomUUID } from "node:crypto";
import express, { type Request, type Response, Router } from "express";
import type { z } from "zod";
import {
  SecretBody,
  type Subscription,
  SubscriptionBody,
  SubscriptionEdit,
  subscriptionView,
} from "../push/subscription.ts";
import type { SubscriptionStore } from "../push/subscription-store.ts";
import { sendDcsaError } from "./dcsa-error.ts";

const responseTimeoutMs = 10_000;

/** A DCSA publisher verifies the callback with HEAD before it stores a subscription. */
async function isReachable(callbackUrl: string): Promise<boolean> {
  const init = { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(responseTimeoutMs) } as const;
  return fetch(callbackUrl, init).then(
    ({ status }) => status === 204 || status === 200,
    () => false,
  );
}

/** `/v2/event-subscriptions` of DCSA Track & Trace 2.2. Events published before the subscription are not pushed. */
export function subscriptionRoutes(options: {
  readonly subscriptions: SubscriptionStore;
  readonly now: () => number;
}): Router {
  const { subscriptions, now } = options;
  const router = Router();
  router.use(express.json({ limit: "64kb" }));

  const refuse = (request: Request, response: Response, problems: readonly string[]): void =>
    sendDcsaError(request, response, 400, "invalidSubscription", problems, now());

  function read<S extends z.ZodType>(schema: S, request: Request, response: Response): z.output<S> | null {
    const result = schema.safeParse(request.body);
    if (result.success) return result.data;
    refuse(
      request,
      response,
      result.error.issues.map(({ path, message }) => [...path, message].join(" ")),
    );
    return null;
  }

  const find = (request: Request, response: Response): Subscription | null => {
    const found = subscriptions.find(String(request.params.id));
    if (found !== undefined) return found;
    sendDcsaError(request, response, 404, "notFound", ["No such subscription."], now());
    return null;
  };

  const show = (response: Response, status: number, subscription: Subscription): void =>
    void response.status(status).set("API-Version", "2.2.0").json(subscriptionView(subscription));

  const checkCallback = async (request: Request, response: Response, callbackUrl: string): Promise<boolean> => {
    if (await isReachable(callbackUrl)) return true;
    refuse(request, response, ["callbackUrl does not answer HEAD with 204."]);
    return false;
  };

  router.get("/", (_request, response) => {
    response.set("API-Version", "2.2.0").json(subscriptions.all().map(subscriptionView));
  });
  router.post("/", async (request, response) => {
    const body = read(SubscriptionBody, request, response);
    if (body === null || !(await checkCallback(request, response, body.callbackUrl))) return;
    const subscription = { ...body, subscriptionID: randomUUID(), pushedUntil: now() };
    subscriptions.put(subscription);
    show(response, 201, subscription);
  });
  router.get("/:id", (request, response) => {
    const found = find(request, response);
    if (found !== null) show(response, 200, found);
  });
  router.put("/:id", async (request, response) => {
    const body = find(request, response) && read(SubscriptionEdit, request, response);
    if (body === null || !(await checkCallback(request, response, body.callbackUrl))) return;
    const found = find(request, response);
    if (found === null) return;
    const { secret, subscriptionID, pushedUntil } = found;
    const edited = { ...body, secret, subscriptionID, pushedUntil };
    subscriptions.put(edited);
    show(response, 200, edited);
  });
  router.put("/:id/secret", (request, response) => {
    const found = find(request, response);
    const body = found && read(SecretBody, request, response);
    if (found === null || body === null) return;
    subscriptions.put({ ...found, secret: body.secret });
    response.status(204).set("API-Version", "2.2.0").end();
  });
  router.delete("/:id", (request, response) => {
    if (find(request, response) === null) return;
    subscriptions.remove(String(request.params.id));
    response.status(204).set("API-Version", "2.2.0").end();
  });
  return router;
}
