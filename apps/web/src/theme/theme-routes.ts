import type { FormHandler } from "../http/handler.ts";
import { pageBefore } from "../http/page-before.ts";
import { preferenceCookie } from "../http/preference-cookie.ts";
import { themeCookie, themeNamed } from "./reader-theme.ts";

/** `POST /theme` stores the theme of the reader in a cookie; without one the pages follow the system. */
export function themeRoute(appUrl: string): FormHandler {
  return async (request, response, _caller, values) => {
    const typed = values.text("theme");
    const theme = themeNamed(typed);
    const preference = preferenceCookie(response, appUrl);
    if (typed === "") preference.clear(themeCookie);
    else if (theme !== null) preference.write(themeCookie, theme);
    response.redirect(303, pageBefore(request, appUrl));
  };
}
