import type { ViewList } from "@svc/domain/saved-views";
import type { SavedViewResource } from "@svc/sdk";
import type { Request } from "express";
import { type ApiCaller, optionalPartMs } from "../access/api-clients.ts";
import { may } from "../access/callers.ts";
import { isUnavailable } from "../http/or-null.ts";
import { listAddresses, viewAddress } from "./list-addresses.ts";
import type { ListViews } from "./view-bar.ts";
import { readSaved, withoutView } from "./view-parameters.ts";

function rank({ attributes: { is_default: isDefault, shared } }: SavedViewResource): number {
  if (isDefault) return 0;
  return shared ? 2 : 1;
}

/** The views that the member sees: the default view first, then their own, then the shared ones, by name. */
export async function readViews({ api }: Pick<ApiCaller, "api">, list?: ViewList): Promise<SavedViewResource[]> {
  const views: SavedViewResource[] = [];
  for await (const view of api.savedViews.iterate({ filter: { list } }, { timeoutMs: optionalPartMs }))
    views.push(view);
  const byName = (one: SavedViewResource, other: SavedViewResource) =>
    one.attributes.name.localeCompare(other.attributes.name, "en");
  return views.sort((one, other) => rank(one) - rank(other) || byName(one, other));
}

/**
 * The saved views of a list for its page, and where the page leads instead: a URL without parameters opens the
 * member's default view. Null without a user, and when the API does not answer them: a list is shown without its views
 * rather than not at all.
 */
export async function readListViews(
  request: Request,
  caller: ApiCaller,
  list: ViewList,
): Promise<{ readonly views: ListViews | null; readonly redirectTo: string | null }> {
  if (!caller.user) return { views: null, redirectTo: null };
  try {
    const views = await readViews(caller, list);
    const saved = readSaved(request.query.saved);
    const address = listAddresses[list].addressOf(request.query, "");
    const current = saved === withoutView ? null : (views.find(({ id }) => id === saved) ?? null);
    const isPlain = Object.keys(request.query).length === 0;
    const opens = isPlain ? views.find(({ attributes }) => attributes.is_default) : undefined;
    const mayEdit = may(caller, "edit_records");
    return { views: { list, views, current, saved, address, mayEdit }, redirectTo: opens ? viewAddress(opens) : null };
  } catch (error) {
    if (isUnavailable(error)) return { views: null, redirectTo: null };
    throw error;
  }
}
