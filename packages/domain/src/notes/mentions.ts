/** A part of a note; `mention` is set for a mention. */
export interface NotePart {
  readonly text: string;
  /** Text after the `@`, in lower case: an address, or the beginning of one. Null: plain text. */
  readonly mention: string | null;
}

/**
 * `@` at the start of a word, then an address or the part of one before its own `@`. The mark that ends a sentence is
 * not part of it.
 */
const mentionPattern =
  /(?<![\p{L}\p{N}._%+@-])@([\p{L}\p{N}_%+-]+(?:\.[\p{L}\p{N}_%+-]+)*(?:@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*|(?![\p{L}\p{N}_%+@-])))/gu;

/** The note in parts, whose texts together are the note. Whether a mention is of a member is not known here. */
export function noteParts(note: string): NotePart[] {
  const parts: NotePart[] = [];
  let end = 0;
  for (const { 0: text, 1: mention = "", index } of note.matchAll(mentionPattern)) {
    if (index > end) parts.push({ text: note.slice(end, index), mention: null });
    parts.push({ text, mention: mention.toLowerCase() });
    end = index + text.length;
  }
  if (end < note.length) parts.push({ text: note.slice(end), mention: null });
  return parts;
}

/** Each once. */
const mentionsIn = (note: string | null): string[] => [
  ...new Set(noteParts(note ?? "").flatMap(({ mention }) => mention ?? [])),
];

/** Whether the members of the account are needed to find whom the note mentions. */
export const hasMentions = (note: string | null): boolean => mentionsIn(note).length > 0;

const localPart = (email: string): string => email.slice(0, email.lastIndexOf("@"));

/** The addresses in lower case that a mention may mean: the same one, or else all that begin with it before the `@`. */
function candidatesOf(mention: string, emails: readonly string[]): string[] {
  const known = emails.map((email) => email.toLowerCase());
  if (mention.includes("@")) return known.filter((email) => email === mention);
  const named = known.filter((email) => localPart(email) === mention);
  return named.length > 0 ? named : known.filter((email) => localPart(email).startsWith(mention));
}

/**
 * The member whom a mention means. `emails`: of the members.
 * @returns the address in lower case; null: no member or several.
 */
export function mentionedMember(mention: string, emails: readonly string[]): string | null {
  const [only, ...others] = candidatesOf(mention, emails);
  return only === undefined || others.length > 0 ? null : only;
}

const membersIn = (note: string | null, emails: readonly string[]): Set<string> =>
  new Set(mentionsIn(note).flatMap((mention) => mentionedMember(mention, emails) ?? []));

/** The addresses in lower case of the members whom a note mentions and its previous text does not. */
export function newlyMentioned(before: string | null, after: string | null, emails: readonly string[]): string[] {
  const known = membersIn(before, emails);
  return [...membersIn(after, emails)].filter((email) => !known.has(email));
}

/** "No member is called @anna: no mail was sent." for each mention that means no member or several. */
export function mentionProblems(note: string | null, emails: readonly string[]): string[] {
  return mentionsIn(note)
    .map((mention) => ({ mention, count: candidatesOf(mention, emails).length }))
    .filter(({ count }) => count !== 1)
    .map(({ mention, count }) =>
      count === 0
        ? `No member is called @${mention}: no mail was sent.`
        : `${count} members are called @${mention}…: no mail was sent. Enter the whole address.`,
    );
}
