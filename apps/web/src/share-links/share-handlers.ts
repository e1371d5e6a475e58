import { randomUUID } from "node:crypto";
import { dayMs, hourMs } from "@svc/domain";
import { TrackingError } from "@svc/jsonapi";
import type { Client } from "@svc/sdk";
import type { Request } from "express";
import { findRecord, nullIfNotFound } from "../http/find-record.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { sendPage } from "../http/send-page.ts";
import { noticeOf } from "../pages/notice-of.ts";
import type { Services } from "../services.ts";
import { accountLinksPage } from "./account-links-page.ts";
import { lifetimes, revokeLinkPage, sharePage } from "./share-page.ts";

const notices: Readonly<Record<string, string>> = {
  created: "The link is created. Copy its address and send it.",
  revoked: "The link is revoked: its page is gone.",
};

/** The newest, as many as a page of the API has. */
const linksMax = 100;

/** Returns an expiry on the hour, so that a form that is submitted twice is the same request to the API. */
const expiryAfter = (days: number): Date => new Date(Math.ceil((Date.now() + days * dayMs) / hourMs) * hourMs);

/**
 * `GET` and `POST /shipments/{id}/share`, `GET /account/share-links`, and the forms that revoke a link on both. All
 * throw `TrackingError` `not_found`.
 */
export function shareHandlers({ apiBaseUrl }: Pick<Services, "apiBaseUrl">) {
  const find = (api: Client, request: Request) =>
    findRecord("shipment", request.params.id, (id) =>
      nullIfNotFound(api.shipments.get(id, { format: "mapped", include: [] })),
    );

  const revokeLink = (api: Client, request: Request) =>
    findRecord("share link", request.params.link, (id) => nullIfNotFound(api.shareLinks.revoke(id).then(() => id)));

  const show: PageHandler = async (request, response, caller) => {
    const shipment = await find(caller.api, request);
    const filter = { shipment: shipment.id };
    const { data: links } = await caller.api.shareLinks.list({ filter, pageSize: linksMax });
    const notice = noticeOf(request, notices);
    sendPage(response, 200, sharePage({ caller, apiBaseUrl, shipment, links, key: randomUUID(), notice }));
  };

  const create: FormHandler = async (request, response, caller, values) => {
    const { id } = await find(caller.api, request);
    const lifetime = lifetimes.find(([value]) => value === values.text("expires"));
    if (!lifetime) throw TrackingError.of("invalid", "Choose when the link expires.");
    const [, , days] = lifetime;
    const link = {
      showsReferences: values.text("references") !== "",
      showsFees: values.text("fees") !== "",
      expiresAt: days === null ? null : expiryAfter(days),
    };
    await caller.api.shareLinks.create(id, link, { idempotencyKey: values.text("key") || undefined });
    response.redirect(303, `/shipments/${id}/share?done=created`);
  };

  const findLink = (api: Client, request: Request) =>
    findRecord("share link", request.params.link, (id) => nullIfNotFound(api.shareLinks.get(id)));

  const showRevoke: PageHandler = async (request, response, caller) => {
    const { id } = await find(caller.api, request);
    const { data: link } = await findLink(caller.api, request);
    sendPage(response, 200, revokeLinkPage(caller, link, `/shipments/${id}/share`));
  };

  const revoke: FormHandler = async (request, response, caller) => {
    const { id } = await find(caller.api, request);
    await revokeLink(caller.api, request);
    response.redirect(303, `/shipments/${id}/share?done=revoked`);
  };

  const listAll: PageHandler = async (request, response, caller) => {
    const filter = { status: "active" };
    const { data: links, meta } = await caller.api.shareLinks.list({ filter, pageSize: linksMax });
    const total = meta?.page?.total ?? links.length;
    const notice = noticeOf(request, notices);
    sendPage(response, 200, accountLinksPage({ caller, apiBaseUrl, links, total, notice }));
  };

  const showRevokeListed: PageHandler = async (request, response, caller) => {
    const { data: link } = await findLink(caller.api, request);
    sendPage(response, 200, revokeLinkPage(caller, link, "/account/share-links"));
  };

  const revokeListed: FormHandler = async (request, response, caller) => {
    await revokeLink(caller.api, request);
    response.redirect(303, "/account/share-links?done=revoked");
  };

  return { show, create, showRevoke, revoke, listAll, showRevokeListed, revokeListed };
}
