import { beforeSetUp, post, type Route } from "../http/define-route.ts";
import type { FormHandler } from "../http/handler.ts";
import { preferenceCookie } from "../http/preference-cookie.ts";
import { referrerPath } from "../http/referrer-path.ts";
import type { Services } from "../services.ts";
import { themeCookie, themeNamed } from "./reader-theme.ts";

/** `POST /theme` stores the theme of the reader in a cookie; without one the pages follow the system. */
export function themeRoutes({ appUrl }: Pick<Services, "appUrl">): readonly Route[] {
  const save: FormHandler = async (request, response, _caller, values) => {
    const input = values.text("theme");
    const theme = themeNamed(input);
    const preference = preferenceCookie(response, appUrl);
    if (input === "") preference.clear(themeCookie);
    else if (theme !== null) preference.write(themeCookie, theme);
    response.redirect(303, referrerPath(request, appUrl));
  };

  return [post("/theme", "read", save, beforeSetUp)];
}
