import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { changedMigrations, lintMigrations } from "./lint-migrations.ts";

const since = "2026-01-01T00:00:00Z";
const root = fs.mkdtempSync(path.join(os.tmpdir(), "svc-lint-migrations-"));
let folders = 0;

/** Returns the findings in a migration that follows a baseline with the table `a`. */
function lint(script: string): string {
  const folder = path.join(root, String(++folders));
  for (const [name, text] of Object.entries({
    "1_baseline": "CREATE TABLE a (x int); DROP TABLE b;",
    "2_next": script,
  })) {
    fs.mkdirSync(path.join(folder, name), { recursive: true });
    fs.writeFileSync(path.join(folder, name, "migration.sql"), `${text}\n`);
  }
  return lintMigrations(folder);
}

afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

describe("migrations on large tables", () => {
  test.each([
    ["CREATE INDEX a_x_idx ON a (x);", "require-concurrent-index-creation"],
    ["DROP INDEX a_x_idx;", "require-concurrent-index-deletion"],
    ["ALTER TABLE a ADD CONSTRAINT positive CHECK (x > 0);", "constraint-missing-not-valid"],
    ["ALTER TABLE a ADD CONSTRAINT of_b FOREIGN KEY (x) REFERENCES b (x);", "adding-foreign-key-constraint"],
    ["ALTER TABLE a ADD CONSTRAINT one UNIQUE (x);", "disallowed-unique-constraint"],
    ["ALTER TABLE a ALTER COLUMN x TYPE bigint;", "changing-column-type"],
    ["ALTER TABLE a ALTER COLUMN x SET NOT NULL;", "adding-not-nullable-field"],
    ["ALTER TABLE a ADD COLUMN y int NOT NULL;", "adding-required-field"],
    ["ALTER TABLE a DROP COLUMN x;", "ban-drop-column"],
    ["ALTER TABLE a RENAME COLUMN x TO y;", "renaming-column"],
    ["DROP TABLE a;", "ban-drop-table"],
    ["CREATE INDEX CONCURRENTLY a_x_idx ON a (x);\nSELECT 1;", "a migration of its own"],
  ])("%s is refused", (script, rule) => {
    expect(lint(script)).toContain(rule);
  });

  test.each([
    "CREATE INDEX CONCURRENTLY a_x_idx ON a (x);",
    "DROP INDEX CONCURRENTLY IF EXISTS a_x_idx;",
    "ALTER TABLE a ADD COLUMN y text;\nALTER TABLE a ADD COLUMN z int NOT NULL DEFAULT 1;",
    "ALTER TABLE a ADD CONSTRAINT positive CHECK (x > 0) NOT VALID;",
    "ALTER TABLE a VALIDATE CONSTRAINT positive;",
    "CREATE TABLE c (id uuid PRIMARY KEY, x int);\nCREATE INDEX c_x_idx ON c (x);",
    "-- No build since 1.4 reads it.\n-- squawk-ignore ban-drop-column\nALTER TABLE a DROP COLUMN x;",
  ])("%s passes", (script) => {
    expect(lint(script)).toBe("");
  });
});

describe("committed migrations", () => {
  const folder = path.join(root, "committed");
  const git = (...values: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...values], {
      cwd: folder,
      env: { ...process.env, GIT_COMMITTER_DATE: "2026-12-01T00:00:00Z" },
    });
  const write = (name: string, text: string) => {
    fs.mkdirSync(path.join(folder, name), { recursive: true });
    fs.writeFileSync(path.join(folder, name, "migration.sql"), text);
  };
  const commit = () => {
    git("add", ".");
    git("commit", "-qm", "test: change migrations");
  };

  test("are named when they change, before and after the change is committed", () => {
    write("1_a", "SELECT 1;");
    git("init", "-q");
    commit();
    write("2_b", "SELECT 2;");
    commit();
    expect(changedMigrations(folder, since)).toBe("");
    write("2_b", "SELECT 3;");
    expect(changedMigrations(folder, since)).toMatch(/^2_b\/migration.sql: was changed/);
    commit();
    write("3_c", "SELECT 3;");
    expect(changedMigrations(folder, since)).toMatch(/^2_b\/migration.sql: was changed/);
    write("2_b", "SELECT 2;");
    expect(changedMigrations(folder, since)).toBe("");
    commit();
    expect(changedMigrations(folder, since)).toBe("");
  });
});
