const plain = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** The texts that a form for editing was opened with, in its hidden fields, by their names. */
export const originalFields = (markup: string): Record<string, string> =>
  Object.fromEntries(
    [...markup.matchAll(/<input type="hidden" name="(before-[^"]+)" value="([^"]*)">/g)].map(
      ([, name = "", value = ""]) => [name, plain(value)],
    ),
  );
