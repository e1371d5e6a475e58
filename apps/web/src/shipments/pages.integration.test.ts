import { beforeAll, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addedDelayDays, addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText, withoutOwnScript } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
let cookie: string;

const account = started(() => app.addAccount());
beforeAll(async () => {
  cookie = await app.logIn(account);
});

async function page(path: string, status = 200): Promise<string> {
  const response = await app.request(path, { headers: { cookie, accept: "text/html" } });
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  return response.text();
}

describe("the shipment page", () => {
  test("says when it arrives, in local time, and what happened to the selected container", async () => {
    const { id, containerIds } = await addShipment(app.database, account.id, {
      number: "PAGE1",
      refNumbers: ["PO-77"],
      containers: ["PAGU1000001", "PAGU1000002"],
    });
    const markup = await page(`/shipments/${id}?container=${containerIds[1]}`);
    const pageText = visibleText(markup);
    expect(pageText).toMatch(/Arrival overdue at Hamburg Sun, 5 Jul 2026, 12:00 CEST ETA \d+ days ago/);
    expect(pageText).toContain(` days ago · ${addedDelayDays()} days late`);
    expect(pageText).toContain("Shanghai Vessel loaded Tue 2 Jun, 11:00 GMT+8");
    expect(pageText).toContain("Hamburg Vessel arrival ETA Sun 5 Jul, 12:00 CEST 3 days late");
    expect(pageText).toContain("PAGU1000002 journey");
    expect(pageText).toContain("PAGU1000001 In transit ETA 5 Jul");
    expect(pageText).toContain("References PO-77");
    expect(markup).toContain('<span class="number" id="shipment-number">PAGE1</span>');
    expect(markup).toContain('data-copies="shipment-number"');
    expect(pageText).not.toContain("Customer");
    const customer = { accountId: account.id, id: uuidV7.next(), companyName: "Quay Traders" };
    await app.database.prisma.party.create({ data: { ...customer, createdAt: new Date(), updatedAt: new Date() } });
    await app.database.prisma.shipment.updateMany({ where: { id }, data: { customerId: customer.id } });
    expect(visibleText(await page(`/shipments/${id}`))).toContain("Customer Quay Traders References PO-77");
    expect(pageText).toContain("PO-77");
    expect(markup).toMatch(new RegExp(`container=${containerIds[1]}" aria-current="true"`));
    expect(markup.match(/container=[^"]*" aria-current="true"/g)).toHaveLength(1);
  });

  test("shows what was known at a time, with links from change to change", async () => {
    const { id, containerIds } = await addShipment(app.database, account.id, {
      number: "PAGE0",
      containers: ["PAGU1000003"],
    });
    const fact = { accountId: account.id, subjectType: "shipment", subjectId: id, field: "podEtaAt" };
    const source = { rule: "r", dataSource: "shipping_line" };
    const times = ["2026-06-01T00:00:00.000Z", "2026-06-02T00:00:00.000Z", "2026-06-03T00:00:00.000Z"];
    const etas = ["2026-07-02T10:00:00.000Z", "2026-07-03T10:00:00.000Z", "2026-07-05T10:00:00.000Z"];
    for (const [index, at] of times.entries()) {
      const until = times[index + 1];
      const validity = { validFrom: new Date(at), supersededAt: until === undefined ? null : new Date(until) };
      const data = { ...fact, ...source, id: uuidV7.next(), value: etas[index] ?? "", ...validity };
      await app.database.prisma.fieldFact.create({ data });
    }
    const createdAt = new Date("2026-05-31T00:00:00Z");
    await app.database.prisma.shipment.updateMany({ where: { id }, data: { createdAt } });
    await app.database.prisma.container.updateMany({ where: { shipmentId: id }, data: { createdAt } });
    const present = await page(`/shipments/${id}`);
    expect(visibleText(present)).not.toContain("As known on 2");
    expect(present).toContain("Previous change");
    const then = await page(`/shipments/${id}?as_of=2026-06-02T12:00`);
    const pageText = visibleText(then);
    expect(pageText).toContain("As known on 2 Jun 2026, 12:00 UTC");
    expect(pageText).toContain("1 change since ");
    expect(pageText).not.toContain("5 Jul 2026");
    const linked = [...then.matchAll(/as_of=([^"&]+)"/g)].map(([, at]) => decodeURIComponent(at ?? ""));
    expect(linked).toEqual(expect.arrayContaining([times[0], times[2], "2026-06-02T12:00:00.000Z"]));
    expect(then).toContain('value="2026-06-02 12:00"');
    expect(then).toContain('data-change-labels="1 Jun 2026, 00:00 UTC|2 Jun 2026, 00:00 UTC|3 Jun 2026, 00:00 UTC"');
    expect(then).toContain(`/shipments/${id}?container=${containerIds[0]}`);
    expect(visibleText(await page(`/shipments/${id}?as_of=2026-05-01`))).toContain("Not tracked yet on 1 May 2026");
    const refused = await page(`/shipments/${id}?as_of=soon`);
    expect(visibleText(refused)).toContain("“soon” is not a date.");
    expect(refused).toMatch(/<input id="as-of" name="as_of" value="soon"/);
    const early = await page(`/shipments/${id}?as_of=2026-05-01`);
    expect(early).toMatch(/<input id="as-of" name="as_of" value="2026-05-01 00:00"/);
    const container = visibleText(await page(`/containers/${containerIds[0]}?as_of=2026-06-02+12:00`));
    expect(container).toContain("As known on 2 Jun 2026, 12:00 UTC");
    expect(visibleText(await page(`/containers/${containerIds[0]}?as_of=2026-05-01`))).toContain("Not tracked yet");
  });

  test("an unknown container shows the first one and says so", async () => {
    const { id } = await addShipment(app.database, account.id, { number: "PAGE2", containers: ["PBGU1000001"] });
    const pageText = visibleText(await page(`/shipments/${id}?container=${uuidV7.next()}`));
    expect(pageText).toContain("That container is not part of this shipment");
    expect(pageText).toContain("PBGU1000001 journey");
  });

  test("a shipment without containers has a page", async () => {
    const { id } = await addShipment(app.database, account.id, { number: "PAGE3" });
    expect(visibleText(await page(`/shipments/${id}`))).toContain("has not reported a container yet");
  });

  test("unknown ids, malformed ids and another account's ids are the same 404", async () => {
    const other = await app.addAccount();
    const { id } = await addShipment(app.database, other.id, { number: "THEIRPAGE" });
    for (const path of [`/shipments/${id}`, `/shipments/${uuidV7.next()}`, "/shipments/1%27", "/shipments/%00"]) {
      const pageText = visibleText(await page(path, 404));
      expect(pageText).toContain("Not found");
      expect(pageText).not.toContain("THEIRPAGE");
    }
    const headers = { authorization: `Token ${account.token}` };
    const response = await app.request(`/shipments/${id}`, { headers });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ errors: [{ code: "not_found" }] });
  });

  test("escapes texts of users and carriers", async () => {
    const nasty = `"><script>alert(1)</script><img src=x onerror='x'>`;
    const { id } = await addShipment(app.database, account.id, {
      number: `NASTY${nasty}`,
      refNumbers: [nasty],
      containers: [`NSTU1${nasty}`],
    });
    const { prisma } = app.database;
    const party = { accountId: account.id, id: uuidV7.next(), companyName: `Customer${nasty}` };
    await prisma.party.create({ data: { ...party, createdAt: new Date(), updatedAt: new Date() } });
    const vessel = await prisma.vessel.create({ data: { id: uuidV7.next(), name: `Vessel${nasty}` } });
    const data = { tags: [nasty], podVoyageNumber: nasty, podVesselId: vessel.id, customerId: party.id };
    await prisma.shipment.updateMany({ where: { id }, data });
    await prisma.account.update({ where: { id: account.id }, data: { companyName: `Company${nasty}` } });
    await app.database.prisma.transportEvent.updateMany({ where: { shipmentId: id }, data: { voyageNumber: nasty } });
    for (const path of [
      `/shipments/${id}`,
      "/shipments",
      `/shipments?q=${encodeURIComponent(nasty)}`,
      `/shipments?status=${encodeURIComponent(nasty)}`,
    ]) {
      const markup = await page(path);
      expect(withoutOwnScript(markup)).not.toMatch(/<script|<img|onerror='/);
      expect(markup).toContain("&lt;script&gt;");
      expect(markup).toContain("Company&quot;&gt;&lt;script&gt;");
    }
    const pageMarkup = await page(`/shipments/${id}`);
    for (const field of ["Customer", "Vessel", "NASTY", "NSTU1"])
      expect(pageMarkup).toContain(`${field}&quot;&gt;&lt;script&gt;`);
    expect(withoutOwnScript(await page(`/shipments/${encodeURIComponent(nasty)}`, 404))).not.toContain("<script");
  });
});

describe("the list of shipments", () => {
  test("is pre-filled with the query, and shows its results or that there are none [spec: deep_link.5]", async () => {
    await addShipment(app.database, account.id, { number: "LIST1", refNumbers: ["HERON & CO"] });
    const found = await page("/shipments?q=heron%20%26");
    expect(found).toContain('value="heron &amp;"');
    expect(visibleText(found)).toContain("LIST1 HERON &amp; CO");
    const none = await page("/shipments?q=NOWHERE-1");
    expect(none).toContain('value="NOWHERE-1"');
    expect(visibleText(none)).toContain("No shipments match “NOWHERE-1”");
    const long = await page(`/shipments?q=${"N".repeat(1_500)}`);
    expect(long).toContain(`value="${"N".repeat(1_000)}"`);
    expect(visibleText(long)).toContain("No shipments match");
  });

  test("is filtered by state and paged by cursor, newest first or as the address says", async () => {
    const many = await app.addAccount();
    const manyCookie = await app.logIn(many);
    for (let day = 1; day <= 27; day++) {
      const createdAt = `2026-01-${String(day).padStart(2, "0")}T00:00:00Z`;
      await addShipment(app.database, many.id, { number: `DAY${day}X`, createdAt });
    }
    const read = async (path: string) => (await app.request(path, { headers: { cookie: manyCookie } })).text();
    const linkOf = (markup: string, rel: string) =>
      new RegExp(`rel="${rel}" href="([^"]+)"`).exec(markup)?.[1]?.replaceAll("&amp;", "&") ?? "none";
    const first = await read("/shipments?status=in_transit");
    expect(visibleText(first)).toMatch(/27 shipments (?!\.)/);
    expect(first.indexOf("DAY27X")).toBeLessThan(first.indexOf("DAY26X"));
    expect(first).not.toContain("DAY2X");
    expect(linkOf(first, "prev")).toBe("none");
    const second = await read(linkOf(first, "next"));
    expect(second).toContain("DAY1X");
    expect(second).not.toContain("DAY27X");
    expect(linkOf(second, "next")).toBe("none");
    const back = await read(linkOf(second, "prev"));
    expect(back).toContain("DAY27X");
    expect(back).not.toContain("DAY2X");
    const oldest = await read("/shipments?sort=created_at");
    expect(oldest.indexOf("DAY1X")).toBeLessThan(oldest.indexOf("DAY2X"));
    expect(visibleText(await read("/shipments?status=arrived_at_pod"))).toContain("No shipments match these filters");
    const cursorValues = ["created_at", "2020-01-01T00:00:00.000Z", "00000000-0000-7000-8000-000000000000"];
    const cursor = Buffer.from(JSON.stringify(cursorValues)).toString("base64url");
    expect(visibleText(await read(`/shipments?after=${cursor}`))).toContain("No more shipments");
    expect(await read("/shipments?after=x&status=bogus&sort=bogus&carrier=%00")).toContain("DAY27X");
  });

  test("is filtered by line, port, tag and tracking, which the address, the form and the chips all show", async () => {
    const one = await app.addAccount();
    const oneCookie = await app.logIn(one);
    const { id } = await addShipment(app.database, one.id, { number: "TAGGED1" });
    await addShipment(app.database, one.id, { number: "PLAIN1" });
    await app.database.prisma.shipment.updateMany({ where: { id }, data: { tags: ["cold & wet"] } });
    const read = async (path: string) => (await app.request(path, { headers: { cookie: oneCookie } })).text();
    const tagged = await read("/shipments?tag=cold+%26+wet&carrier=sbxl&port=deham&tracking=active");
    expect(tagged).toContain("TAGGED1");
    expect(tagged).not.toContain("PLAIN1");
    expect(tagged).toContain('name="tag" value="cold &amp; wet"');
    expect(tagged).toContain('<option value="SBXL" selected>');
    expect(tagged).toContain('href="/shipments?carrier=SBXL&amp;port=DEHAM&amp;tracking=active"');
    const searched = await read("/shipments?q=1&tag=cold+%26+wet");
    expect(searched).toContain("TAGGED1");
    expect(searched).not.toContain("PLAIN1");
    for (const none of ["port=USLAX", "carrier=MAEU", "tracking=stopped", "tag=hot", "q=PLAIN1&tag=hot"]) {
      expect(await read(`/shipments?${none}`)).not.toContain('class="row-link"');
    }
  });

  test("says how many are how far, within the other filters, and is filtered and sorted by arrival", async () => {
    const one = await app.addAccount();
    const oneCookie = await app.logIn(one);
    const soon = new Date(Date.now() + 3 * 86_400_000);
    const arrivals = { SOON1: soon, LATER1: new Date(soon.getTime() + 86_400_000 * 20), UNKNOWN1: null };
    for (const [number, podEtaAt] of Object.entries(arrivals)) {
      const { id } = await addShipment(app.database, one.id, { number, containers: [`${number}BOX`, `${number}AAA`] });
      await app.database.prisma.shipment.updateMany({ where: { id }, data: { podEtaAt } });
      if (number === "SOON1") {
        await app.database.prisma.container.updateMany({
          where: { number: "SOON1BOX" },
          data: { availableForPickup: true },
        });
      }
    }
    const late = await addShipment(app.database, one.id, { number: "ARRIVED1" });
    const podAtaAt = new Date(Date.now() - 86_400_000);
    await app.database.prisma.shipment.updateMany({ where: { id: late.id }, data: { podAtaAt, tags: ["late"] } });
    const read = async (path: string) => (await app.request(path, { headers: { cookie: oneCookie } })).text();
    const order = (markup: string) =>
      [...markup.matchAll(/class="row-link"[^>]*><span\s+class="number">(\w+)</g)].map(([, number]) => number);
    const all = await read("/shipments?sort=arrival");
    expect(order(all)).toEqual(["ARRIVED1", "SOON1", "LATER1", "UNKNOWN1"]);
    expect(visibleText(all)).toContain("All In transit 3 Arrived at port 1 Arriving in 7 days");
    expect(visibleText(all)).toContain("SOON1AAA and 1 more");
    expect(order(await read("/shipments?sort=-arrival&arrival=next_30_days"))).toEqual(["LATER1", "SOON1"]);
    expect(order(await read("/shipments?arrival=next_7_days"))).toEqual(["SOON1"]);
    expect(order(await read("/shipments?arrival=past_7_days"))).toEqual(["ARRIVED1"]);
    const tagged = await read("/shipments?tag=late&status=in_transit");
    expect(order(tagged)).toEqual([]);
    expect(visibleText(tagged)).toContain("In transit 0 Arrived at port 1 Arriving in 7 days");
    expect(visibleText(await read("/shipments?q=soon&status=pending"))).toContain(
      "Waiting for carrier data 0 In transit 1 Arriving in 7 days",
    );
    const narrowed = await read("/shipments?arrival=next_7_days&page_size=50");
    expect(narrowed).toContain('<option value="next_7_days" selected>');
    expect(narrowed).toContain('<option value="50" selected>');
    expect(narrowed).toContain('href="/shipments?page_size=50"');
  });

  test("is paginated in the order of arrival, with unknown arrivals at the end", async () => {
    const many = await app.addAccount();
    const manyCookie = await app.logIn(many);
    for (let index = 0; index < 30; index++) {
      const { id } = await addShipment(app.database, many.id, { number: `WALK${index}X` });
      const podEtaAt = index < 20 ? new Date(Date.UTC(2026, 7, 30 - index)) : null;
      await app.database.prisma.shipment.updateMany({ where: { id }, data: { podEtaAt } });
    }
    const read = async (path: string) => (await app.request(path, { headers: { cookie: manyCookie } })).text();
    const next = /rel="next" href="([^"]+)"/;
    const first = await read("/shipments?sort=arrival");
    expect(first.indexOf("WALK19X")).toBeLessThan(first.indexOf("WALK0X"));
    const second = await read((next.exec(first)?.[1] ?? "").replaceAll("&amp;", "&"));
    expect(second.match(/class="row-link"/g)).toHaveLength(5);
    expect(second).not.toMatch(/WALK1?\dX/);
    expect(next.exec(second)).toBeNull();
  });

  test("says which numbers wait for the carrier or failed, and finds them", async () => {
    const waiting = await app.addAccount();
    const waitingCookie = await app.logIn(waiting);
    const createdAt = new Date();
    await app.database.prisma.trackingRequest.createMany({
      data: [
        { requestNumber: "WAIT1", status: "pending" },
        { requestNumber: "GONE1", status: "failed", failedReason: "not_found" },
        { requestNumber: "DONE1", status: "created" },
      ].map((request) => ({
        ...request,
        accountId: waiting.id,
        id: uuidV7.next(),
        requestType: "bill_of_lading",
        normalizedNumber: request.requestNumber,
        scac: "SBXL",
        createdAt,
        updatedAt: createdAt,
      })),
    });
    const read = async (path: string) =>
      visibleText(await (await app.request(path, { headers: { cookie: waitingCookie } })).text());
    const all = await read("/shipments");
    expect(all).toContain("Tracking requests: 1 pending · 1 failed");
    expect(all).toContain("WAIT1 SBXL Waiting for carrier data");
    expect(all).toContain("GONE1 SBXL Failed: the carrier does not know this number");
    expect(all).not.toContain("DONE1");
    const waits = await read("/shipments?q=wait1");
    expect(waits).toContain("No shipment yet for “wait1” WAIT1 SBXL Waiting for carrier data");
    expect(waits).not.toContain("Track it as a new number");
    expect(await read("/shipments?q=gone1")).toContain(
      "GONE1 SBXL Failed: the carrier does not know this number Retry",
    );
  });

  test("another account sees none of it", async () => {
    const other = await app.addAccount();
    const otherCookie = await app.logIn(other);
    for (const path of ["/shipments", "/shipments?q=LIST1"]) {
      const response = await app.request(path, { headers: { cookie: otherCookie } });
      expect(await response.text()).not.toContain('<span class="number">LIST1</span>');
    }
  });
});

describe("a page that is kept up to date", () => {
  test("responds with 304 while its content has not changed", async () => {
    const { id } = await addShipment(app.database, account.id, { number: "LIVE1", containers: ["LIVU1000001"] });
    for (const path of [`/shipments/${id}`, "/shipments?q=LIVE1"]) {
      const first = await app.request(path, { headers: { cookie } });
      const entityTag = first.headers.get("etag") ?? "";
      expect(await first.text()).toContain(`data-live=${entityTag}`);
      const again = await app.request(path, { headers: { cookie, "if-none-match": entityTag } });
      expect([again.status, await again.text()]).toEqual([304, ""]);
      expect(again.headers.get("cache-control")).toBe("no-store");
    }
    const before = (await app.request(`/shipments/${id}`, { headers: { cookie } })).headers.get("etag") ?? "";
    const podEtaAt = new Date("2026-07-06T10:00:00Z");
    await app.database.prisma.shipment.updateMany({ where: { id }, data: { podEtaAt } });
    const changed = await app.request(`/shipments/${id}`, { headers: { cookie, "if-none-match": before } });
    expect(changed.status).toBe(200);
    expect(visibleText(await changed.text())).toContain("Mon, 6 Jul 2026, 12:00 CEST");
  });
});
