import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { startTestWeb } from "./testing/start-test-web.ts";

const largeAccountShipments = 10_000;

const app = started(() => startTestWeb({ withApi: true }));
let cookie: string;

const account = started(() => app.addAccount());
beforeAll(async () => {
  cookie = await app.logIn(account);
  await app.database.pool.query(
    `INSERT INTO shipments (account_id, id, bill_of_lading_number, normalized_number, number_kind, shipping_line_scac,
       ref_numbers, tags, port_of_lading_id, port_of_discharge_id, pol_atd_at, pod_eta_at, created_at, updated_at)
     SELECT $1, uuidv7(), number, number, 'bill_of_lading', 'SBXL',
       ARRAY['PO-' || n, 'A reference that is quite long, as some are ' || n], '{urgent,cold chain}', lading.id,
       discharge.id, at, at, at, at
     FROM generate_series(0, $2::int - 1) AS n
     CROSS JOIN LATERAL (SELECT 'LARGE' || lpad(n::text, 6, '0') AS number,
       timestamptz '2026-01-01T00:00:00Z' + n * interval '1 minute' AS at) AS one
     JOIN ports lading ON lading.locode = 'CNSHA' JOIN ports discharge ON discharge.locode = 'DEHAM'`,
    [account.id, largeAccountShipments],
  );
});

const packed = (text: string): number => gzipSync(text).length;
const read = async (path: string): Promise<string> => (await app.request(path, { headers: { cookie } })).text();

describe("page size budgets", () => {
  test("the list of ten thousand shipments is a page of 25 rows, the first and the deepest ones alike", async () => {
    const first = await read("/shipments");
    expect(first.match(/class="row-link"/g)).toHaveLength(25);
    expect(packed(first)).toBeLessThan(15_000);
    const oldest = await read("/shipments?sort=created_at");
    expect(oldest).toContain("LARGE000000");
    const middle = ["created_at", new Date(Date.UTC(2026, 0, 1) + 5_000 * 60_000).toISOString(), account.id];
    const deep = await read(`/shipments?after=${Buffer.from(JSON.stringify(middle)).toString("base64url")}`);
    expect(deep).toContain("LARGE004999");
    expect(deep.match(/class="row-link"/g)).toHaveLength(25);
    expect(packed(deep)).toBeLessThan(15_000);
  });

  test("a page has one small script and one small stylesheet, and another for print", async () => {
    const markup = await read("/shipments");
    const print = /<link rel="stylesheet" href="([^"]+)" media="print">/.exec(markup)?.[1] ?? "";
    expect(packed(await read(print))).toBeLessThan(1_000);
    const paths = [...markup.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? "");
    const sizes = new Map<string, number>();
    for (const path of new Set(paths.filter((one) => one !== print))) {
      const kind = path.slice(path.lastIndexOf(".") + 1);
      const content = await read(path);
      expect({ path, imports: content.match(/@import[^;]*|from\s*"[^"]*"/g) }).toEqual({ path, imports: null });
      sizes.set(kind, (sizes.get(kind) ?? 0) + packed(content));
    }
    expect([...sizes.keys()].sort()).toEqual(["css", "js", "svg"]);
    expect(sizes.get("js")).toBeLessThan(20_000);
    expect(sizes.get("css")).toBeLessThan(10_000);
  });

  test.each([
    ["attention", ["/attention"]],
    ["voyages", ["/map"]],
    ["developers", ["/developers", "/developers/notifications"]],
  ])("the pages with other styles have another small stylesheet: %s", async (name, pages) => {
    const link = new RegExp(`<link rel="stylesheet" href="(/assets/${name}[^"]+)">`);
    for (const page of pages) {
      const [, path = ""] = link.exec(await read(page)) ?? [];
      expect(packed(await read(path))).toBeLessThan(2_000);
    }
    expect(await read("/shipments")).not.toMatch(link);
  });

  test("a page loads nothing from other hosts", async () => {
    for (const path of ["/shipments", "/track", "/track/bulk", "/track/import", "/tracking-requests", "/login"]) {
      const markup = await read(path);
      expect(markup).not.toMatch(/(?:src|action)="(?!\/)|<link[^>]*href="(?!\/)|url\(|@import/);
    }
  });
});
