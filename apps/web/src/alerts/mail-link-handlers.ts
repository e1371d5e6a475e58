import { instantOrNull } from "@svc/domain";
import { nextDigestMs } from "@svc/domain/alerts";
import { isSecret } from "@svc/persistence";
import { confirmAlert, findAlertByToken, unsubscribeAlert } from "@svc/persistence/alerts";
import type { Request, Response } from "express";
import { readFields } from "../http/own-forms.ts";
import { sendPage } from "../http/send-page.ts";
import { messagePage } from "../pages/message-page.ts";
import type { Services } from "../services.ts";
import { confirmPage, unsubscribePage } from "./mail-link-pages.ts";

/**
 * `/alerts/unsubscribe/{token}` and `/alerts/confirm/{token}`, the links in mails, which work without a sign-in. Only
 * POST pauses or confirms the alert, because programs that check mails follow links. Mail programs post from elsewhere
 * (RFC 8058), and the token, which no log contains, can do nothing else; so forms of other sites are accepted.
 */
export function mailLinkHandlers({ database }: Pick<Services, "database">) {
  const find = async (request: Request) => {
    const token = String(request.params.token);
    const alert = isSecret(token) ? await findAlertByToken(database.sql, token) : null;
    return alert && { token, alert };
  };
  const refuse = (response: Response): void => {
    const text = "The alert of this link was deleted. Nothing more is sent for it.";
    sendPage(response, 404, messagePage({ title: "This alert does not exist", text }));
  };

  const showUnsubscribe = async (request: Request, response: Response): Promise<void> => {
    const found = await find(request);
    if (!found) return refuse(response);
    const { alert } = found;
    // Members cannot resume what is sent to a mailbox once its readers have unsubscribed, also while it is paused.
    const isSubscribed = alert.active || alert.confirmedAt !== null;
    sendPage(response, 200, unsubscribePage({ ...alert, isSubscribed }, request.path));
  };

  const unsubscribe = async (request: Request, response: Response): Promise<void> => {
    const found = await find(request);
    if (!found) return refuse(response);
    await unsubscribeAlert(database.sql, found.token);
    sendPage(response, 200, unsubscribePage({ ...found.alert, isSubscribed: false }, request.path));
  };

  const findMailbox = async (request: Request) => {
    const found = await find(request);
    const mailbox = found?.alert.mailbox ?? null;
    return found && mailbox !== null ? { ...found, mailbox } : null;
  };

  const showConfirm = async (request: Request, response: Response): Promise<void> => {
    const found = await findMailbox(request);
    if (!found) return refuse(response);
    const { alert, mailbox } = found;
    sendPage(response, 200, confirmPage({ ...alert, mailbox, isConfirmed: alert.confirmedAt !== null }, request.path));
  };

  const confirm = async (request: Request, response: Response): Promise<void> => {
    const found = await findMailbox(request);
    if (!found) return refuse(response);
    const { alert, mailbox, token } = found;
    const nextMs = nextDigestMs(alert, Date.now());
    await confirmAlert(database.sql, token, instantOrNull(nextMs));
    sendPage(response, 200, confirmPage({ ...alert, mailbox, isConfirmed: true }, request.path));
  };

  return {
    showUnsubscribe,
    unsubscribe: [readFields("8kb", 10), unsubscribe],
    showConfirm,
    confirm: [readFields("8kb", 10), confirm],
  };
}
