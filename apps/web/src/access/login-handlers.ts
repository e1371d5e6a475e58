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
import { refuseAttempts } from "./login-limits.ts";
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

const sendLogin = (
  { providers }: LoginServices,
  response: Response,
  status: number,
  pageOptions: Omit<LoginPageOptions, "providers">,
): void => sendPage(response, status, loginPage({ ...pageOptions, providers }));

/** `POST /login` */
function logInHandler(services: LoginServices) {
  const { database, sessions, loginLimits: limits, startSession, secondStep, providers } = services;
  // An unknown user takes as long as a wrong password, so that the time does not reveal which users exist.
  const unusedHash = hashPassword("unused");
  const checks = createPasswordChecks();

  const authenticate = async (email: string, password: string) => {
    const user = await sessions.findCredentials(email);
    const isRight = await verifyPassword(password, user?.passwordHash ?? (await unusedHash));
    return isRight ? user : null;
  };

  return async (request: Request, response: Response): Promise<void> => {
    const form = LoginForm.safeParse(request.body);
    const next = localPath(form.data?.next, home);
    const address = request.ip ?? "";
    const refuse = (status: number, problem: string, email?: string): void =>
      sendLogin(services, response, status, { next, problem, ...(email !== undefined && { email }) });
    if (!form.success) return refuse(422, "Enter your email address and your password.");
    const { email, password } = form.data;
    const refuseAsFull = (): void => {
      response.set("Retry-After", "5");
      refuse(503, "Too many sign-ins at the moment. Try again in a few seconds.", email);
    };
    if (checks.areFull()) return refuseAsFull();
    const waitSeconds = await limits.begin(address, email);
    if (waitSeconds !== null) return refuse(429, refuseAttempts(response, waitSeconds), email);
    // Others may have begun to wait while the attempt was counted.
    if (checks.areFull()) {
      await limits.cancel(address, email);
      return refuseAsFull();
    }
    const user = await checks.run(() => authenticate(email, password));
    if (!user) {
      await recordFailedSignIn(database.sql, email, address);
      return refuse(401, "This email address and password do not match.", email);
    }
    await limits.succeed(address, email);
    const method = user.passwordMethod;
    if (method === null) return refuse(403, singleSignOnRequired(providers), email);
    if (await secondStep.begin(response, user, { next, method, identity: null })) return;
    await startSession(request, response, { ...user, method });
    response.redirect(303, next);
  };
}

/** `GET` and `POST /login`, `POST /logout`. */
export function loginHandlers(services: LoginServices) {
  const { appUrl, callers, sessions, cookie, setup } = services;

  const refuseForeign = (request: Request, response: Response, next: () => void): void => {
    if (isSameOrigin(request, appUrl)) next();
    else sendPage(response, 403, foreignFormPage());
  };

  const showLogin = async (request: Request, response: Response): Promise<void> => {
    const next = localPath(request.query.next, home);
    const caller = await callers.identify(request);
    if (caller?.user) response.redirect(302, next);
    // Without an account no user could sign in.
    else if (await setup.isOpen()) response.redirect(302, "/setup");
    else sendLogin(services, response, 200, { next, notice: noticeOf(request, notices) });
  };

  const logOut = async (request: Request, response: Response): Promise<void> => {
    const tokenSha256 = cookie.read(request);
    if (tokenSha256) await sessions.revoke(tokenSha256, instant(Date.now()));
    cookie.clear(response);
    response.redirect(303, "/login");
  };

  return {
    show: showLogin,
    logIn: [refuseForeign, readFields("16kb", 10), logInHandler(services)],
    logOut: [refuseForeign, logOut],
  };
}
