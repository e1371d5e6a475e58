import { get, type Route, redirectTo } from "../http/define-route.ts";
import type { PageHandler } from "../http/handler.ts";
import { queryText } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import type { Services } from "../services.ts";
import { readPeriod } from "../webhooks/delivery-charts.ts";
import { referenceAddress } from "./developers-layout.ts";
import { readHealth } from "./health.ts";
import { overviewPage } from "./overview-page.ts";

/** The overview, and the address of the API reference, which the API serves. */
export function developerRoutes(services: Pick<Services, "apiBaseUrl" | "mcpUrl" | "listTokens">): readonly Route[] {
  const { apiBaseUrl, mcpUrl, listTokens } = services;

  const show: PageHandler = async (request, response, caller) => {
    const period = readPeriod(queryText(request, "period"));
    const [allTokens, health] = await Promise.all([listTokens(caller.accountId), readHealth(caller.api, period)]);
    const tokens = { total: allTokens.length, isAnyUsed: allTokens.some(({ lastUsedAt }) => lastUsedAt !== null) };
    sendPage(response, 200, overviewPage({ caller, apiBaseUrl, mcpUrl, tokens, health, period }));
  };

  return [
    get("/developers", "read", show),
    get("/developers/api-reference", "read", redirectTo(referenceAddress(apiBaseUrl))),
  ];
}
