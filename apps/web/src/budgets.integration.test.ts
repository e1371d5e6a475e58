import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { startTestWeb, type TestAccount, type TestWeb } from "./testing/start-test-web.ts";

const shipmentsOfLargeAccount = 10_000;

let app: TestWeb;
let account: TestAccount;
let cookie: string;

beforeAll(async () => {
  app = await startTestWeb({ withServices: true });
  account = await app.addAccount();
  cookie = await app.logIn(account);
  const [lading, discharge] = await Promise.all(
    ["CNSHA", "DEHAM"].map((locode) => app.database.prisma.port.findUniqueOrThrow({ where: { locode } })),
  );
  await app.database.prisma.shipment.createMany({
    data: Array.from({ length: shipmentsOfLargeAccount }, (_one, index) => {
      const number = `LARGE${String(index).padStart(6, "0")}`;
      const at = new Date(Date.UTC(2026, 0, 1) + index * 60_000);
      return {
        accountId: account.id,
        id: uuidV7.next(),
        billOfLadingNumber: number,
        normalizedNumber: number,
        numberKind: "bill_of_lading",
        shippingLineScac: "SBXL",
        refNumbers: [`PO-${index}`, `A reference that is quite long, as some are ${index}`],
        tags: ["urgent", "cold chain"],
        portOfLadingId: lading?.id ?? null,
        portOfDischargeId: discharge?.id ?? null,
        polAtdAt: at,
        podEtaAt: at,
        createdAt: at,
        updatedAt: at,
      };
    }),
  });
}, 180_000);
afterAll(() => app.close());

const packed = (text: string): number => gzipSync(text).length;
const read = async (path: string): Promise<string> => (await app.request(path, { headers: { cookie } })).text();

describe("page size budgets", () => {
  test("the list of ten thousand shipments is a page of 25 rows, the first and the deepest ones alike", async () => {
    const first = await read("/shipments");
    expect(first.match(/class="row-link"/g)).toHaveLength(25);
    expect(packed(first)).toBeLessThan(15_000);
    const oldest = await read("/shipments?sort=created_at");
    expect(oldest).toContain("LARGE000000");
    const middle = `after=${new Date(Date.UTC(2026, 0, 1) + 5_000 * 60_000).toISOString()}~${uuidV7.next()}`;
    const deep = await read(`/shipments?${middle}`);
    expect(deep.match(/class="row-link"/g)).toHaveLength(25);
    expect(packed(deep)).toBeLessThan(15_000);
  });

  test("a page has one small script and one small stylesheet", async () => {
    const markup = await read("/shipments");
    const paths = [...markup.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? "");
    const sizes = new Map<string, number>();
    for (const path of new Set(paths)) {
      const kind = path.slice(path.lastIndexOf(".") + 1);
      const content = await read(path);
      expect({ path, imports: content.match(/@import[^;]*|from\s*"[^"]*"/g) }).toEqual({ path, imports: null });
      sizes.set(kind, (sizes.get(kind) ?? 0) + packed(content));
    }
    expect([...sizes.keys()].sort()).toEqual(["css", "js", "svg"]);
    expect(sizes.get("js")).toBeLessThan(20_000);
    expect(sizes.get("css")).toBeLessThan(10_000);
  });

  test("a page loads nothing from other hosts", async () => {
    for (const path of ["/shipments", "/track", "/track/bulk", "/track/import", "/tracking-requests", "/login"]) {
      const markup = await read(path);
      expect(markup).not.toMatch(/(?:src|action)="(?!\/)|<link[^>]*href="(?!\/)|url\(|@import/);
    }
  });
});
