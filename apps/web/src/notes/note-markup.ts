import { mentionedMember, mentionProblems, noteParts } from "@svc/domain/notes";
import { type Html, type HtmlValue, html } from "@svc/views";
import { noticeBanner } from "../pages/notice-banner.ts";

/** Hint at the field of a note, where the service sends e-mail or keeps it. */
export const mentionHint = "Type @ and the start of an address, such as @anna, to notify a member.";

/** A note whose mentions of members stand out. `members`: their addresses, also below. */
export const noteMarkup = (note: string, members: readonly string[]): HtmlValue[] =>
  noteParts(note).map(({ text, mention }) =>
    mention !== null && mentionedMember(mention, members) !== null
      ? html`<strong class="mention">${text}</strong>`
      : text,
  );

/** The members whom the field of a note with this id suggests after an `@` (browser/suggest-members.ts). */
export const memberSuggestions = (fieldId: string, members: readonly string[]): Html =>
  html`<datalist data-mentions-of="${fieldId}">${members.map((email) => html`<option value="${email}"></option>`)}</datalist>`;

/** Returns the mentions of a saved note that notified no member, for `?done=note`; null: none. */
export function mentionNotice(note: string | null, members: readonly string[]): Html | null {
  const problems = mentionProblems(note, members);
  if (problems.length === 0) return null;
  return noticeBanner("warning", html`<p>The note is saved.</p>${problems.map((problem) => html`<p>${problem}</p>`)}`);
}
