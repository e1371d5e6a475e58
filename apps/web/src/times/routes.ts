import { beforeSetUp, get, post, type Route } from "../http/define-route.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { localPath } from "../http/local-path.ts";
import { queryText } from "../http/read-request.ts";
import { referrerPath } from "../http/referrer-path.ts";
import { sendPage } from "../http/send-page.ts";
import type { Services } from "../services.ts";
import { saveZone } from "./save-zone.ts";
import { ownZoneValue } from "./times-form.ts";
import { timesPage } from "./times-page.ts";

/** `POST /times` stores the time zone of the reader in a cookie; `GET /times?next=` is the form to choose one. */
export function timesRoutes({ appUrl }: Pick<Services, "appUrl">): readonly Route[] {
  const show: PageHandler = async (request, response, caller) =>
    sendPage(response, 200, timesPage(caller, localPath(queryText(request, "next"), referrerPath(request, appUrl))));

  const save: FormHandler = async (request, response, _person, values) => {
    const next = localPath(values.text("next"), referrerPath(request, appUrl));
    const input = values.text("zone");
    if (input === ownZoneValue) return response.redirect(303, `/times?next=${encodeURIComponent(next)}`);
    saveZone(response, appUrl, input);
    response.redirect(303, next);
  };

  return [get("/times", "read", show, beforeSetUp), post("/times", "read", save, beforeSetUp)];
}
