import { instant } from "@svc/domain";
import { createMemberRepository } from "@svc/persistence/members";
import { verifyPassword } from "@svc/persistence/sessions";
import type { Request, Response } from "express";
import type { SignedInCaller } from "../access/api-clients.ts";
import { refuseAttempts } from "../access/login-limits.ts";
import type { Problems } from "../forms/field.ts";
import type { FormValues } from "../forms/form-values.ts";
import { beforeSetUp, get, post, type Route } from "../http/define-route.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { sendPage } from "../http/send-page.ts";
import { noticeOf } from "../pages/notice-of.ts";
import type { Services } from "../services.ts";
import { findTimeStep, newSecret } from "./one-time-passwords.ts";
import { offPage, onPage, recoveryCodesPage, setUpPage, unavailablePage } from "./two-factor-pages.ts";

const path = "/account/two-factor";

const notices: Readonly<Record<string, string>> = {
  off: "Two-factor authentication is off.",
};

type TwoFactorServices = Pick<Services, "database" | "sessions" | "factors" | "loginLimits" | "secondStep">;

/** The page of the state that the user is in. */
async function show(
  { factors }: TwoFactorServices,
  response: Response,
  caller: SignedInCaller,
  { status = 200, ...shown }: { status?: number; problems?: Problems; notice?: string | undefined } = {},
): Promise<void> {
  const page = { caller, ...shown };
  if (!factors) return sendPage(response, status, unavailablePage(page));
  const { userId } = caller.user;
  const factor = await factors.find(userId);
  if (factor?.confirmedAt) return sendPage(response, status, onPage(page, factor));
  const secret = factor && (await factors.findSecret(userId, "begun"));
  sendPage(response, status, secret ? setUpPage(page, secret) : offPage(page));
}

/** A session that was stolen must not change how its user signs in. */
async function hasPassword(
  services: TwoFactorServices,
  request: Request,
  response: Response,
  caller: SignedInCaller,
  values: FormValues,
): Promise<boolean> {
  const { database, loginLimits: limits } = services;
  const { userId, email } = caller.user;
  const waitSeconds = await limits.begin(request.ip ?? "", email);
  if (waitSeconds !== null) {
    const problem = refuseAttempts(response, waitSeconds);
    await show(services, response, caller, { status: 429, problems: { "": problem } });
    return false;
  }
  const stored = await createMemberRepository(database.sql).findPasswordHash(userId);
  if (stored === null || !(await verifyPassword(values.exact("present"), stored))) {
    const problems = { present: "This is not your present password." };
    await show(services, response, caller, { status: 422, problems });
    return false;
  }
  await limits.succeed(request.ip ?? "", email);
  return true;
}

const startHandler =
  (services: TwoFactorServices): FormHandler =>
  async (request, response, caller, values) => {
    const { factors } = services;
    if (!factors) return show(services, response, caller, { status: 422 });
    if (!(await hasPassword(services, request, response, caller, values))) return;
    await factors.begin(caller.user.userId, newSecret());
    response.redirect(303, path);
  };

const cancelHandler =
  ({ factors }: TwoFactorServices): FormHandler =>
  async (_request, response, caller) => {
    await factors?.cancel(caller.user.userId);
    response.redirect(303, path);
  };

const confirmHandler =
  (services: TwoFactorServices): FormHandler =>
  async (_request, response, caller, values) => {
    const { factors, sessions } = services;
    const { userId } = caller.user;
    const secret = factors && (await factors.findSecret(userId, "begun"));
    if (!factors || !secret) return show(services, response, caller, { status: 422 });
    const step = findTimeStep(secret, values.text("code"), Date.now());
    const codes = step === null ? null : await factors.confirm(userId, secret, step);
    if (!codes) {
      const problem = "This code does not match. Enter the one that the app shows now.";
      return show(services, response, caller, { status: 422, problems: { code: problem } });
    }
    await sessions.revokeOthers(userId, caller.sessionSha256, instant(Date.now()));
    sendPage(response, 200, recoveryCodesPage(caller, codes));
  };

const changeHandler =
  (services: TwoFactorServices): FormHandler =>
  async (request, response, caller, values) => {
    const { factors } = services;
    const { userId, twoFactor, companyName } = caller.user;
    if (!factors) return show(services, response, caller, { status: 422 });
    if (!(await hasPassword(services, request, response, caller, values))) return;
    if (values.text("do") === "off") {
      if (twoFactor === "required") {
        const problem = `${companyName} requires two-factor authentication, so it stays on.`;
        return show(services, response, caller, { status: 422, problems: { "": problem } });
      }
      await factors.remove(userId);
      return response.redirect(303, `${path}?done=off`);
    }
    const codes = await factors.replaceRecoveryCodes(userId);
    if (codes) sendPage(response, 200, recoveryCodesPage(caller, codes));
    else await show(services, response, caller, { status: 422 });
  };

/**
 * The code after the password; and `/account/two-factor`: the user turns the second factor on and off, and replaces the
 * recovery codes.
 */
export function twoFactorRoutes(services: TwoFactorServices): readonly Route[] {
  const { secondStep } = services;
  const showState: PageHandler = (request, response, caller) =>
    show(services, response, caller, { notice: noticeOf(request, notices) });
  return [
    get("/login/code", "anyone", secondStep.show),
    post("/login/code", "anyone", secondStep.enter),
    get(path, "read", showState, beforeSetUp),
    post(`${path}/start`, "manage_own_sign_in", startHandler(services), beforeSetUp),
    post(`${path}/cancel`, "manage_own_sign_in", cancelHandler(services), beforeSetUp),
    post(`${path}/confirm`, "manage_own_sign_in", confirmHandler(services), beforeSetUp),
    post(`${path}/change`, "manage_own_sign_in", changeHandler(services), beforeSetUp),
  ];
}
