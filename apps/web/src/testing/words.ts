/** The text of a page without markup, with white space collapsed to one space; a `wbr` splits no word. */
export const words = (markup: string): string =>
  markup
    .replaceAll("<wbr>", "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
