import { instant } from "@svc/domain";
import { sha256, uuidV7 } from "@svc/persistence";
import { createAccountTokenRepository, findKnownTokens, generateApiToken } from "@svc/persistence/tokens";
import type { Request } from "express";
import type { SignedInCaller } from "../access/api-clients.ts";
import { hasProblems } from "../forms/field.ts";
import { createSecretReplays } from "../forms/secret-replays.ts";
import { get, post, type Route } from "../http/define-route.ts";
import { findRecord } from "../http/find-record.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { sendPage } from "../http/send-page.ts";
import { noticeOf } from "../pages/notice-of.ts";
import type { Services } from "../services.ts";
import { readTokenForm } from "./token-form.ts";
import { createdTokenPage, newTokenPage, revokeTokenPage, tokensPage } from "./token-pages.ts";

const path = "/developers/tokens";

const notices: Readonly<Record<string, string>> = {
  revoked: "The token is revoked.",
  made: "This token was already created. If you do not have the token, revoke it and make another.",
};

/** Creates and revokes tokens. The API has no operation for them, so that a token cannot create another. */
export function tokenRoutes(
  services: Pick<Services, "apiBaseUrl" | "mcpUrl" | "database" | "secretKey">,
): readonly Route[] {
  const { apiBaseUrl, database } = services;
  const tokens = createAccountTokenRepository(database.sql);
  const replays = createSecretReplays(database.sql, services.secretKey);

  const findToken = (request: Request, { accountId }: SignedInCaller) =>
    findRecord("API token", request.params.id, (id) => tokens.find(accountId, id));

  const list: PageHandler = async (request, response, caller) => {
    const notice = noticeOf(request, notices);
    sendPage(
      response,
      200,
      tokensPage({
        caller,
        apiBaseUrl,
        tokens: await tokens.list(caller.accountId),
        notice,
      }),
    );
  };

  const showNew: PageHandler = async (_request, response, caller) => {
    const form = { id: uuidV7.next(), name: "", scope: "read", lifetime: "365" } as const;
    sendPage(response, 200, newTokenPage(caller, form));
  };

  const create: FormHandler = async (_request, response, caller, values) => {
    const now = Date.now();
    const { form, problems, draft } = readTokenForm(values, now);
    if (hasProblems(problems)) {
      sendPage(response, 422, newTokenPage(caller, { ...form, id: form.id || uuidV7.next() }, problems));
      return;
    }
    const { accountId, user } = caller;
    const { id, ...fields } = form;
    const created = await database.transaction((sql) =>
      replays.createOnce<{ name: string; token: string }>(
        sql,
        { accountId, userId: user.userId, id, fields },
        {
          create: async () => {
            const { token, ...stored } = generateApiToken();
            const createdBy = { createdByUserId: user.userId, createdAt: instant(now) };
            const isNew = await createAccountTokenRepository(sql).create(accountId, {
              ...draft,
              ...stored,
              id,
              ...createdBy,
            });
            return isNew ? { name: draft.name, token } : null;
          },
          isValid: async ({ token }) => (await findKnownTokens(sql, [sha256(token)])).length > 0,
        },
      ),
    );
    if (created) sendPage(response, 201, createdTokenPage(caller, created, services));
    else response.redirect(303, `${path}?done=made`);
  };

  const showRevoke: PageHandler = async (request, response, caller) => {
    sendPage(response, 200, revokeTokenPage(caller, await findToken(request, caller)));
  };

  const revoke: FormHandler = async (request, response, caller) => {
    const { id } = await findToken(request, caller);
    await tokens.revoke(caller.accountId, id, instant(Date.now()));
    response.redirect(303, `${path}?done=revoked`);
  };

  return [
    get("/developers/tokens", "read", list),
    post("/developers/tokens", "manage_tokens", create),
    get("/developers/tokens/new", "manage_tokens", showNew),
    get("/developers/tokens/:id/revoke", "manage_tokens", showRevoke),
    post("/developers/tokens/:id/revoke", "manage_tokens", revoke),
  ];
}
