import fs from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { repository, startSystem, temporaryFolder } from "./harness/system.ts";

let dataDir: string;

beforeAll(async () => {
  dataDir = temporaryFolder();
}, 240_000);
const system = started(() => startSystem({ dataDir }));

/** Names of metrics, with the labels of their samples; no labels when there is no sample yet. */
async function scrape(): Promise<Map<string, Set<string>>> {
  const metrics = new Map<string, Set<string>>();
  for (const offset of [0, 1, 2, 3, 10, 11]) {
    const headers = { authorization: `Bearer ${system.runtime().token}` };
    const response = await fetch(`http://127.0.0.1:${system.portBase + offset}/metrics`, { headers });
    expect([offset, response.status]).toEqual([offset, 200]);
    const text = await response.text();
    for (const [, name = "", type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
      const series = type === "histogram" ? ["_bucket", "_count", "_sum"] : [""];
      for (const suffix of series) if (!metrics.has(name + suffix)) metrics.set(name + suffix, new Set());
    }
    for (const [, name = "", labels = ""] of text.matchAll(/^(\w+)\{([^}]*)\} /gm)) {
      for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) metrics.get(name)?.add(label);
    }
  }
  return metrics;
}

/** Returns the queries of the alerts, the objectives and the panels, except those of metrics that the rules record. */
function queries(): string[] {
  const read = (file: string) => fs.readFileSync(path.join(repository, "monitoring", file), "utf8");
  const rules = [...read("alerts.yml").matchAll(/^ {8}expr: (.+)$/gm)].map(([, expression = ""]) => expression);
  const { panels } = JSON.parse(read("dashboard.json")) as { panels: { targets?: { expr: string }[] }[] };
  return [...rules, ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))];
}

test("every query of the alerts and the dashboard names metrics and labels that the services have", async () => {
  const attributes = { request_type: "bill_of_lading", request_number: "SBXDIR000123", scac: "SBXL" };
  expect((await system.api.create("/tracking_requests", "tracking_request", attributes)).status).toBe(201);
  const polled = async () => (await scrape()).get("svc_tracking_polls_total")?.has("outcome");
  await eventually("a poll is counted", polled, 30_000);
  const metrics = await scrape();
  // Prometheus adds these itself: the state of a scrape, and the address that it scraped.
  metrics.set("up", new Set(["job", "instance"]));
  const all = queries();
  expect(all.length).toBeGreaterThan(40);
  for (const query of all) {
    const selectors = [...query.matchAll(/\b(up|(?:svc|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)];
    const isRecorded = /\bsvc:\w+:ratio_/.test(query);
    expect([query, selectors.length > 0 || isRecorded]).toEqual([query, true]);
    const labels = new Set(["instance"]);
    for (const [, name = "", matchers = ""] of selectors) {
      expect([query, name, metrics.has(name)]).toEqual([query, name, true]);
      const own = metrics.get(name) ?? new Set();
      for (const label of own) labels.add(label);
      if (own.size <= 1) continue;
      for (const [, label = ""] of matchers.matchAll(/(\w+)=~?"/g))
        expect([query, label, own.has(label)]).toEqual([query, label, true]);
    }
    // A metric without a sample so far shows only the label of its service.
    if (labels.size <= 2) continue;
    for (const [, list = ""] of query.matchAll(/\bby \(([^)]*)\)/g))
      for (const label of list.split(/, */)) expect([query, label, labels.has(label)]).toEqual([query, label, true]);
  }
}, 120_000);
