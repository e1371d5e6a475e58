import { RateLimitError, type SavedViewResource } from "@svc/sdk";
import type { DashboardRoutes } from "../dashboard/dashboard-routes.ts";
import { sendPage } from "../http/send-page.ts";
import { readViews } from "../saved-views/read-views.ts";
import { searchPage } from "./search-page.ts";

const maxTyped = 100;

const viewsShown = 8;

/** Every word of the text begins a word of the name. */
function isNamed({ attributes: { name } }: SavedViewResource, typed: string): boolean {
  const words = name.toLowerCase().split(/\s+/);
  const parts = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return parts.every((part) => words.some((word) => word.startsWith(part)));
}

/** `GET /track/search?q=`: the records are those of the API's search, which include the target of a deep link. */
export function addSearchRoute({ page }: DashboardRoutes, apiBaseUrl: string): void {
  page("/track/search", "read", async ({ query }, response, caller) => {
    const typed =
      typeof query.q === "string" ? query.q.slice(0, maxTyped).toWellFormed().replaceAll("\0", "").trim() : "";
    let problem: string | null = null;
    const withinLimit = (error: unknown): null => {
      if (!(error instanceof RateLimitError)) throw error;
      problem = `Too many searches. Try again in ${error.retryAfterSeconds ?? 60} seconds.`;
      return null;
    };
    const [found, saved] = await Promise.all([
      typed === "" ? null : caller.api.search(typed).catch(withinLimit),
      readViews(caller).catch(withinLimit),
    ]);
    const views = (saved ?? []).filter((view) => isNamed(view, typed)).slice(0, viewsShown);
    sendPage(response, 200, searchPage({ caller, apiBaseUrl, typed, results: found?.data ?? [], views, problem }));
  });
}
