import { randomBytes } from "node:crypto";
import { addMs, dayMs, instant } from "@svc/domain";
import { createInboxReader } from "@svc/persistence/inbox";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { sendPage } from "../http/send-page.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { noticeOf } from "../pages/notice-of.ts";
import type { Services } from "../services.ts";
import { checkSignatures } from "./check-signatures.ts";
import { checkedInboxPage, inboxPage, inboxPath, responseChoices } from "./inbox-page.ts";

const lifetimeMs = 3 * dayMs;
const defaultStatus = 200;
const keyBytes = 24;

const notices: Readonly<Record<string, string>> = {
  opened: "The inbox is open.",
  answer: "New requests get this response.",
  emptied: "The inbox is empty.",
  closed: "The inbox is closed and no longer accepts requests.",
};

/** Opens, reads, configures, empties and closes the inbox of an account. */
export function inboxHandlers({ database, appUrl }: Pick<Services, "database" | "appUrl">) {
  const inboxes = createInboxReader(database.tenantSql);
  const now = () => instant(Date.now());

  const show: PageHandler = async (request, response, caller) => {
    const inbox = await inboxes.find(caller.accountId, now());
    const requests = inbox ? await inboxes.list(caller.accountId, now()) : [];
    const notice = noticeOf(request, notices);
    sendLivePage(request, response, inboxPage({ caller, appUrl, inbox, requests, notice }));
  };

  const open: FormHandler = async (_request, response, { accountId }) => {
    const key = randomBytes(keyBytes).toString("base64url");
    await inboxes.open(accountId, { key, answer: defaultStatus, expiresAt: addMs(now(), lifetimeMs) }, now());
    response.redirect(303, `${inboxPath}?done=opened`);
  };

  const setAnswer: FormHandler = async (_request, response, { accountId }, values) => {
    const known = responseChoices.find(([status]) => String(status) === values.text("answer"));
    if (known) await inboxes.answerWith(accountId, known[0]);
    response.redirect(303, known ? `${inboxPath}?done=answer` : inboxPath);
  };

  const check: FormHandler = async (_request, response, caller, values) => {
    const requests = await inboxes.list(caller.accountId, now());
    const verdicts = await checkSignatures(requests, values.text("secret"));
    sendPage(response, 200, checkedInboxPage(caller, requests, verdicts));
  };

  const empty: FormHandler = async (_request, response, { accountId }) => {
    await inboxes.empty(accountId);
    response.redirect(303, `${inboxPath}?done=emptied`);
  };

  const close: FormHandler = async (_request, response, { accountId }) => {
    await inboxes.close(accountId);
    response.redirect(303, `${inboxPath}?done=closed`);
  };

  return { show, open, setAnswer, check, empty, close };
}
