import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestDeeplink, type TestAccount, type TestDeeplink } from "../testing/start-test-deeplink.ts";

let app: TestDeeplink;
let account: TestAccount;
let cookie: string;

beforeAll(async () => {
  app = await startTestDeeplink();
  account = await app.addAccount();
  cookie = await app.logIn(account);
});
afterAll(() => app.close());

async function page(path: string, status = 200): Promise<string> {
  const answer = await app.request(path, { headers: { cookie, accept: "text/html" } });
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  return answer.text();
}

/** What a reader sees. */
const words = (markup: string): string => markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

describe("the shipment page", () => {
  test("says when it arrives, in local time, and what happened to the selected container", async () => {
    const { id, containerIds } = await addShipment(app.database, account.id, {
      number: "PAGE1",
      refNumbers: ["PO-77"],
      containers: ["PAGU1000001", "PAGU1000002"],
    });
    const markup = await page(`/shipments/${id}?container=${containerIds[1]}`);
    const seen = words(markup);
    expect(seen).toContain("Arrives at Hamburg Sun, 5 Jul 2026, 12:00 CEST 3 days later than first planned");
    expect(seen).toContain("Vessel loaded Tue, 2 Jun 2026, 11:00 GMT+8 Shanghai voyage 012W");
    expect(seen).toContain("Vessel arrived expected Sun, 5 Jul 2026, 12:00 CEST Hamburg");
    expect(seen).toContain("PAGU1000002 journey");
    expect(seen).toContain("PO-77");
    expect(markup).toMatch(new RegExp(`container=${containerIds[1]}" aria-current="true"`));
    expect(markup.match(/aria-current="true"/g)).toHaveLength(1);
  });

  test("an unknown container shows the first one and says so", async () => {
    const { id } = await addShipment(app.database, account.id, { number: "PAGE2", containers: ["PBGU1000001"] });
    const seen = words(await page(`/shipments/${id}?container=${uuidV7.next()}`));
    expect(seen).toContain("That container is not part of this shipment");
    expect(seen).toContain("PBGU1000001 journey");
  });

  test("a shipment without containers has a page", async () => {
    const { id } = await addShipment(app.database, account.id, { number: "PAGE3" });
    expect(words(await page(`/shipments/${id}`))).toContain("has not named a container yet");
  });

  test("unknown ids, malformed ids and another account's ids are the same 404", async () => {
    const other = await app.addAccount();
    const { id } = await addShipment(app.database, other.id, { number: "THEIRPAGE" });
    for (const path of [`/shipments/${id}`, `/shipments/${uuidV7.next()}`, "/shipments/1%27", "/shipments/%00"]) {
      const seen = words(await page(path, 404));
      expect(seen).toContain("Not found");
      expect(seen).not.toContain("THEIRPAGE");
    }
    const headers = { authorization: `Token ${account.token}` };
    const answer = await app.request(`/shipments/${id}`, { headers });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ errors: [{ code: "not_found" }] });
  });

  test("nothing that users or carriers write becomes markup", async () => {
    const nasty = `"><script>alert(1)</script><img src=x onerror='x'>`;
    const { id } = await addShipment(app.database, account.id, {
      number: `NASTY${nasty}`,
      refNumbers: [nasty],
      containers: [`NSTU1${nasty}`],
    });
    await app.database.prisma.shipment.updateMany({ where: { id }, data: { tags: [nasty], podVoyageNumber: nasty } });
    await app.database.prisma.transportEvent.updateMany({ where: { shipmentId: id }, data: { voyageNumber: nasty } });
    for (const path of [
      `/shipments/${id}`,
      "/shipments",
      `/shipments?q=${encodeURIComponent(nasty)}`,
      `/shipments?status=${encodeURIComponent(nasty)}`,
    ]) {
      const markup = await page(path);
      expect(markup).not.toMatch(/<script|<img|onerror='/);
      expect(markup).toContain("&lt;script&gt;");
    }
    expect(await page(`/shipments/${encodeURIComponent(nasty)}`, 404)).not.toContain("<script");
  });
});

describe("the list of shipments", () => {
  test("is pre-filled with what was searched for, and finds it or says that it does not [spec: deep_link.5]", async () => {
    await addShipment(app.database, account.id, { number: "LIST1", refNumbers: ["HERON & CO"] });
    const found = await page("/shipments?q=heron%20%26");
    expect(found).toContain('value="heron &amp;"');
    expect(words(found)).toContain("LIST1 HERON &amp; CO");
    const none = await page("/shipments?q=NOWHERE-1");
    expect(none).toContain('value="NOWHERE-1"');
    expect(words(none)).toContain("Nothing here matches “NOWHERE-1”");
  });

  test("is filtered by state and paged, newest first", async () => {
    const many = await app.addAccount();
    const manyCookie = await app.logIn(many);
    for (let day = 1; day <= 27; day++) {
      const createdAt = `2026-01-${String(day).padStart(2, "0")}T00:00:00Z`;
      await addShipment(app.database, many.id, { number: `DAY${day}X`, createdAt });
    }
    const read = async (path: string) => (await app.request(path, { headers: { cookie: manyCookie } })).text();
    const first = await read("/shipments?status=in_transit");
    expect(first.indexOf("DAY27X")).toBeLessThan(first.indexOf("DAY26X"));
    expect(first).not.toContain("DAY2X");
    expect(first).toContain('href="/shipments?status=in_transit&amp;page=2"');
    const second = await read("/shipments?status=in_transit&page=2");
    expect(second).toContain("DAY1X");
    expect(second).not.toContain("DAY27X");
    expect(words(await read("/shipments?status=arrived_at_pod"))).toContain("No shipment is in this state");
    expect(words(await read("/shipments?page=9"))).toContain("The list ends before this page");
    expect(await read("/shipments?page=-1&status=bogus")).toContain("DAY27X");
  });

  test("another account sees none of it", async () => {
    const other = await app.addAccount();
    const otherCookie = await app.logIn(other);
    for (const path of ["/shipments", "/shipments?q=LIST1"]) {
      const answer = await app.request(path, { headers: { cookie: otherCookie } });
      expect(await answer.text()).not.toContain('<span class="number">LIST1</span>');
    }
  });
});

describe("every answer", () => {
  test("forbids scripts, frames and everything of other sites", async () => {
    for (const path of ["/", "/login", "/shipments", "/shipments/find?q=a", "/nothing"]) {
      const { headers } = await app.request(path, { headers: { cookie } });
      expect(headers.get("content-security-policy")).toMatch(
        /^default-src 'none'; style-src 'self';.*frame-ancestors 'none'$/,
      );
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-powered-by")).toBeNull();
    }
  });

  test("the stylesheet and the icon that pages name are served, and kept by browsers", async () => {
    const markup = await page("/shipments");
    const paths = [...markup.matchAll(/<link [^>]*href="([^"]+)"/g)].map(([, path]) => path ?? "");
    expect(paths).toHaveLength(2);
    for (const path of paths) {
      const answer = await app.request(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("cache-control")).toContain("immutable");
    }
    expect(markup).not.toMatch(/style=|<style|<script|https?:\/\/(?!localhost:4000)/);
  });

  test("unknown addresses, other methods and broken escapes are answered, as JSON to a program", async () => {
    expect(words(await page("/nothing", 404))).toContain("There is no page at this address.");
    expect((await app.request("/", { headers: { cookie } })).headers.get("location")).toBe("/shipments");
    const put = await app.request("/shipments", { method: "PUT", headers: { cookie } });
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect((await app.request("/shipments/%E0%A4%A", { headers: { cookie } })).status).toBe(400);
    const program = await app.request("/nothing", { headers: { accept: "application/json" } });
    expect(await program.json()).toMatchObject({ errors: [{ status: "404", code: "not_found" }] });
  });
});
