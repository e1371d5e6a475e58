import { instant } from "@svc/domain";
import { recordFailedSignIn } from "@svc/persistence/audit-events";
import { hashPassword, verifyPassword } from "@svc/persistence/sessions";
import type { Request, Response } from "express";
import { z } from "zod";
import { localPath } from "../http/local-path.ts";
import { readFields } from "../http/own-forms.ts";
import { isSameOrigin } from "../http/same-origin.ts";
import { sendPage } from "../http/send-page.ts";
import { foreignFormPage } from "../pages/message-page.ts";
import { noticeOf } from "../pages/notice-of.ts";
import type { Services } from "../services.ts";
import { type LoginPageOptions, loginPage, type OfferedProvider } from "./login-page.ts";
import { createPasswordChecks } from "./password-checks.ts";

const home = "/shipments";

const notices: Readonly<Record<string, string>> = {
  challenge: "The code was not entered in time, or too often. Sign in again.",
  reset: "Your password is changed. Sign in with it.",
};

const LoginForm = z.object({
  email: z.string().trim().min(1).max(254),
  password: z.string().min(1).max(1_000),
  next: z.string().optional(),
});

const singleSignOnRequired = (providers: readonly OfferedProvider[]): string => {
  const labels = providers.map(({ label }) => label).join(" or ");
  const what =
    labels === "" ? "No provider is configured: ask the operator of this service." : `Continue with ${labels}.`;
  return `Your account requires single sign-on, so passwords are not accepted. ${what}`;
};

type LoginServices = Pick<
  Services,
  | "appUrl"
  | "callers"
  | "database"
  | "sessions"
  | "cookie"
  | "loginLimits"
  | "startSession"
  | "secondStep"
  | "providers"
  | "setup"
>;

/** `GET` and `POST /login`, `POST /logout`. */
export function loginHandlers(services: LoginServices) {
  const { appUrl, callers, sessions, cookie, loginLimits: limits, startSession, secondStep, providers } = services;
  // An unknown user takes as long as a wrong password, so that the time does not reveal which users exist.
  const unusedHash = hashPassword("unused");
  const checks = createPasswordChecks();

  const authenticate = async (email: string, password: string) => {
    const user = await sessions.findCredentials(email);
    const isRight = await verifyPassword(password, user?.passwordHash ?? (await unusedHash));
    return isRight ? user : null;
  };

  const send = (response: Response, status: number, pageOptions: Omit<LoginPageOptions, "providers">): void =>
    sendPage(response, status, loginPage({ ...pageOptions, providers }));

  const refuseForeign = (request: Request, response: Response, next: () => void): void => {
    if (isSameOrigin(request, appUrl)) next();
    else sendPage(response, 403, foreignFormPage());
  };

  const showLogin = async (request: Request, response: Response): Promise<void> => {
    const next = localPath(request.query.next, home);
    const caller = await callers.identify(request);
    if (caller?.user) response.redirect(302, next);
    // Without an account no user could sign in.
    else if (await services.setup.isOpen()) response.redirect(302, "/setup");
    else send(response, 200, { next, notice: noticeOf(request, notices) });
  };

  const logIn = async (request: Request, response: Response): Promise<void> => {
    const form = LoginForm.safeParse(request.body);
    const next = localPath(form.data?.next, home);
    if (!form.success) {
      send(response, 422, { next, problem: "Enter your email address and your password." });
      return;
    }
    const { email, password } = form.data;
    const address = request.ip ?? "";
    const refuseAsFull = (): void => {
      response.set("Retry-After", "5");
      const problem = "Too many sign-ins at the moment. Try again in a few seconds.";
      send(response, 503, { next, email, problem });
    };
    if (checks.areFull()) return refuseAsFull();
    const waitSeconds = await limits.begin(address, email);
    if (waitSeconds !== null) {
      response.set("Retry-After", String(waitSeconds));
      const problem = `Too many attempts. Try again in ${Math.ceil(waitSeconds / 60)} minutes.`;
      send(response, 429, { next, email, problem });
      return;
    }
    // Others may have begun to wait while the attempt was counted.
    if (checks.areFull()) {
      await limits.cancel(address, email);
      return refuseAsFull();
    }
    const user = await checks.run(() => authenticate(email, password));
    if (!user) {
      await recordFailedSignIn(services.database.sql, email, address);
      send(response, 401, { next, email, problem: "This email address and password do not match." });
      return;
    }
    await limits.succeed(address, email);
    const method = user.passwordMethod;
    if (method === null) {
      send(response, 403, { next, email, problem: singleSignOnRequired(providers) });
      return;
    }
    if (await secondStep.begin(response, user, { next, method, identity: null })) return;
    await startSession(request, response, { ...user, method });
    response.redirect(303, next);
  };

  const endSession = async (request: Request): Promise<void> => {
    const tokenSha256 = cookie.read(request);
    if (tokenSha256) await sessions.revoke(tokenSha256, instant(Date.now()));
  };

  const logOut = async (request: Request, response: Response): Promise<void> => {
    await endSession(request);
    cookie.clear(response);
    response.redirect(303, "/login");
  };

  return {
    show: showLogin,
    logIn: [refuseForeign, readFields("16kb", 10), logIn],
    logOut: [refuseForeign, logOut],
  };
}
