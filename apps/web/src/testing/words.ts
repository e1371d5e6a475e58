/** The words of a page or a part of one, without its markup, one space between any two; a `wbr` parts no word. */
export const words = (markup: string): string =>
  markup
    .replaceAll("<wbr>", "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
