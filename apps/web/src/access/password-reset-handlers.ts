import {
  findPasswordReset,
  passwordResetMinutes,
  requestPasswordReset,
  usePasswordReset,
} from "@svc/persistence/access";
import { hashPassword } from "@svc/persistence/sessions";
import type { Request, Response } from "express";
import { z } from "zod";
import { hasProblems } from "../forms/field.ts";
import { formValues } from "../forms/form-values.ts";
import { ownForms } from "../http/own-forms.ts";
import { sendPage } from "../http/send-page.ts";
import type { Services } from "../services.ts";
import { createLoginLimits } from "./login-limits.ts";
import { readNewPassword } from "./new-password.ts";
import {
  contactOperatorPage,
  linkSentPage,
  requestPasswordResetPage,
  resetOverPage,
  resetPage,
} from "./password-reset-pages.ts";
import { readSecretHash } from "./read-secret-hash.ts";

const emailAddress = z.email().max(254);

/**
 * `/login/forgotten` and `/login/reset/{secret}`: a new password by a link that is mailed. The secret is in no log,
 * because requests and failures are logged by route pattern.
 */
export function passwordResetHandlers(services: Pick<Services, "database" | "appUrl" | "sendsMail" | "loginLimits">) {
  const { database, appUrl, sendsMail, loginLimits } = services;
  // Counted apart from sign-ins, which a request for a link must neither use up nor reset.
  const limits = createLoginLimits(database, "reset");

  const showForm = (_request: Request, response: Response): void =>
    sendPage(response, 200, sendsMail ? requestPasswordResetPage() : contactOperatorPage());

  const sendLink = async (request: Request, response: Response): Promise<void> => {
    if (!sendsMail) return sendPage(response, 200, contactOperatorPage());
    const email = formValues(request).text("email");
    if (!emailAddress.safeParse(email).success) {
      return sendPage(
        response,
        422,
        requestPasswordResetPage({ email, problems: { email: "Enter an email address." } }),
      );
    }
    const waitSeconds = await limits.begin(request.ip ?? "", email);
    if (waitSeconds !== null) {
      response.set("Retry-After", String(waitSeconds));
      const problem = `Too many requests. Try again in ${Math.ceil(waitSeconds / 60)} minutes.`;
      return sendPage(response, 429, requestPasswordResetPage({ email, problems: { "": problem } }));
    }
    await requestPasswordReset(database.sql, email);
    sendPage(response, 200, linkSentPage(email, passwordResetMinutes));
  };

  const showReset = async (request: Request, response: Response): Promise<void> => {
    const hash = readSecretHash(request);
    const email = hash && (await findPasswordReset(database.sql, hash));
    if (email) sendPage(response, 200, resetPage(email, request.path));
    else sendPage(response, 404, resetOverPage());
  };

  const reset = async (request: Request, response: Response): Promise<void> => {
    const hash = readSecretHash(request);
    const email = hash && (await findPasswordReset(database.sql, hash));
    if (!hash || !email) return sendPage(response, 404, resetOverPage());
    const form = formValues(request);
    const { password, problems } = readNewPassword(form, email);
    if (hasProblems(problems)) return sendPage(response, 422, resetPage(email, request.path, problems));
    const passwordHash = await hashPassword(password);
    if (
      !(await usePasswordReset(database, hash, {
        passwordHash,
        sendsMail,
        endsLastingAccess: form.text("revoke") !== "",
      }))
    ) {
      return sendPage(response, 404, resetOverPage());
    }
    // A user who guessed before may try again with the new password.
    await loginLimits.succeed(request.ip ?? "", email);
    response.redirect(303, "/login?done=reset");
  };

  return {
    showForm,
    sendLink: [...ownForms(appUrl), sendLink],
    showReset,
    reset: [...ownForms(appUrl), reset],
  };
}
