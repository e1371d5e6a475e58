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

/** The titles of the tests of a source: the first argument of `test(…)` and `it(…)`, also of `test.each(…)(…)`. */
export function testTitles(source: string): { readonly title: string; readonly line: number }[] {
  const tokens: { type: string; value: string; line: number }[] = [];
  let line = 1;
  for (const { type, value } of jsTokens(source)) {
    if (!/^WhiteSpace$|^LineTerminator|Comment$/.test(type)) tokens.push({ type, value, line });
    line += value.split("\n").length - 1;
  }
  const is = (at: number, value: string): boolean => tokens[at]?.value === value;
  const afterArguments = (open: number): number => {
    let depth = 0;
    let at = open;
    do {
      if (is(at, "(")) depth += 1;
      if (is(at, ")")) depth -= 1;
      at += 1;
    } while (depth > 0 && at < tokens.length);
    return at;
  };
  return tokens.flatMap(({ type, value }, start) => {
    if (type !== "IdentifierName" || !(value === "test" || value === "it") || is(start - 1, ".")) return [];
    let at = start + 1;
    while (is(at, ".")) at += 2;
    if (is(at - 1, "each")) at = afterArguments(at);
    const title = is(at, "(") ? tokens[at + 1] : undefined;
    const isText = title !== undefined && /^StringLiteral$|Template/.test(title.type);
    return isText ? [{ title: title.value.replace(textMarks, ""), line: title.line }] : [];
  });
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
