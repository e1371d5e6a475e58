import { beforeAll, describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb, type Visitor } from "../testing/start-test-web.ts";

const app = started(() => startTestWeb({ withApi: true }));
let visitor: Visitor;
let path: string;

beforeAll(async () => {
  const account = await app.addAccount();
  visitor = await app.visit(account);
  const { id } = await addShipment(app.database, account.id, { number: "ZONES1", containers: ["ZONU1000001"] });
  path = `/shipments/${id}`;
});

const read = async (cookie: string): Promise<string> =>
  (await app.request(path, { headers: { cookie: `${visitor.cookie}; ${cookie}` } })).text();

/** The response to the form when it is submitted on the page of the shipment. */
const choose = (form: Record<string, string>, headers: Record<string, string> = {}) =>
  visitor.post("/times", form, { origin: app.url, referer: `${app.url}${path}?container=1`, ...headers });

describe("the zone in which times are shown", () => {
  test("is that of each place at first, then what the reader chose, on the page and in its address for programs", async () => {
    const local = await read("");
    expect(local).toContain("Sun, 5 Jul 2026, 12:00 CEST");
    expect(local).toContain('name="zone" value="" aria-pressed="true"');
    const response = await choose({ zone: "America/New_York" });
    expect([response.status, response.headers.get("location")]).toEqual([303, `${path}?container=1`]);
    const [cookie = ""] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^svc_times=America\/New_York; Max-Age=31536000; Path=\/;.* HttpOnly; SameSite=Lax$/);
    const ownTimes = await read(cookie.split(";")[0] ?? "");
    expect(ownTimes).toContain("Sun, 5 Jul 2026, 06:00 GMT-4");
    expect(ownTimes).toContain('datetime="2026-07-05T10:00:00.000Z"');
    expect(ownTimes).toContain('value="America/New_York" aria-pressed="true">My time zone (America/New_York)');
    expect(ownTimes).not.toContain("CEST<");
    expect((await choose({ zone: "" })).headers.getSetCookie()[0]).toMatch(/^svc_times=; .*1970/);
  });

  test("can be chosen by name without a script", async () => {
    const response = await choose({ zone: "own" });
    const next = encodeURIComponent(`${path}?container=1`);
    expect(response.headers.get("location")).toBe(`/times?next=${next}`);
    const page = await (await visitor.get(`/times?next=${next}`)).text();
    expect(page).toContain('<option value="America/New_York">America/New York</option>');
    expect(page).toContain(`name="next" value="${path}?container=1"`);
    expect((await choose({ zone: "UTC", next: path })).headers.get("location")).toBe(path);
  });

  test("is one zone however it is spelled", async () => {
    const [cookie] = (await choose({ zone: "AMERICA/new_york" })).headers.getSetCookie();
    expect(cookie).toMatch(/^svc_times=America\/New_York;/);
    expect(await read("svc_times=america/NEW_YORK")).toContain('aria-pressed="true">My time zone (America/New_York)');
  });

  test("rejects invalid zones and redirects to other sites", async () => {
    for (const zone of ["Not/A_Zone", "+02:00", "UTC; Path=/evil", "UTC\r\nx: y", "x".repeat(500)]) {
      expect((await choose({ zone })).headers.getSetCookie()).toEqual([]);
    }
    for (const forged of ["svc_times=Not/A_Zone", "svc_times=%3Cscript%3E", "svc_times=+02:00", "svc_times="]) {
      expect(await read(forged)).toContain("Sun, 5 Jul 2026, 12:00 CEST");
    }
    const foreignReferer = { referer: "https://evil.example/shipments" };
    expect((await choose({ zone: "UTC" }, foreignReferer)).headers.get("location")).toBe("/shipments");
    expect((await choose({ zone: "UTC", next: "//evil.example" })).headers.get("location")).toBe(`${path}?container=1`);
    expect((await choose({ zone: "UTC" }, { origin: "https://evil.example" })).status).toBe(403);
    const withoutOrigin = await app.request("/times", { form: { zone: "UTC" }, headers: { origin: app.url } });
    expect(withoutOrigin.status).toBe(401);
  });
});
