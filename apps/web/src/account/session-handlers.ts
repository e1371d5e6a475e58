import { instant } from "@svc/domain";
import { replacePassword } from "@svc/persistence/access";
import { createMemberRepository } from "@svc/persistence/members";
import { hashPassword, verifyPassword } from "@svc/persistence/sessions";
import { refuseAttempts } from "../access/login-limits.ts";
import { readNewPassword } from "../access/new-password.ts";
import { hasProblems } from "../forms/field.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { queryText } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import type { Services } from "../services.ts";
import { passwordPage, sessionsPage } from "./session-pages.ts";

const sha256Hex = /^[0-9a-f]{64}$/;

/** Sessions and password of the signed-in user. */
export function sessionHandlers(
  services: Pick<Services, "database" | "sessions" | "cookie" | "loginLimits" | "sendsMail">,
) {
  const { database, sessions, cookie, loginLimits: limits, sendsMail } = services;
  const members = createMemberRepository(database.sql);

  const list: PageHandler = async (request, response, caller) => {
    const open = await sessions.listOpen(caller.user.userId, instant(Date.now()));
    const notice = queryText(request, "done") === "ended" ? "The session has ended." : undefined;
    sendPage(response, 200, sessionsPage(caller, open, notice));
  };

  const endAll: FormHandler = async (_request, response, caller) => {
    await sessions.revokeOthers(caller.user.userId, null, instant(Date.now()));
    cookie.clear(response);
    response.redirect(303, "/login");
  };

  const endOne: FormHandler = async (request, response, caller) => {
    const text = String(request.params.sha256);
    // An unknown session, or one of another user, is ignored: the response reveals nothing about it.
    if (sha256Hex.test(text)) {
      await sessions.revokeOf(caller.user.userId, Buffer.from(text, "hex"), instant(Date.now()));
    }
    response.redirect(303, "/account/sessions?done=ended");
  };

  const showPassword: PageHandler = async (request, response, caller) => {
    const notice = queryText(request, "done") === "changed" ? "Your password is changed." : undefined;
    sendPage(response, 200, passwordPage(caller, {}, notice));
  };

  const changePassword: FormHandler = async (request, response, caller, values) => {
    const { userId, email } = caller.user;
    const { password, problems } = readNewPassword(values, email);
    if (hasProblems(problems)) return sendPage(response, 422, passwordPage(caller, problems));
    const address = request.ip ?? "";
    const waitSeconds = await limits.begin(address, email);
    if (waitSeconds !== null) {
      const problem = refuseAttempts(response, waitSeconds);
      return sendPage(response, 429, passwordPage(caller, { "": problem }));
    }
    const stored = await members.findPasswordHash(userId);
    if (stored === null || !(await verifyPassword(values.exact("present"), stored))) {
      return sendPage(response, 422, passwordPage(caller, { present: "This is not your present password." }));
    }
    await limits.succeed(address, email);
    const passwordHash = await hashPassword(password);
    await replacePassword(database, userId, { passwordHash, keptSession: caller.sessionSha256, sendsMail });
    response.redirect(303, "/account/password?done=changed");
  };

  return { list, endAll, endOne, showPassword, changePassword };
}
