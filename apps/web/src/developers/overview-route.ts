import type { PageHandler } from "../http/handler.ts";
import { queryText } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { readPeriod } from "../webhooks/delivery-charts.ts";
import { referenceAddress } from "./developers-layout.ts";
import { readHealth } from "./health.ts";
import { overviewPage, type PublicAddresses } from "./overview-page.ts";

/** `GET /developers?period=`. */
export function overviewRoute(
  options: PublicAddresses & {
    readonly listTokens: (accountId: string) => Promise<readonly { readonly lastUsedAt: string | null }[]>;
  },
): PageHandler {
  const { apiBaseUrl, mcpUrl, listTokens } = options;
  return async (request, response, caller) => {
    const period = readPeriod(queryText(request, "period"));
    const [allTokens, health] = await Promise.all([listTokens(caller.accountId), readHealth(caller.api, period)]);
    const tokens = { total: allTokens.length, isAnyUsed: allTokens.some(({ lastUsedAt }) => lastUsedAt !== null) };
    sendPage(response, 200, overviewPage({ caller, apiBaseUrl, mcpUrl, tokens, health, period }));
  };
}

/** `GET /developers/api-reference`: redirects to the API reference, which the API serves. */
export const referenceRoute =
  (apiBaseUrl: string): PageHandler =>
  async (_request, response) =>
    response.redirect(302, referenceAddress(apiBaseUrl));
