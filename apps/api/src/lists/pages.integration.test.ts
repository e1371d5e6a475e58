import { beforeAll, describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import fc from "fast-check";
import { insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);
let ids: string[];

const shipments = 47;

const account = started(() => api.createAccount());
beforeAll(async () => {
  ids = [];
  for (let index = 0; index < shipments; index++) {
    // Many share a time, so that the order within it matters.
    const createdAt = new Date(Date.UTC(2026, 10, 1 + Math.floor(index / 7)));
    ids.push(await insertShipment(api.database, account.id, { createdAt, tags: index % 3 === 0 ? ["third"] : [] }));
  }
  await insertShipment(api.database, (await api.createAccount()).id);
});

interface Walked {
  readonly ids: string[];
  readonly pages: number;
}

async function walk(start: string, direction: "next" | "prev" = "next"): Promise<Walked> {
  const listedIds: string[] = [];
  let pages = 0;
  for (let url: string | undefined = `${api.url}${start}`; url !== undefined; pages++) {
    const { status, body } = await api.request(url, { token: account.token });
    expect(status).toBe(200);
    expect((await api.request(body.links.self, { token: account.token })).body).toEqual(body);
    const page = body.data.map((shipment: { id: string }) => shipment.id);
    if (direction === "next") listedIds.push(...page);
    else listedIds.unshift(...page);
    url = body.links[direction];
  }
  return { ids: listedIds, pages };
}

describe("walking a list [spec: limits.4]", () => {
  test("returns each record once and in the same order, by number and by cursor, forwards and backwards [spec: J44, J47]", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom("-created_at", "created_at", "-updated_at", "updated_at", "-arrival", "arrival"),
        fc.boolean(),
        async (size, sort, onlyThird) => {
          const filter = onlyThird ? "&filter[tag]=third" : "";
          const expectedCount = onlyThird ? Math.ceil(shipments / 3) : shipments;
          const query = `sort=${sort}${filter}`;
          const byNumber = await walk(`/shipments?${query}&page[size]=${size}`);
          expect(new Set(byNumber.ids).size).toBe(expectedCount);
          expect(byNumber.ids).toHaveLength(expectedCount);
          expect(byNumber.pages).toBe(Math.ceil(expectedCount / size));
          const short = await walk(`/shipments?${query}&page=1&page_size=${size}`);
          expect(short).toEqual(byNumber);
          const first = await api.request(`/shipments?${query}&page[size]=1`, { token: account.token });
          const afterFirst = `page[after]=${first.body.meta.page.end_cursor}`;
          const byCursor = await walk(`/shipments?${query}&page[size]=${size}&${afterFirst}`);
          expect(byCursor.ids).toEqual(byNumber.ids.slice(1));
          const all = await api.request(`/shipments?${query}&page[size]=100`, { token: account.token });
          const beforeLast = `page[before]=${all.body.meta.page.end_cursor}`;
          const backwards = await walk(`/shipments?${query}&page[size]=${size}&${beforeLast}`, "prev");
          expect(backwards.ids).toEqual(byNumber.ids.slice(0, -1));
        },
      ),
      { numRuns: 12 },
    );
  }, 120_000);

  test("records that are added during a walk by cursor neither repeat nor hide others [spec: J88]", async () => {
    const first = await api.request("/shipments?page[size]=10", { token: account.token });
    const cursor = first.body.meta.page.end_cursor;
    const before = await walk(`/shipments?page[size]=10&page[after]=${cursor}`);
    const added = await insertShipment(api.database, account.id, { createdAt: new Date("2026-11-20T00:00:00Z") });
    const after = await walk(`/shipments?page[size]=10&page[after]=${cursor}`);
    expect(after.ids).toEqual(before.ids);
    await api.database.prisma.shipment.deleteMany({ where: { id: added } });
  });

  test("repeats the request in links, percent-encoded, and omits links without a target [spec: J46, J48, J51, R1]", async () => {
    const { body } = await api.request(
      "/shipments?filter[tag]=third&page[size]=5&page[number]=2&fields[shipment]=tags",
      {
        token: account.token,
      },
    );
    const rest = "filter%5Btag%5D=third&page%5Bsize%5D=5&fields%5Bshipment%5D=tags";
    expect(body.links).toEqual({
      self: `${api.url}/shipments?filter%5Btag%5D=third&page%5Bsize%5D=5&page%5Bnumber%5D=2&fields%5Bshipment%5D=tags`,
      current: `${api.url}/shipments?filter%5Btag%5D=third&page%5Bsize%5D=5&page%5Bnumber%5D=2&fields%5Bshipment%5D=tags`,
      first: `${api.url}/shipments?${rest}&page%5Bnumber%5D=1`,
      prev: `${api.url}/shipments?${rest}&page%5Bnumber%5D=1`,
      next: `${api.url}/shipments?${rest}&page%5Bnumber%5D=3`,
      last: `${api.url}/shipments?${rest}&page%5Bnumber%5D=4`,
    });
    const past = await api.request("/shipments?page[number]=99", { token: account.token });
    expect([past.status, past.body.data, past.body.links.next]).toEqual([200, [], undefined]);
    const { total, size, page } = body.meta;
    expect([total, size, page.total, page.size]).toEqual([16, 5, 16, 5]);
    const first = await api.request("/shipments?page[size]=100", { token: account.token });
    expect(Object.keys(first.body.links)).toEqual(["self", "current", "first", "last"]);
  });
});

describe("a page by cursor", () => {
  const profile = "https://jsonapi.org/profiles/ethanresnick/cursor-pagination";
  const list = (query: string, headers = {}) => api.request(`/shipments?${query}`, { token: account.token, headers });
  const cursor = async (): Promise<string> => (await list("page[size]=1")).body.meta.page.end_cursor;

  test("names its profile, and leaves out links that lead nowhere [spec: J26, J46, J86, J87, R1]", async () => {
    const { headers, body } = await list(`page[size]=3&page[after]=${await cursor()}`);
    expect(headers.get("content-type")).toBe(`application/vnd.api+json; profile="${profile}"`);
    expect(body.jsonapi).toEqual({ version: "1.1", profile: [profile] });
    expect(Object.keys(body.links)).toEqual(["self", "current", "first", "prev", "next"]);
    const end = await list(`page[size]=100&page[after]=${await cursor()}`);
    expect(Object.keys(end.body.links)).toEqual(["self", "current", "first", "prev"]);
    const plain = await list(`page[after]=${await cursor()}`, { Accept: "application/json" });
    expect(plain.headers.get("content-type")).toBe("application/json");
    expect((await list("page[size]=3")).body.jsonapi).toBeUndefined();
  });

  test.each([
    ["sort=bill_of_lading_number&page[after]=", "sort", "unsupported-sort"],
    ["page[before]=CURSOR&page[after]=", "page[before]", "range-pagination-not-supported"],
  ])("400 in the profile's own terms: %s [spec: J45, J50, J86]", async (query, parameter, kind) => {
    const at = await cursor();
    const { status, body } = await list(`${query.replace("CURSOR", at)}${at}`);
    const error = body.errors.find(({ links }: { links: { type: string } }) => links.type === `${profile}/${kind}`);
    expect([status, error?.source]).toEqual([400, { parameter }]);
  });

  test("records that are deleted during a walk hide no others [spec: J88]", async () => {
    const other = await api.createAccount();
    const created: string[] = [];
    for (let day = 1; day <= 9; day++) {
      created.unshift(await insertShipment(api.database, other.id, { createdAt: new Date(Date.UTC(2026, 9, day)) }));
    }
    const page = (query: string) => api.request(query, { token: other.token });
    const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);
    const first = (await page("/shipments?page[size]=3")).body;
    const second = (await page(`/shipments?page[size]=3&page[after]=${first.meta.page.end_cursor}`)).body;
    // One that was seen, the one that the cursor stands on, and one that was not.
    await api.database.prisma.shipment.deleteMany({
      where: { id: { in: [created[0] ?? "", created[5] ?? "", created[7] ?? ""] } },
    });
    const third = (await page(second.links.next)).body;
    expect([idsOf(first), idsOf(second), idsOf(third)]).toEqual([
      created.slice(0, 3),
      created.slice(3, 6),
      [created[6], created[8]],
    ]);
  });
});

test("the field Link has the document's links, unless they are very long [spec: P14]", async () => {
  const { headers, body } = await api.request("/shipments?page[size]=5&page[number]=2", { token: account.token });
  const links = [...(headers.get("link") ?? "").matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url, name]) => [
    name,
    url,
  ]);
  const { self: _self, current: _current, ...others } = body.links;
  expect(Object.fromEntries(links)).toEqual(others);
  const tags = Array.from({ length: 90 }, (_, index) => `${"x".repeat(40)}${index}`).join(",");
  const long = await api.request(`/shipments?filter[tag]=${tags}`, { token: account.token });
  expect([long.status, long.headers.get("link")]).toEqual([200, null]);
});

test("behind a proxy every link begins with the public address, whatever the server's own is [spec: J22]", async () => {
  const publicBaseUrl = "https://ship.example/tracking/v2";
  const proxied = await startTestApi({ publicBaseUrl });
  try {
    for (const day of [1, 2, 3]) {
      await insertShipment(proxied.database, proxied.account.id, { createdAt: new Date(Date.UTC(2026, 10, day)) });
    }
    const { headers, text, body } = await proxied.request("/shipments?page[size]=1&page[number]=2&include=containers");
    const addresses = [...`${text} ${headers.get("link")}`.matchAll(/https?:\/\/[^"<>\s]+/g)].map(
      ([address]) => address,
    );
    expect(addresses.length).toBeGreaterThan(8);
    expect(addresses.filter((address) => !address.startsWith(`${publicBaseUrl}/shipments`))).toEqual([]);
    // The proxy returns the same page.
    expect((await proxied.request(body.links.self.replace(publicBaseUrl, ""))).body).toEqual(body);
    const refused = await proxied.request("/nothing");
    expect(refused.body.errors[0].links.type).toBe("https://ship.example/tracking/docs#error-not_found");
    const party = { method: "POST", body: { data: { attributes: { company_name: "Harbour" } } } };
    const created = await proxied.request("/parties", party);
    expect(created.headers.get("location")).toBe(`${publicBaseUrl}/parties/${created.body.data.id}`);
  } finally {
    await proxied.close();
  }
});

test("a page size above the maximum is cut to it [spec: J50, R10]", async () => {
  for (const query of ["page[size]=101", "page_size=100000", "page[size]=999&page[number]=1"]) {
    const { status, body } = await api.request(`/shipments?${query}`, { token: account.token });
    expect([status, body.meta.size, body.meta.page.size, body.data.length]).toEqual([200, 100, 100, shipments]);
  }
});

describe("a list that is too long to count", () => {
  const many = 10_350;
  const large = started(() => api.createAccount());
  beforeAll(async () => {
    await api.database.pool.query(
      `INSERT INTO shipments (account_id, id, bill_of_lading_number, normalized_number, number_kind, shipping_line_scac,
         created_at, updated_at)
       SELECT $1, gen_random_uuid(), 'L' || n, 'L' || n, 'bill_of_lading', 'SBXL',
         timestamptz '2026-01-01' + n * interval '1 minute', now()
       FROM generate_series(1, ${many}) AS n`,
      [large.id],
    );
  });
  const page = (query: string) =>
    api.request(`/shipments?page[size]=100&fields[shipment]=&${query}`, { token: large.token });
  const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

  test("the count is capped, and links.next carries a cursor beside the number, to the end [spec: J51, R12]", async () => {
    const deepest = await page("page[number]=101");
    expect(deepest.body.meta).toMatchObject({ total: 10_000, size: 100, page: { total_is_exact: false } });
    expect(deepest.body.links.last).toBeUndefined();
    const listedIds: string[] = [];
    const numbers: number[] = [];
    let url: string | undefined = deepest.body.links.next;
    let last = deepest.body;
    while (url !== undefined) {
      expect(url).toContain("page%5Bafter%5D=");
      last = (await api.request(url, { token: large.token })).body;
      numbers.push(last.meta.page.number);
      listedIds.push(...idsOf(last));
      url = last.links.next;
    }
    expect([numbers, listedIds.length, new Set(listedIds).size]).toEqual([[102, 103, 104], 250, 250]);
    const back = (await api.request(last.links.prev, { token: large.token })).body;
    expect([back.meta.page.number, idsOf(back)]).toEqual([103, listedIds.slice(100, 200)]);
    expect((await api.request(back.links.next, { token: large.token })).body.data).toEqual(last.data);
  });

  test("ends for a client that counts the pages itself [spec: R12]", async () => {
    const deep = await page("page[number]=104");
    expect([deep.status, deep.body.data.length, deep.body.links.next]).toEqual([200, 50, undefined]);
    expect((await page("page[number]=105")).body.data).toEqual([]);
    const refused = await page("page[number]=10002");
    expect([refused.status, refused.body.errors[0].detail]).toEqual([400, expect.stringContaining("links.next")]);
  });
});
