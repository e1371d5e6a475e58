import fs from "node:fs";
import path from "node:path";

interface Problem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** Targets that can be cited within a Markdown document. */
interface Targets {
  /** `1.3` of a heading `### 1.3 Containers`. */
  readonly sections: ReadonlySet<string>;
  /** Texts of headings and of the first cell of each table row. */
  readonly labels: ReadonlySet<string>;
  /** Anchors of headings, as GitHub makes them. */
  readonly anchors: ReadonlySet<string>;
}

const documentPath = /\bdocs\/[\w./-]+\.(?:md|json)\b/g;
/** A contract document with what is cited of it: a section or an id, then a label. */
const contractCitation =
  /\bdocs\/contract\/\w+\.md(?: (\d+(?:\.\d+)*|[a-z_]+(?:\.[\w-]+)+))?(?:, ((?=[A-Z`])[^).;:]+))?/g;
/** A contract document without its folder, which a reader would have to search for. */
const bareContractDocument = /(?<![\w/-])(?:contract-\w+|decisions|reference|specification)\.md\b/g;
const codeComment = /^\s*(?:\/?\*|\/\/|--|#)|\s\/\/\s/;
const decision = /\bADRs? (\d{4})\b/g;
const markdownLink = /\]\((?!https?:|mailto:|<)([^()#\s]*)(?:#([^()\s]+))?\)/g;

/** GitHub's anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");

function targetsOf(text: string): Targets {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  const rows = [...text.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = ""]) => cell);
  return {
    sections: new Set(headings.flatMap((heading) => heading.match(/^(\d+(?:\.\d+)*)\b/)?.[1] ?? [])),
    labels: new Set([...headings, ...headings.map((heading) => heading.replace(/^[\d.]+ /, "")), ...rows]),
    anchors: new Set(headings.map(anchorOf)),
  };
}

/** A line and the two that continue it, without the marks of a comment: citations wrap like other text. */
const withContinuation = (lines: readonly string[], at: number): string =>
  [lines[at], ...lines.slice(at + 1, at + 3).map((line) => line.replace(/^\s*(?:\*\/?|\/\/|--|#|>)?\s*/, ""))].join(
    " ",
  );

/** Checks citations against the files below a folder. */
export function citationChecker(root: string) {
  const known = new Map<string, Targets>();
  const exists = (file: string) => fs.existsSync(path.join(root, file));
  const decisions = exists("docs/adr") ? fs.readdirSync(path.join(root, "docs/adr")) : [];
  const targets = (file: string): Targets => {
    const found = known.get(file) ?? targetsOf(fs.readFileSync(path.join(root, file), "utf8"));
    known.set(file, found);
    return found;
  };

  const contractProblem = (citation: string, section: string | undefined, label: string | undefined): string | null => {
    const [file = ""] = citation.match(/^[\w./]+\.md/) ?? [];
    if (!exists(file)) return null;
    const { sections, labels } = targets(file);
    if (section !== undefined && !sections.has(section) && !labels.has(section)) return `${file} has no ${section}.`;
    if (label === undefined) return null;
    const matches = [...labels].some((known) => label.startsWith(known) && !/^[\w-]/.test(label.slice(known.length)));
    return matches ? null : `${file} has no section or row "${label.trim()}".`;
  };

  const linkProblem = (from: string, target: string, anchor: string | undefined): string | null => {
    const file = target === "" ? from : path.posix.join(path.posix.dirname(from), decodeURI(target));
    if (!exists(file)) return `${file} does not exist.`;
    if (anchor === undefined || !file.endsWith(".md")) return null;
    return targets(file).anchors.has(anchor) ? null : `${file} has no heading with the anchor #${anchor}.`;
  };

  const bareProblems = (file: string, line: string): string[] =>
    file.endsWith(".md") || !codeComment.test(line)
      ? []
      : [...line.matchAll(bareContractDocument)].map(([name]) => `${name} is cited without its path in docs/contract.`);

  const lineProblems = (lines: readonly string[], at: number): (string | null)[] => {
    const line = lines[at] ?? "";
    const contract = [...withContinuation(lines, at).matchAll(contractCitation)]
      .filter(({ index }) => index < line.length)
      .map(([citation, section, label]) => contractProblem(citation, section, label));
    const documents = [...line.matchAll(documentPath)].map(([file]) =>
      exists(file) ? null : `${file} does not exist.`,
    );
    const adrs = [...line.matchAll(decision)].map(([, number = ""]) =>
      decisions.some((name) => name.startsWith(`${number}-`)) ? null : `docs/adr has no ADR ${number}.`,
    );
    return [...contract, ...documents, ...adrs];
  };

  return (file: string, source: string): Problem[] => {
    const lines = source.split("\n");
    const prose = source.replace(/```[\s\S]*?```|`[^`\n]*`/g, (code) => code.replace(/[^\n]/g, " ")).split("\n");
    return lines.flatMap((_, at) => {
      const links = file.endsWith(".md") ? [...(prose[at] ?? "").matchAll(markdownLink)] : [];
      const messages = [
        ...lineProblems(lines, at),
        ...bareProblems(file, lines[at] ?? ""),
        ...links.map(([, target = "", anchor]) => linkProblem(file, target, anchor)),
      ];
      return messages.flatMap((message) => (message === null ? [] : [{ file, line: at + 1, message }]));
    });
  };
}
