import { addMs, dayMs, instant, instantOrNull } from "@svc/domain";
import { type ShareLink, shareLinkStatuses } from "@svc/domain/share-links";
import { invalidAttribute, notFound } from "@svc/jsonapi";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { enumList, ids } from "@svc/jsonapi/query";
import { createShareLinkDocument, ShareLinkResource, shareLinkResource } from "@svc/jsonapi/share-links";
import { type Caller, maySeeSecrets } from "../http/authenticator.ts";
import { defineRoute } from "../http/define-route.ts";
import { defineRecord, deleteRoute, getRoute, listRoute } from "../http/record-routes.ts";
import { createdReply } from "../http/replies.ts";
import { readMemberEmails } from "../members/find-members.ts";
import type { Services } from "../services.ts";

const tag = "Share links";
const type = "share_link";
const defaultDays = 30;

/** Links expire in real time, also with an accelerated tracking clock. */
const realNow = () => instant(Date.now());

/** The wire form of share links as the caller may see it. */
async function shareLinkResources(services: Services, caller: Caller, links: readonly ShareLink[]) {
  const creatorIds = links.map(({ createdByUserId }) => createdByUserId);
  const emailOf = await readMemberEmails(services, caller.accountId, creatorIds);
  const { appUrl } = services.settings;
  const now = realNow();
  const showsSecrets = maySeeSecrets(caller, "share");
  return (link: ShareLink, baseUrl: string): ShareLinkResource => {
    const creatorEmail = emailOf(link.createdByUserId);
    return shareLinkResource(link, { baseUrl, appUrl, showsSecrets, creatorEmail, now });
  };
}

const record = defineRecord({
  type,
  tag,
  path: "/share_links/{id}",
  params: { id: { of: "share link", kind: "uuid", description: "The share link's id." } },
  shown: { description: "The share link.", schema: documentSchema(ShareLinkResource) },
  find: ({ shareLinks }, { accountId }, { id }) => shareLinks.find(accountId, id),
  resource: shareLinkResources,
});

const createShareLink = defineRoute({
  method: "post",
  path: "/shipments/{id}/share_links",
  operationId: "createShareLink",
  summary: "Create a share link",
  description:
    "Creates a read-only public page of the shipment, which needs no login: route, progress, ETA, containers and their milestones. " +
    "References and fees are shown only when chosen; customer, tags, notes, custom fields and sources never. " +
    "Anyone with the address can open the page until the link expires or is revoked.",
  tag,
  scope: "write",
  action: "share",
  request: {
    params: { id: { of: "shipment", kind: "uuid", description: "The shipment's id." } },
    query: { type },
    body: { document: createShareLinkDocument, idParameter: null },
  },
  responses: { 201: record.shown },
  async handle(exchange) {
    const { services, caller, params, body } = exchange;
    const { shows_references: references, shows_fees: fees, expires_at: requestedExpiry } = body.attributes;
    const now = realNow();
    const written = requestedExpiry === undefined ? addMs(now, defaultDays * dayMs) : requestedExpiry;
    const expiresAt = instantOrNull(written);
    if (expiresAt !== null && expiresAt <= now) {
      throw invalidAttribute("expires_at", `expires_at must be later than now (${now}).`);
    }
    const draft = {
      id: services.ids.next(),
      shipmentId: params.id,
      showsReferences: references ?? false,
      showsFees: fees ?? false,
      createdByUserId: caller.userId,
      expiresAt,
    };
    const link = await services.shareLinks.create(caller.accountId, draft, now);
    if (!link) throw notFound("shipment", params.id);
    return createdReply(exchange, link, await shareLinkResources(services, caller, [link]));
  },
});

const listShareLinks = listRoute(record, {
  path: "/share_links",
  operationId: "listShareLinks",
  summary: "List share links",
  description:
    "Lists the share links of the account, also expired and revoked ones; `filter[status]=active` lists the open pages.",
  query: {
    type,
    list: { sortKeys: { created_at: "instant" } },
    parameters: {
      shipment: ids("filter[shipment]", "Id of the shipment."),
      status: enumList("filter[status]", "Status of the link.", shareLinkStatuses),
    },
  },
  page: { description: "A page of share links, newest first.", schema: pageSchema(ShareLinkResource) },
  list: ({ shareLinks }, { accountId }, { parameters, page }) => shareLinks.list(accountId, parameters, page),
});

const getShareLink = getRoute(record, { operationId: "getShareLink", summary: "Get a share link" });

const revokeShareLink = deleteRoute(record, {
  operationId: "revokeShareLink",
  summary: "Revoke a share link",
  description:
    "Closes the page immediately and erases its address. The link stays listed with `revoked_at`; revoking it " +
    "again changes nothing.",
  action: "share",
  response: { status: 204, description: "Revoked." },
  remove: ({ shareLinks }, { accountId }, { id }, ifVersions) =>
    shareLinks.revoke(accountId, id, { now: realNow(), ifVersions }),
});

export const shareLinkRoutes = [createShareLink, listShareLinks, getShareLink, revokeShareLink];
