import { RateLimitError } from "@svc/sdk";
import type { DashboardRoutes } from "../dashboard/dashboard-routes.ts";
import { sendPage } from "../http/send-page.ts";
import { searchPage } from "./search-page.ts";

const maxTyped = 100;

/** `GET /track/search?q=`: the records are those of the API's search, which include the target of a deep link. */
export function addSearchRoute({ page }: DashboardRoutes, apiBaseUrl: string): void {
  page("/track/search", "read", async ({ query }, response, caller) => {
    const typed =
      typeof query.q === "string" ? query.q.slice(0, maxTyped).toWellFormed().replaceAll("\0", "").trim() : "";
    let problem: string | null = null;
    const found =
      typed === ""
        ? null
        : await caller.api.search(typed).catch((error: unknown) => {
            if (!(error instanceof RateLimitError)) throw error;
            problem = `Too many searches. Try again in ${error.retryAfterSeconds ?? 60} seconds.`;
            return null;
          });
    sendPage(response, 200, searchPage({ caller, apiBaseUrl, typed, results: found?.data ?? [], problem }));
  });
}
