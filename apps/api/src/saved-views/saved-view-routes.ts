import { alertFilterProblem, type SavedView, type ViewList, viewLists, viewProblems } from "@svc/domain/saved-views";
import { invalidAttribute, limitReached, TrackingError } from "@svc/jsonapi";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { enumList } from "@svc/jsonapi/query";
import { createSavedViewDocument, editSavedViewDocument, SavedViewResource } from "@svc/jsonapi/saved-views";
import type { SavedViewFault, SavedViewSettings } from "@svc/persistence/saved-views";
import type { Caller } from "../http/authenticator.ts";
import { defineRoute } from "../http/define-route.ts";
import { checkVersion } from "../http/preconditions.ts";
import { createRoute, defineRecord, editRoute, getRoute, listRoute } from "../http/record-routes.ts";
import { requireFound } from "../http/require-found.ts";
import type { Services } from "../services.ts";
import { viewResources, withCanonicalCarrier } from "./view-resources.ts";

const tag = "Saved views";
const type = "saved_view";
const viewsMax = 100;

const record = defineRecord({
  type,
  tag,
  path: "/saved_views/{id}",
  params: { id: { of: "saved view", kind: "uuid", description: "The view's id." } },
  shown: { description: "The saved view.", schema: documentSchema(SavedViewResource) },
  find: ({ savedViews }, { accountId, userId }, { id }) => savedViews.find(accountId, id, userId),
  resource: viewResources,
});

type Attributes = ReturnType<typeof createSavedViewDocument.attributes.parse>;
type Written = { readonly [Name in keyof Attributes]?: Attributes[Name] | undefined };

/** The id of the caller's member. Throws when the token has no user. */
function requireMemberId({ userId }: Caller, name: string): string {
  if (userId !== null) return userId;
  const detail = "The token has no user, whose view it would be. Set shared to true, and leave is_default out.";
  throw invalidAttribute(name, detail);
}

/** Merges the document into `present`. Throws `TrackingError` for filters and columns that the list does not have. */
async function readSettings(
  services: Services,
  caller: Caller,
  written: Written,
  present: SavedView | { readonly list: ViewList },
): Promise<SavedViewSettings> {
  const before = "id" in present ? present : null;
  const filters = written.filters && (await withCanonicalCarrier(written.filters, services));
  const settings = {
    name: written.name ?? before?.name ?? "",
    filters: filters ?? before?.filters ?? {},
    sort: written.sort === undefined ? (before?.sort ?? null) : written.sort,
    columns: [...new Set(written.columns ?? before?.columns ?? [])],
  };
  // Settings that are not written may be outdated, and stay as they are.
  const problem = viewProblems({ list: present.list, ...settings }).find(
    ({ setting }) => written[setting] !== undefined,
  );
  if (problem) {
    throw invalidAttribute(problem.name === null ? problem.setting : `filters/${problem.name}`, problem.detail);
  }
  const isShared = written.shared ?? (before !== null && before.memberUserId === null);
  if (isShared) return { ...settings, memberUserId: null };
  if (before?.memberUserId) return { ...settings, memberUserId: before.memberUserId };
  const memberUserId = requireMemberId(caller, "shared");
  if (before !== null && before.createdByUserId !== memberUserId) {
    const detail = "Only the member who created the view can stop sharing it. Create a view of your own.";
    throw invalidAttribute("shared", detail);
  }
  return { ...settings, memberUserId };
}

function throwFault(fault: SavedViewFault | null, { name, memberUserId }: SavedViewSettings): void {
  if (fault === null) return;
  const whose = memberUserId === null ? "shared views of the account" : "views of the member";
  if (fault === "name_taken") {
    const detail = `The ${whose} have one of the name ${JSON.stringify(name)} for this list. Choose another one.`;
    throw invalidAttribute("name", detail);
  }
  if (fault === "no_such_member") {
    throw invalidAttribute("shared", "The user of the token is no longer a member of the account.");
  }
  throw limitReached(`There may be ${viewsMax} ${whose}. Delete one first.`);
}

/** Throws when alerts that the view filters could not be filtered by it any more. */
async function checkAlerts(services: Services, accountId: string, { id, list }: SavedView, edited: SavedViewSettings) {
  const alerts = await services.savedViews.alerts(accountId, id);
  const [first] = alerts;
  if (!first) return;
  const name = JSON.stringify(first.name);
  const problem = alertFilterProblem({ list, filters: edited.filters });
  if (problem !== null) throw invalidAttribute("filters", `The alert ${name} is filtered by this view. ${problem}`);
  const other = alerts.find(({ userId }) => edited.memberUserId !== null && userId !== edited.memberUserId);
  if (other) {
    const detail = `The alert ${JSON.stringify(other.name)} of others is filtered by this view. Change it first.`;
    throw invalidAttribute("shared", detail);
  }
}

const list = listRoute(record, {
  path: "/saved_views",
  operationId: "listSavedViews",
  summary: "List saved views",
  description:
    "Lists the views that are shared with the account, and those of the caller's member. A token acts for the " +
    "member who created it.",
  query: {
    type,
    list: { sortKeys: { created_at: "instant" } },
    parameters: { list: enumList("filter[list]", "List that the view filters.", viewLists) },
  },
  page: { description: "A page of saved views, newest first.", schema: pageSchema(SavedViewResource) },
  list: ({ savedViews }, { accountId, userId }, { parameters, page }) =>
    savedViews.list(accountId, { ...parameters, userId }, page),
});

const create = createRoute(record, {
  path: "/saved_views",
  operationId: "createSavedView",
  summary: "Create a saved view",
  description:
    "Stores filters, order and columns of the list of shipments, containers or exceptions under a name, for the " +
    `caller's member or shared with the account. There may be ${viewsMax} shared views, and ${viewsMax} of each ` +
    "member.",
  action: "edit_records",
  document: createSavedViewDocument,
  async create(services, caller, attributes) {
    const { accountId, userId } = caller;
    const { list: listName, is_default: isDefault } = attributes;
    const settings = await readSettings(services, caller, attributes, { list: listName });
    const id = services.ids.next();
    return services.transaction(accountId, async (_sql, { savedViews }) => {
      throwFault(
        await savedViews.create(accountId, { ...settings, id, list: listName, createdByUserId: userId }, viewsMax),
        settings,
      );
      if (isDefault) await savedViews.setDefault(accountId, id, requireMemberId(caller, "is_default"));
      return requireFound("saved view", id, await savedViews.find(accountId, id, userId));
    });
  },
});

const get = getRoute(record, { operationId: "getSavedView", summary: "Get a saved view" });

const edit = editRoute(record, {
  operationId: "editSavedView",
  summary: "Update a saved view",
  description:
    "Changes the given attributes. `filters` replaces all filters of the view. Sharing a view shows it to every " +
    "member, who can also change it; only the member who created it can stop sharing it. `is_default` is of the " +
    "caller's member alone.",
  action: "edit_records",
  document: editSavedViewDocument,
  lock: ({ savedViews }, { accountId, userId }, { id }) => savedViews.lock(accountId, id, userId),
  async edit(services, caller, present, { is_default: isDefault, ...written }) {
    const { savedViews } = services;
    const { accountId, userId } = caller;
    const { id } = present;
    if (Object.keys(written).length > 0) {
      const settings = await readSettings(services, caller, written, present);
      await checkAlerts(services, accountId, present, settings);
      throwFault(await savedViews.edit(accountId, present, settings, viewsMax), settings);
      if (settings.memberUserId !== null) await savedViews.clearDefaultsOfOthers(accountId, id, settings.memberUserId);
    }
    if (isDefault !== undefined) {
      const memberId = requireMemberId(caller, "is_default");
      await (isDefault ? savedViews.setDefault : savedViews.clearDefault)(accountId, id, memberId);
    }
    return requireFound("saved view", id, await savedViews.find(accountId, id, userId));
  },
});

const remove = defineRoute({
  method: "delete",
  path: record.path,
  operationId: "deleteSavedView",
  summary: "Delete a saved view",
  description:
    "Deletes the view. A view that filters an alert subscription cannot be deleted: change or delete the " +
    "subscription first.",
  tag,
  scope: "write",
  action: "edit_records",
  request: { params: record.params, query: {}, conditional: true },
  responses: { 204: { description: "Deleted." } },
  async handle({ services, caller, params, ifVersions }) {
    const { accountId, userId } = caller;
    const { id } = params;
    await services.transaction(accountId, async (_sql, { savedViews }) => {
      const present = requireFound("saved view", id, await savedViews.lock(accountId, id, userId));
      checkVersion(ifVersions, present);
      const [alert] = await savedViews.alerts(accountId, id);
      if (alert) {
        const name = JSON.stringify(alert.name);
        throw TrackingError.of("conflict", `The alert ${name} is filtered by this view. Change or delete it first.`);
      }
      await savedViews.delete(accountId, id);
    });
    return { status: 204 };
  },
});

export const savedViewRoutes = [list, create, get, edit, remove];
