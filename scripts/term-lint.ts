import path from "node:path";
import { TextlintKernel } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import plainText from "@textlint/textlint-plugin-text";
import terminology from "textlint-rule-terminology";
import { type ReadableSource, readDescription, readSource, testTitles, wordsOf } from "./readable-source.ts";

/** docs/terminology.json. */
export interface Dictionary {
  /** `not`: regular expressions, whole words, any case. */
  readonly terms: readonly { readonly say: string; readonly not: readonly string[] }[];
  /** Words of identifiers and file names that stand for a better one. */
  readonly names: readonly string[];
  /** Words with which the title of a test does not begin: it would continue another sentence, or be a proverb. */
  readonly titles: readonly string[];
  /** Passages that may stay. `file` is a prefix of paths; without it the passage may stay everywhere. */
  readonly allowed: readonly { readonly text: string; readonly file?: string; readonly why: string }[];
}

export interface Finding {
  readonly line: number;
  readonly message: string;
}

function readable(file: string, source: string, widthMax: number): ReadableSource | null {
  if (/\.(?:ts|mjs|cjs|js)$/.test(file)) return readSource(source, widthMax);
  if (file.endsWith(".md")) return { prose: source, names: [], wideLines: [] };
  return file.endsWith("openapi.json") ? readDescription(source) : null;
}

/**
 * Finds the words of a dictionary in files, and lines of comments and templates that are wider than the formatter's.
 */
export function createTermLint({ terms, names, titles, allowed }: Dictionary, widthMax: number) {
  const kernel = new TextlintKernel();
  const avoided = new Set(names);
  const options = {
    plugins: [
      { pluginId: "markdown", plugin: markdown.default },
      { pluginId: "text", plugin: plainText.default },
    ],
    rules: [
      {
        ruleId: "terminology",
        rule: terminology,
        options: { defaultTerms: false, terms: terms.flatMap(({ say, not }) => not.map((phrase) => [phrase, say])) },
      },
    ],
  };
  const isAllowed = (file: string, line: string): boolean =>
    allowed.some(({ text, file: prefix = "" }) => file.startsWith(prefix) && line.includes(text));
  const avoidedWord = (name: string) => wordsOf(name).find((word) => avoided.has(word));

  const titleProblems = (file: string, source: string): Finding[] =>
    !file.endsWith(".test.ts")
      ? []
      : testTitles(source).flatMap(({ title, line }) => {
          const [first = ""] = title.toLowerCase().split(/[\s,:]/);
          const message = `The title of the test begins with "${first}". Begin with a verb: what does the code do?`;
          return titles.includes(first) ? [{ line, message }] : [];
        });

  return async (file: string, source: string): Promise<Finding[]> => {
    const content = readable(file, source, widthMax);
    if (content === null) return [];
    const lines = source.split("\n");
    const ext = file.endsWith(".md") ? ".md" : ".txt";
    const { messages } = await kernel.lintText(content.prose, { ext, ...options });
    const found = [
      { line: 1, word: avoidedWord(path.basename(file)), name: "of the file" },
      ...content.names.map(({ name, line }) => ({ line, word: avoidedWord(name), name })),
    ];
    return [
      ...messages.map(({ loc, message }) => ({ line: loc.start.line, message })),
      ...found.flatMap(({ line, word, name }) =>
        word === undefined ? [] : [{ line, message: `The name ${name} has the word "${word}".` }],
      ),
      ...titleProblems(file, source),
      ...content.wideLines.map((line) => ({ line, message: `The line is longer than ${widthMax} characters.` })),
    ].filter(({ line }) => !isAllowed(file, lines[line - 1] ?? ""));
  };
}
