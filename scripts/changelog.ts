/** A changeset: its text, and how much it changes for users. */
export interface Changeset {
  readonly summary: string;
  readonly releases: readonly { readonly type: "major" | "minor" | "patch" | "none" }[];
}

const unreleased = "## Unreleased";
/** Sections of Keep a Changelog by the greatest change that a changeset names. */
const sections = [
  ["major", "### Changed"],
  ["minor", "### Added"],
  ["patch", "### Fixed"],
] as const;

/** Lines that continue an entry of a list are indented. */
const entryOf = ({ summary }: Changeset): string => `- ${summary.trim().replace(/\n(?=.)/g, "\n  ")}`;

function highestRelease({ releases }: Changeset): (typeof sections)[number][0] | undefined {
  return sections.find(([type]) => releases.some((release) => release.type === type))?.[0];
}

/** The text of a section of the second level without its heading, undefined when there is none. */
function sectionOf(changelog: string, isHeading: (line: string) => boolean): string | undefined {
  const lines = changelog.split("\n");
  const start = lines.findIndex(isHeading);
  if (start < 0) return undefined;
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith("## "));
  return lines
    .slice(start + 1, length < 0 ? undefined : start + 1 + length)
    .join("\n")
    .trim();
}

/** Adds entries to the section with this heading, which is made at the end when it does not exist. */
function addEntries(text: string, heading: string, entries: readonly string[]): string {
  if (entries.length === 0) return text;
  const parts = text.split(/\n(?=### )/);
  const at = parts.findIndex((part) => part.startsWith(heading));
  if (at < 0)
    return [...parts.map((part) => part.trimEnd()), `${heading}\n\n${entries.join("\n")}`].join("\n\n").trim();
  return parts
    .map((part, index) => (index === at ? `${part.trimEnd()}\n${entries.join("\n")}` : part.trimEnd()))
    .join("\n\n")
    .trim();
}

/**
 * The changelog with a section of a version: what stood under Unreleased, and the changesets.
 * @param date of the release, `2026-11-25`.
 * @throws when it has no section Unreleased, or one of this version.
 */
export function releasedChangelog(
  changelog: string,
  { version, date, changesets }: { version: string; date: string; changesets: readonly Changeset[] },
): string {
  const before = sectionOf(changelog, (line) => line === unreleased);
  if (before === undefined) throw new Error(`CHANGELOG.md has no section "${unreleased}".`);
  if (notesOf(changelog, version) !== undefined) throw new Error(`CHANGELOG.md has a section of ${version} already.`);
  const notes = sections.reduce((text, [type, heading]) => {
    const entries = changesets.filter((changeset) => highestRelease(changeset) === type).map(entryOf);
    return addEntries(text, heading, entries);
  }, before);
  const [head = ""] = changelog.split(`${unreleased}\n`);
  const rest = changelog.slice(head.length + unreleased.length + 1).replace(/^[\s\S]*?(?=^## |(?![\s\S]))/m, "");
  return `${`${head}${unreleased}\n\n## ${version} - ${date}\n\n${notes}\n\n${rest}`.trimEnd()}\n`;
}

/** Returns the text of the changelog about a version; undefined when it has no section of it. */
export const notesOf = (changelog: string, version: string): string | undefined =>
  sectionOf(changelog, (line) => line.startsWith(`## ${version} - `));
