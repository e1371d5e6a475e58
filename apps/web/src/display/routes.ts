import { readPreferences } from "@svc/domain/members";
import { createMemberRepository } from "@svc/persistence/members";
import { get, post, type Route } from "../http/define-route.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { sendPage } from "../http/send-page.ts";
import { noticeOf } from "../pages/notice-of.ts";
import type { Services } from "../services.ts";
import { saveZone } from "../times/save-zone.ts";
import { displayPage, displayPath } from "./display-page.ts";

const notices: Readonly<Record<string, string>> = { saved: "Saved. Pages are shown like this from now on." };

/** `/account/display`: preferences of the signed-in member, of any role. */
export function displayRoutes({ database, appUrl }: Pick<Services, "database" | "appUrl">): readonly Route[] {
  const members = createMemberRepository(database.sql);

  const show: PageHandler = async (request, response, caller) =>
    sendPage(response, 200, displayPage(caller, caller.user.preferences, noticeOf(request, notices)));

  const save: FormHandler = async (_request, response, { accountId, user }, values) => {
    const preferences = readPreferences({
      dateOrder: values.text("dateOrder"),
      clock: values.text("clock"),
      units: values.text("units"),
    });
    await members.setPreferences(accountId, user.userId, preferences);
    // The form of an earlier version has no zone: during a rolling upgrade it must not end the reader's choice.
    if (values.all("zone").length > 0) saveZone(response, appUrl, values.text("zone"));
    response.redirect(303, `${displayPath}?done=saved`);
  };

  return [get(displayPath, "read", show), post(displayPath, "read", save)];
}
