import { type Html, type HtmlValue, html } from "@svc/views";

/** Red is for errors only: what failed, or what the reader has to correct. */
export type NoticeTone = "neutral" | "success" | "warning" | "error";

/** Screen readers read errors at once, outcomes and warnings when they pause, and neutral facts with the page. */
const roles = { neutral: null, success: "status", warning: "status", error: "alert" } as const;

/** A message about the whole page or form. `className`: "toast", to be seen wherever the page is scrolled to. */
export function noticeBanner(tone: NoticeTone, content: HtmlValue, className?: "toast"): Html {
  const role = roles[tone];
  return html`<div class="notice is-${tone}${className && ` ${className}`}"${role && html` role="${role}"`}>${content}</div>`;
}
