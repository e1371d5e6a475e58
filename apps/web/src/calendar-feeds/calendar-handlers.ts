import { isUuid } from "@svc/domain/identifiers";
import { notFound } from "@svc/jsonapi";
import { uuidV7 } from "@svc/persistence";
import {
  calendarFeedsMax,
  createCalendarFeed,
  createCalendarFeedRepository,
  generateCalendarSecret,
  isCalendarSecret,
} from "@svc/persistence/calendar-feeds";
import type { Response } from "express";
import type { SignedInCaller } from "../access/api-clients.ts";
import type { Problems } from "../forms/field.ts";
import { createSecretReplays } from "../forms/secret-replays.ts";
import { findRecord } from "../http/find-record.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { pathId } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { noticeOf } from "../pages/notice-of.ts";
import { readViews } from "../saved-views/read-views.ts";
import type { Services } from "../services.ts";
import {
  type CalendarForm,
  calendarPage,
  calendarPath,
  calendarQuestionPage,
  createdCalendarPage,
} from "./calendar-pages.ts";

const notices: Readonly<Record<string, string>> = {
  deleted: "The calendar is deleted. Its address no longer works.",
  made: "This calendar was already created. If you do not have its address, renew it.",
};

const nameMax = 100;

type CalendarServices = Pick<Services, "database" | "appUrl" | "secretKey">;

/** The calendar feeds of the signed-in member, of any role: a feed only shows what every member reads. */
export function calendarHandlers({ database, appUrl, secretKey }: CalendarServices) {
  const feeds = createCalendarFeedRepository(database.tenantSql);
  const replays = createSecretReplays(database.sql, secretKey);

  const show = async (
    response: Response,
    caller: SignedInCaller,
    pageOptions: { readonly form?: CalendarForm; readonly problems?: Problems; readonly notice?: string | undefined },
  ) => {
    const { problems = {}, notice } = pageOptions;
    const [own, views] = await Promise.all([feeds.list(caller.accountId, caller.user.userId), readViews(caller)]);
    const usable = views.filter(({ attributes }) => attributes.list !== "exceptions");
    const form = pageOptions.form ?? { id: uuidV7.next(), name: "Arrivals and last free days", viewId: "" };
    const options = { caller, feeds: own, views: usable, form, problems, notice };
    sendPage(response, pageOptions.problems ? 422 : 200, calendarPage(options));
  };

  const sendAddress = (response: Response, caller: SignedInCaller, status: number, secret: string) =>
    sendPage(response, status, createdCalendarPage(caller, `${appUrl}/calendar/${secret}.ics`));

  const list: PageHandler = (request, response, caller) =>
    show(response, caller, { notice: noticeOf(request, notices) });

  const create: FormHandler = async (_request, response, caller, values) => {
    const { accountId, user } = caller;
    const [id, name, viewId] = [values.text("id"), values.text("name").trim(), values.text("view")];
    const form = { id: isUuid(id) ? id : uuidV7.next(), name, viewId };
    if (name === "" || name.length > nameMax) {
      return show(response, caller, { form, problems: { name: `Enter a name of 1 to ${nameMax} characters.` } });
    }
    if (viewId !== "" && !isUuid(viewId)) {
      return show(response, caller, { form, problems: { view: "Choose one of the saved views." } });
    }
    const feed = { id: form.id, userId: user.userId, name, viewId: viewId || null };
    const { id: feedId, userId, ...fields } = feed;
    const created = await database.tenantTransaction(accountId, (sql) =>
      replays.createOnce<{ secret: string }>(
        sql,
        { accountId, userId, id: feedId, fields },
        {
          create: async () => {
            const { secret, tokenSha256 } = generateCalendarSecret();
            return (await createCalendarFeed(sql, accountId, { ...feed, tokenSha256 })) ? { secret } : null;
          },
          isValid: ({ secret }) => isCalendarSecret(sql, accountId, secret),
        },
      ),
    );
    if (created) return sendAddress(response, caller, 201, created.secret);
    const own = await feeds.list(accountId, user.userId);
    if (own.some((one) => one.id === form.id)) return response.redirect(303, `${calendarPath}?done=made`);
    const problems: Problems =
      own.length >= calendarFeedsMax
        ? { "": `A member may have ${calendarFeedsMax} calendars. Delete one first.` }
        : { view: "This saved view no longer exists, or is not shared with you." };
    return show(response, caller, { form: { ...form, id: uuidV7.next(), viewId: "" }, problems });
  };

  const showConfirmation =
    (step: "renew" | "delete"): PageHandler =>
    async (request, response, caller) => {
      const own = await feeds.list(caller.accountId, caller.user.userId);
      const find = async (id: string) => own.find((one) => one.id === id) ?? null;
      const feed = await findRecord("calendar", request.params.id, find);
      sendPage(response, 200, calendarQuestionPage(caller, feed, step));
    };

  const renew: FormHandler = async (request, response, caller) => {
    const id = pathId(request);
    const { secret, tokenSha256 } = generateCalendarSecret();
    const isFound = isUuid(id) && (await feeds.renew(caller.accountId, caller.user.userId, id, tokenSha256));
    if (!isFound) throw notFound("calendar", id);
    sendAddress(response, caller, 200, secret);
  };

  const remove: FormHandler = async (request, response, { accountId, user }) => {
    const id = pathId(request);
    const isFound = isUuid(id) && (await feeds.delete(accountId, user.userId, id));
    if (!isFound) throw notFound("calendar", id);
    response.redirect(303, `${calendarPath}?done=deleted`);
  };

  return { list, create, showRenew: showConfirmation("renew"), renew, showDelete: showConfirmation("delete"), remove };
}
