/** A part of a note; `email` is set for a mention. */
export interface NotePart {
  readonly text: string;
  /** In lower case. Null: plain text. */
  readonly email: string | null;
}

/** `@` at the start of a word, then an address. The mark that ends a sentence is not part of it. */
const mention =
  /(?<![\p{L}\p{N}._%+@-])@([\p{L}\p{N}_%+-]+(?:\.[\p{L}\p{N}_%+-]+)*@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*)/gu;

/** The note in parts, whose texts together are the note. Whether an address is of a member is not known here. */
export function noteParts(note: string): NotePart[] {
  const parts: NotePart[] = [];
  let end = 0;
  for (const { 0: text, 1: email = "", index } of note.matchAll(mention)) {
    if (index > end) parts.push({ text: note.slice(end, index), email: null });
    parts.push({ text, email: email.toLowerCase() });
    end = index + text.length;
  }
  if (end < note.length) parts.push({ text: note.slice(end), email: null });
  return parts;
}

const mentionedIn = (note: string | null): Set<string> =>
  new Set(noteParts(note ?? "").flatMap(({ email }) => email ?? []));

/** The addresses that a note mentions and its previous text does not, in lower case. */
export function newlyMentioned(before: string | null, after: string | null): string[] {
  const known = mentionedIn(before);
  return [...mentionedIn(after)].filter((email) => !known.has(email));
}
