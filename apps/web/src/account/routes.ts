import { beforeSetUp, get, post, type Route, redirectTo } from "../http/define-route.ts";
import type { Services } from "../services.ts";
import { memberHandlers } from "./member-handlers.ts";
import { ownAccountHandlers } from "./own-accounts.ts";
import { sessionHandlers } from "./session-handlers.ts";
import { signInRuleHandlers } from "./sign-in-rules.ts";

type AccountServices = Pick<
  Services,
  "database" | "appUrl" | "sessions" | "cookie" | "loginLimits" | "sendsMail" | "providers" | "factors"
>;

export function accountRoutes(services: AccountServices): readonly Route[] {
  const members = memberHandlers(services);
  const rules = signInRuleHandlers(services);
  const ownAccounts = ownAccountHandlers(services);
  const sessions = sessionHandlers(services);
  return [
    get("/account", "read", redirectTo("/account/members")),
    get("/account/members", "read", members.list),
    get("/account/members/invite", "manage_members", members.showInvite),
    post("/account/members/invite", "manage_members", members.invite),
    get("/account/members/:id/role", "manage_members", members.showRole),
    post("/account/members/:id/role", "manage_members", members.changeRole),
    get("/account/members/:id/remove", "manage_members", members.showRemove),
    post("/account/members/:id/remove", "manage_members", members.remove),
    post("/account/invitations/:id/withdraw", "manage_members", members.withdraw),
    get("/account/sign-in-rules", "manage_members", rules.show),
    post("/account/sign-in-rules", "manage_members", rules.save),
    get("/account/accounts", "read", ownAccounts.list, beforeSetUp),
    post("/account/accounts/switch", "manage_own_sign_in", ownAccounts.switchTo, beforeSetUp),
    get("/account/password", "read", sessions.showPassword),
    post("/account/password", "manage_own_sign_in", sessions.changePassword),
    get("/account/sessions", "read", sessions.list),
    post("/account/sessions/end-all", "manage_own_sign_in", sessions.endAll),
    post("/account/sessions/:sha256/end", "manage_own_sign_in", sessions.endOne),
  ];
}
