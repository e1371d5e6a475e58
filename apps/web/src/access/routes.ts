import type { Request, Response } from "express";
import { get, post, type Route } from "../http/define-route.ts";
import type { Services } from "../services.ts";
import { joinHandlers } from "./join-handlers.ts";
import { llmsText } from "./llms-text.ts";
import { loginHandlers } from "./login-handlers.ts";
import { passwordResetHandlers } from "./password-reset-handlers.ts";

type AccessServices = Pick<
  Services,
  | "apiBaseUrl"
  | "appUrl"
  | "callers"
  | "cookie"
  | "database"
  | "loginLimits"
  | "mcpUrl"
  | "providers"
  | "secondStep"
  | "sendsMail"
  | "sessions"
  | "setup"
  | "startSession"
>;

/** Sign-in, lost passwords, the setup, invitations, and the overview for language models. */
export function accessRoutes(services: AccessServices): readonly Route[] {
  const guide = llmsText(services);
  const sendGuide = (_request: Request, response: Response) => response.type("text/plain").send(guide);
  const login = loginHandlers(services);
  const reset = passwordResetHandlers(services);
  const invitation = joinHandlers(services);
  return [
    get("/llms.txt", "anyone", sendGuide),
    get("/login", "anyone", login.show),
    post("/login", "anyone", login.logIn),
    post("/logout", "anyone", login.logOut),
    get("/login/forgotten", "anyone", reset.showForm),
    post("/login/forgotten", "anyone", reset.sendLink),
    get("/login/reset/:secret", "anyone", reset.showReset),
    post("/login/reset/:secret", "anyone", reset.reset),
    get("/setup", "anyone", services.setup.show),
    post("/setup", "anyone", services.setup.setUp),
    get("/join/:secret", "anyone", invitation.show),
    post("/join/:secret", "anyone", invitation.join),
  ];
}
