import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";

const root = path.resolve(import.meta.dirname, "../..");
const folder = path.join(root, "monitoring");
const read = (file: string) => fs.readFileSync(path.join(root, file), "utf8");

const promtool = (...args: string[]) => spawnSync("promtool", args, { cwd: folder, encoding: "utf8" });
const isInstalled = promtool("--version").status === 0;
const withPromtool = isInstalled ? test : test.skip;
const why = isInstalled ? "" : " (skipped: promtool is not installed; Debian's package prometheus has it)";

const rules = read("monitoring/alerts.yml");
const alerts = [...rules.matchAll(/- alert: (\w+)\n[\s\S]*?\n {10}runbook: (\S+)\n/g)].map(
  ([, name = "", runbook = ""]) => ({
    name,
    runbook,
  }),
);

describe("monitoring", () => {
  withPromtool(`Prometheus accepts the rules${why}`, () => {
    const { status, stdout, stderr } = promtool("check", "rules", "alerts.yml");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("SUCCESS");
  });

  withPromtool(`each alert fires when it must and is silent otherwise${why}`, () => {
    const { status, stdout, stderr } = promtool("test", "rules", "alerts.test.yml");
    expect(`${stdout}${stderr}`).toContain("SUCCESS");
    expect(status).toBe(0);
  });

  test("every alert is expected to fire in a test", () => {
    const tests = read("monitoring/alerts.test.yml");
    expect(alerts.length).toBe(rules.match(/- alert:/g)?.length);
    expect(alerts.filter(({ name }) => !tests.includes(`alertname="${name}"`))).toEqual([]);
  });

  test("every alert names its runbook, which says what it means, where to look and what to do", () => {
    for (const { name, runbook } of alerts) {
      expect(read(runbook)).toMatch(new RegExp(`^# ${name}\\n\\n\\S[^#]+\\n## See\\n\\n- [^#]+\\n## Do\\n\\n1\\. `));
      expect(read("docs/runbooks/README.md")).toContain(`[${name}](${path.basename(runbook)})`);
    }
    const written = fs.readdirSync(path.join(root, "docs/runbooks")).filter((file) => file !== "README.md");
    expect(written.toSorted()).toEqual(alerts.map(({ runbook }) => path.basename(runbook)).toSorted());
  });
});
