/** The text of a page without markup, with white space collapsed to one space; a `wbr` splits no word. */
export const visibleText = (markup: string): string =>
  markup
    .replaceAll("<wbr>", "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

/** The page without its script element. */
export const withoutOwnScript = (markup: string) =>
  markup.replace(/<script type="module" src="\/assets\/web\.[0-9a-f]{16}\.js"><\/script>/, "");
