import { type Html, html } from "@svc/views";
import { readerTheme } from "./reader-theme.ts";

const themes = [
  ["", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

/** Shows and changes the theme of the pages. */
export function themeForm(): Html {
  const chosen = readerTheme() ?? "";
  const buttons = themes.map(
    ([value, label]) =>
      html`<button class="quiet" name="theme" value="${value}" aria-pressed="${value === chosen ? "true" : "false"}">${label}</button>`,
  );
  return html`
    <form class="choices" method="post" action="/theme" aria-label="Theme">
      <span>Theme</span>
      ${buttons}
    </form>`;
}
