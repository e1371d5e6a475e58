import jsTokens from "js-tokens";

export interface ReadableSource {
  /** Text as long as the source: what a reader reads, and spaces in place of code. */
  readonly prose: string;
  /** The identifiers of the source. */
  readonly names: readonly { readonly name: string; readonly line: number }[];
  /** Lines of comments and of templates with several lines that the formatter leaves too wide. */
  readonly wideLines: readonly number[];
}

/** The same text with everything but line breaks replaced by spaces, so that offsets and lines stay. */
const blank = (text: string): string => text.replace(/[^\n]/g, " ");

/** A string with at least two words is text for a reader; others are keys, paths and identifiers. */
const isProse = (text: string): boolean => /[A-Za-z]{2,}[,.;:]? +[A-Za-z]/.test(text);

const commentMarks = /^\s*(?:\/\*\*?|\*\/|\*|\/\/+)|\*\/$|@\w+/gm;
const textMarks = /^["'`}]|["'`]$|\$\{$|\\[nt]/g;

/** The comments, and the strings and templates with words, of TypeScript or JavaScript; and its identifiers. */
export function readSource(source: string, widthMax: number): ReadableSource {
  const names: { name: string; line: number }[] = [];
  const wideLines: number[] = [];
  const width = source.split("\n").map((line) => line.length);
  let prose = "";
  let line = 1;
  for (const { type, value } of jsTokens(source)) {
    const lines = value.split("\n").length;
    const isComment = /Comment$/.test(type);
    const isTemplate = /Template/.test(type);
    if (type === "IdentifierName" || type === "PrivateIdentifier") names.push({ name: value, line });
    if (isComment || (isTemplate && lines > 1))
      for (let at = line; at < line + lines; at++) if ((width[at - 1] ?? 0) > widthMax) wideLines.push(at);
    if (isComment) prose += value.replace(commentMarks, blank);
    else if ((isTemplate || type === "StringLiteral") && isProse(value)) prose += value.replace(textMarks, blank);
    else prose += blank(value);
    line += lines - 1;
  }
  return { prose, names, wideLines: [...new Set(wideLines)] };
}

/** The values of `description`, `summary` and `title` of an OpenAPI document. */
export const readDescription = (source: string): ReadableSource => ({
  prose: source
    .split("\n")
    .map((line) => /^\s*"(?:description|summary|title)": "(.*)",?$/.exec(line)?.[1] ?? "")
    .join("\n"),
  names: [],
  wideLines: [],
});

/** The words of an identifier: `shareOutMessages` and `share_out` are `share`, `out`, …. */
export const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
