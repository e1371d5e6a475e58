import { noteParts } from "@svc/domain/notes";
import { type HtmlValue, html } from "@svc/views";

/** Beside the field of a note, where the service sends e-mail. */
export const mentionHint = "@ and a member's address, as in @anna@example.com, notifies them by email.";

/** A note whose mentions of members stand out. */
export function noteMarkup(note: string, members: readonly string[]): HtmlValue[] {
  const known = new Set(members.map((email) => email.toLowerCase()));
  return noteParts(note).map(({ text, email }) =>
    email !== null && known.has(email) ? html`<strong class="mention">${text}</strong>` : text,
  );
}

/** Whether the members of the account are needed to show the note. */
export const mayMention = (note: string | null): boolean => noteParts(note ?? "").some(({ email }) => email !== null);
