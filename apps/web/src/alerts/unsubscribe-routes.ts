import type { Database } from "@svc/persistence";
import { findAlertByToken, unsubscribeAlert } from "@svc/persistence/alerts";
import { type Request, type Response, Router } from "express";
import { readFields } from "../http/own-forms.ts";
import { sendPage } from "../http/send-page.ts";
import { messagePage } from "../pages/message-page.ts";
import { unsubscribePage } from "./unsubscribe-page.ts";

const tokenShape = /^[\w-]{43}$/;
const path = "/alerts/unsubscribe/:token";

/**
 * `/alerts/unsubscribe/{token}`, the link in mails, which works without a sign-in. Only POST pauses the alert, because
 * programs that check mails follow links. Mail programs post from elsewhere (RFC 8058), and the token, which no log
 * contains, can do nothing else; so forms of other sites are accepted.
 */
export function createUnsubscribeRoutes(database: Database): Router {
  const find = async (request: Request) => {
    const token = String(request.params.token);
    const alert = tokenShape.test(token) ? await findAlertByToken(database.sql, token) : null;
    return alert && { token, alert };
  };
  const refuse = (response: Response): void => {
    const text = "The alert of this link was deleted. Nothing more is sent for it.";
    sendPage(response, 404, messagePage({ title: "This alert does not exist", text }));
  };

  const show = async (request: Request, response: Response): Promise<void> => {
    const found = await find(request);
    if (found) sendPage(response, 200, unsubscribePage(found.alert, request.path));
    else refuse(response);
  };

  const unsubscribe = async (request: Request, response: Response): Promise<void> => {
    const found = await find(request);
    if (!found) return refuse(response);
    await unsubscribeAlert(database.sql, found.token);
    sendPage(response, 200, unsubscribePage({ ...found.alert, active: false }, request.path));
  };

  return Router().get(path, show).post(path, readFields("8kb", 10), unsubscribe);
}
