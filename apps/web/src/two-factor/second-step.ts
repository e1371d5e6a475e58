import type { Sql } from "@svc/persistence";
import {
  createSignInChallenges,
  type FirstStep,
  findSecondFactor,
  type SecondFactorRepository,
} from "@svc/persistence/access";
import { recordFailedCode } from "@svc/persistence/audit-events";
import type { SessionRepository, UserCredentials } from "@svc/persistence/sessions";
import type { Request, Response } from "express";
import { type LoginLimits, refuseAttempts } from "../access/login-limits.ts";
import { createSecretCookie } from "../access/secret-cookie.ts";
import type { StartSession } from "../access/start-session.ts";
import { formValues } from "../forms/form-values.ts";
import type { OpenHandler } from "../http/handler.ts";
import { localPath } from "../http/local-path.ts";
import { ownForms } from "../http/own-forms.ts";
import { sendPage } from "../http/send-page.ts";
import { codePage } from "./code-page.ts";
import { acceptCode } from "./one-time-passwords.ts";

const challengeMs = 10 * 60_000;
const home = "/shipments";

export interface SecondStepOptions {
  readonly appUrl: string;
  readonly sql: Sql;
  readonly sessions: SessionRepository;
  /** Null without the key that encrypts the secrets: users with a second factor cannot sign in then. */
  readonly factors: SecondFactorRepository | null;
  /** Limits of codes for each user, counted apart from passwords. */
  readonly limits: LoginLimits;
  readonly startSession: StartSession;
}

/** The second step of a sign-in, for users who turned two-factor authentication on. */
export interface SecondStep {
  /** Asks for a code, if the user has to give one. False: the first step is enough. */
  begin(
    response: Response,
    user: Pick<UserCredentials, "userId">,
    signIn: FirstStep & { readonly next: string },
  ): Promise<boolean>;
  /** `GET` and `POST /login/code`. */
  readonly show: OpenHandler;
  readonly enter: OpenHandler;
}

export function createSecondStep(options: SecondStepOptions): SecondStep {
  const { appUrl, sql, sessions, factors, limits, startSession } = options;
  const cookie = createSecretCookie(appUrl, "svc_challenge");
  const challenges = createSignInChallenges(sql);

  const begin: SecondStep["begin"] = async (response, { userId }, { next, ...firstStep }) => {
    if (!(await findSecondFactor(sql, userId))?.confirmedAt) return false;
    const { value, sha256 } = cookie.issue();
    await challenges.create(sha256, userId, firstStep);
    cookie.write(response, value, challengeMs);
    // No redirect: the path may have the secret of an invitation, which is for neither an address nor the database.
    sendPage(response, 200, codePage(next));
    return true;
  };

  const startAgain = (response: Response): void => {
    cookie.clear(response);
    response.redirect(303, "/login?done=challenge");
  };

  const show = async (request: Request, response: Response): Promise<void> => {
    const sha256 = cookie.read(request);
    if (sha256 && (await challenges.find(sha256))) sendPage(response, 200, codePage(home));
    else startAgain(response);
  };

  const enter = async (request: Request, response: Response): Promise<void> => {
    const sha256 = cookie.read(request);
    const form = formValues(request);
    const code = form.text("code");
    const next = localPath(form.text("next"), home);
    if (!sha256 || !(await challenges.find(sha256))) return startAgain(response);
    if (code === "") return sendPage(response, 422, codePage(next, { code: "Enter a code." }));
    if (!factors) {
      const problem = "Codes cannot be checked: the operator has to set SVC_SECRET_KEY of the web application.";
      return sendPage(response, 503, codePage(next, { "": problem }));
    }
    const userId = await challenges.begin(sha256);
    if (userId === null) return startAgain(response);
    const address = request.ip ?? "";
    const waitSeconds = await limits.begin(address, userId);
    if (waitSeconds !== null) {
      const problem = refuseAttempts(response, waitSeconds);
      return sendPage(response, 429, codePage(next, { "": problem }));
    }
    if (!(await acceptCode(factors, userId, code))) {
      await recordFailedCode(sql, userId, address);
      return sendPage(response, 401, codePage(next, { code: "This code does not match, or was used before." }));
    }
    // Only one of two requests with valid codes starts a session.
    const firstStep = await challenges.remove(sha256);
    const user = firstStep && (await sessions.findCredentialsOf(userId, firstStep.method));
    if (!user) return startAgain(response);
    await limits.succeed(address, userId);
    cookie.clear(response);
    await startSession(request, response, { ...user, ...firstStep });
    response.redirect(303, next);
  };

  return { begin, show, enter: [...ownForms(appUrl), enter] };
}
