import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { insertSharedPlaces } from "../testing/full-account.ts";
import { addressOf, createFilledAccount, reads } from "../testing/read-addresses.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);
const account = started(async () => createFilledAccount(api, await insertSharedPlaces(api), 2));

const get = (path: string) => api.request(path, { token: account.token });

/** Operations that return values found or computed for the request, and no list of records. */
const noLists = new Set(["search", "listWebhookNotificationExamples"]);

test("every list takes page and page_size, and counts at the top of meta [spec: limits.4, R1]", async () => {
  const refused: string[] = [];
  let lists = 0;
  for (const route of reads.filter(({ operationId }) => !noLists.has(operationId))) {
    const address = addressOf(route, account);
    const complete = await get(address);
    if (!Array.isArray(complete.body.data)) continue;
    lists++;
    const page = await get(`${address}${address.includes("?") ? "&" : "?"}page=1&page_size=1`);
    if (page.status !== 200 || page.body.data.length > 1) refused.push(address);
    else {
      expect(page.body.meta.page).toMatchObject({ size: 1, number: 1 });
      expect(page.body.meta).toMatchObject({ total: page.body.meta.page.total, size: 1 });
      expect(page.body.links.current).toBe(page.body.links.self);
      expect(Object.values(page.body.links)).not.toContain(null);
    }
  }
  expect(refused).toEqual([]);
  expect(lists).toBeGreaterThan(15);
});

test.each(["/shipping_lines", "/webhooks/events", "/shipping_lines?search=line", "/metro_areas", "/ports?search=a"])(
  "%s comes whole, or in pages that are together the whole [spec: limits.4]",
  async (path) => {
    const complete = await get(path);
    const total = complete.body.data.length;
    expect(Object.keys(complete.body.links)).toEqual(["self", "current"]);
    const page = { total, total_is_exact: true, size: total, end_cursor: null };
    expect(complete.body.meta).toEqual({ total, size: total, page });
    const pages: unknown[] = [];
    let next: string | undefined = `${path}${path.includes("?") ? "&" : "?"}page_size=4`;
    for (let number = 1; next !== undefined; number++) {
      const { body, headers } = await get(next);
      expect(body.meta).toEqual({
        total,
        size: 4,
        page: { total, total_is_exact: true, size: 4, end_cursor: null, number },
      });
      expect(headers.get("link")).toContain('rel="first"');
      expect(body.links.prev === undefined).toBe(number === 1);
      pages.push(...body.data);
      next = body.links.next;
    }
    expect(pages).toEqual(complete.body.data);
    expect((await get(`${path}${path.includes("?") ? "&" : "?"}page=99`)).body.data).toEqual([]);
  },
);

test("a page of such a list has a default size and a largest one; cursors and orders are not known", async () => {
  expect((await get("/shipping_lines?page=1")).body.meta.page).toMatchObject({ size: 30, number: 1 });
  for (const query of ["page=0", "page[after]=x", "page[before]=x", "sort=name"]) {
    const { status, body } = await get(`/shipping_lines?${query}`);
    expect([query, status, body.errors[0].source]).toEqual([query, 400, { parameter: query.split("=")[0] }]);
  }
});
