import { randomBytes, timingSafeEqual } from "node:crypto";
import { instant } from "@svc/domain";
import { type Database, sha256 } from "@svc/persistence";
import { createFirstAccount, hasAnyAccount } from "@svc/persistence/members";
import { hashPassword } from "@svc/persistence/sessions";
import type { Logger } from "@svc/service-kit";
import type { Request, Response } from "express";
import { z } from "zod";
import { hasProblems } from "../forms/field.ts";
import { type FormValues, formValues } from "../forms/form-values.ts";
import type { OpenHandler } from "../http/handler.ts";
import { ownForms } from "../http/own-forms.ts";
import { sendPage } from "../http/send-page.ts";
import { readNewPassword } from "./new-password.ts";
import { type SetupForm, setupPage } from "./setup-page.ts";
import type { StartSession } from "./start-session.ts";

const codeBytes = 15;
const emailAddress = z.email().max(254);

/** Owner of an installation that is set up by its environment instead of in a browser. */
export interface FirstOwner {
  readonly companyName: string;
  readonly email: string;
  readonly password: string;
}

export interface Setup {
  /** Whether the installation still has no account. Once it has one, the database is not queried again. */
  isOpen(): Promise<boolean>;
  readonly show: OpenHandler;
  readonly setUp: OpenHandler;
}

function readForm(values: FormValues, code: string) {
  const form: SetupForm = {
    code: values.text("code"),
    companyName: values.text("companyName"),
    email: values.text("email"),
  };
  const { password, problems } = readNewPassword(values, form.email);
  const found: Record<string, string> = { ...problems };
  if (!timingSafeEqual(sha256(form.code), sha256(code))) found.code = "This is not the code in the log.";
  if (form.companyName === "" || form.companyName.length > 200)
    found.companyName = "Enter a name of at most 200 characters.";
  if (!emailAddress.safeParse(form.email).success) found.email = "Enter your email address.";
  return { form, password, problems: found };
}

/**
 * `/setup`: creates the first account of an installation, for an operator who can read the log of this process. Each
 * process has its own code.
 */
export function createSetup(options: {
  readonly database: Database;
  readonly appUrl: string;
  readonly logger: Logger;
  readonly startSession: StartSession;
  /** Created at startup when there is no account. Absent when an operator sets up the account with the code. */
  readonly firstOwner?: FirstOwner | undefined;
}): Setup {
  const { database, appUrl, logger, startSession, firstOwner } = options;
  const code = randomBytes(codeBytes).toString("base64url");
  let isOver = false;
  let isCodeLogged = false;

  const createAccount = async ({ companyName, email, password }: FirstOwner) => {
    const passwordHash = await hashPassword(password);
    const created = await createFirstAccount(database, { companyName, email, passwordHash, now: instant(Date.now()) });
    if (created) logger.info({ account_id: created.accountId }, "setup.done");
    return created;
  };

  const isOpen = async (): Promise<boolean> => {
    if (!isOver) isOver = await hasAnyAccount(database.sql);
    if (!isOver && firstOwner) {
      // Another process may have created the account first.
      await createAccount(firstOwner);
      isOver = true;
    }
    if (!isOver && !isCodeLogged) {
      isCodeLogged = true;
      logger.warn({ address: `${appUrl}/setup`, setup_code: code }, "setup.waiting");
    }
    return !isOver;
  };

  const show = async (_request: Request, response: Response): Promise<void> => {
    if (await isOpen()) sendPage(response, 200, setupPage({ code: "", companyName: "", email: "" }));
    else response.redirect(302, "/login");
  };

  const setUp = async (request: Request, response: Response): Promise<void> => {
    if (!(await isOpen())) return response.redirect(303, "/login");
    const { form, password, problems } = readForm(formValues(request), code);
    if (hasProblems(problems)) return sendPage(response, 422, setupPage(form, problems));
    const created = await createAccount({ ...form, password });
    if (!created) return response.redirect(303, "/login");
    await startSession(request, response, { ...created, method: "password" });
    response.redirect(303, "/developers");
  };

  return { isOpen, show, setUp: [...ownForms(appUrl), setUp] };
}
