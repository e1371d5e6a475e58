import { describe, expect, test } from "@jest/globals";
import { type Changeset, notesOf, releasedChangelog } from "./changelog.ts";

const head = "# Changelog\n\nNotable changes.\n\n";
const changeset = (type: "major" | "minor" | "patch", summary: string): Changeset => ({
  summary,
  releases: [{ type }],
});
const release = (changelog: string, changesets: readonly Changeset[] = []) =>
  releasedChangelog(changelog, { version: "1.1.0", date: "2026-11-25", changesets });

describe("the changelog at a release", () => {
  test("has a section of the version with what was unreleased and the changesets, and an empty section Unreleased", () => {
    const before = `${head}## Unreleased\n\n### Added\n\n- Exports\n\n### Fixed\n\n- A defect\n\n## 1.0.0 - 2026-10-01\n\nFirst.\n`;
    const changesets = [
      changeset("patch", "Another defect"),
      changeset("minor", "Share links\n\nin two parts"),
      { summary: "No option `x`", releases: [{ type: "patch" }, { type: "major" }] } as const,
    ];
    expect(release(before, changesets)).toBe(
      `${head}## Unreleased\n\n## 1.1.0 - 2026-11-25\n\n### Added\n\n- Exports\n- Share links\n\n  in two parts\n\n` +
        "### Fixed\n\n- A defect\n- Another defect\n\n### Changed\n\n- No option `x`\n\n## 1.0.0 - 2026-10-01\n\nFirst.\n",
    );
  });

  test("begins with the first release", () => {
    expect(release(`${head}## Unreleased\n`, [changeset("minor", "Everything")])).toBe(
      `${head}## Unreleased\n\n## 1.1.0 - 2026-11-25\n\n### Added\n\n- Everything\n`,
    );
  });

  test("returns the notes of one version only", () => {
    const released = release(`${head}## Unreleased\n\nText\n\n## 1.0.0 - 2026-10-01\n\nFirst.\n`);
    expect(notesOf(released, "1.1.0")).toBe("Text");
    expect(notesOf(released, "1.0.0")).toBe("First.");
    expect(notesOf(released, "1.0")).toBeUndefined();
  });

  test.each([
    ["without a section Unreleased", head, "Unreleased"],
    ["with a section of the version", `${head}## Unreleased\n\n## 1.1.0 - 2026-11-01\n`, "1.1.0 already"],
  ])("refuses a changelog %s", (_name, changelog, message) => {
    expect(() => release(changelog)).toThrow(message);
  });
});
