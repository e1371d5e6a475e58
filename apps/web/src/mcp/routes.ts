import { notFound } from "@svc/jsonapi";
import { createOAuthRecordRepository } from "@svc/persistence/oauth";
import { get, post, type Route } from "../http/define-route.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { orNull } from "../http/or-null.ts";
import { sendPage } from "../http/send-page.ts";
import { noticeOf } from "../pages/notice-of.ts";
import type { Services } from "../services.ts";
import { mcpPage } from "./mcp-page.ts";

const notices: Readonly<Record<string, string>> = {
  disconnected: "The application is disconnected: its tokens are refused from now on.",
};

/** `/developers/mcp`: setup of AI clients and the connected applications. */
export function mcpRoutes({ database, mcpUrl }: Pick<Services, "database" | "mcpUrl">): readonly Route[] {
  const records = createOAuthRecordRepository(database);

  const show: PageHandler = async (request, response, caller) => {
    const [connected, newest] = await Promise.all([
      records.listConnected(caller.accountId),
      orNull(caller.api.containers.list({ sort: "-created_at", pageSize: 1 })),
    ]);
    const container = newest?.data[0]?.attributes.number ?? null;
    const notice = noticeOf(request, notices);
    sendPage(response, 200, mcpPage({ caller, mcpUrl, connected, container, notice }));
  };

  const disconnect: FormHandler = async (request, response, caller) => {
    const grantId = String(request.params.grantId);
    if (!(await records.disconnect(caller.accountId, grantId))) throw notFound("connected application", grantId);
    response.redirect(303, "/developers/mcp?done=disconnected");
  };

  return [
    get("/developers/mcp", "read", show),
    post("/developers/mcp/applications/:grantId/disconnect", "connect_applications", disconnect),
  ];
}
