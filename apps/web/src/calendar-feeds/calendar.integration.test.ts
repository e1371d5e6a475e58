import { beforeEach, describe, expect, test } from "@jest/globals";
import { dayMs } from "@svc/domain";
import { uuidV7 } from "@svc/persistence";
import { closeAccount, resumeAccount, suspendAccount } from "@svc/persistence/administration";
import { started, startedEach } from "@svc/testkit/started";
import ICAL from "ical.js";
import { type AddedShipment, addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const path = "/account/calendar";
const today = Date.now();
const inDays = (days: number) => new Date(today + days * dayMs);
const dayOf = (date: Date) => date.toISOString().slice(0, 10);
/** Noon, which is the same day in Hamburg. */
const noonInDays = (days: number) => new Date(`${dayOf(inDays(days))}T12:00:00Z`);

const app = started(() => startTestWeb({ withApi: true }));
const account = startedEach(() => app.addAccount());
const ann = startedEach(() => app.visit(account));

/** Arrives in so many days; the last free day of its first container is four days later. */
async function add(
  number: string,
  arrivesInDays: number,
  changes: object = {},
  owner = account,
): Promise<AddedShipment> {
  const containers = [`${number.slice(0, 3)}U1000001`];
  const shipment = await addShipment(app.database, owner.id, { number, containers });
  await app.database.prisma.shipment.updateMany({
    where: { id: shipment.id },
    data: { podEtaAt: inDays(arrivesInDays), podOriginalEtaAt: inDays(arrivesInDays - 2), ...changes },
  });
  await app.database.prisma.container.updateMany({
    where: { shipmentId: shipment.id },
    data: { pickupLfd: noonInDays(arrivesInDays + 4), pickupLfdTerminal: noonInDays(arrivesInDays + 4) },
  });
  return shipment;
}

const addressIn = (text: string): string => /value="[^"]*(\/calendar\/[\w-]{43}\.ics)"/.exec(text)?.[1] ?? "";

async function create(form: Readonly<Record<string, string>> = {}, by = ann): Promise<string> {
  const response = await by.post(path, { id: "", name: "Arrivals", view: "", ...form });
  const text = await response.text();
  expect([response.status, addressIn(text)]).toEqual([201, expect.stringMatching(/^\/calendar\//)]);
  return addressIn(text);
}

async function read(address: string) {
  const response = await app.request(address);
  const text = await response.text();
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/calendar; charset=utf-8"]);
  const calendar = new ICAL.Component(ICAL.parse(text));
  const events = calendar.getAllSubcomponents("vevent").map((component) => new ICAL.Event(component));
  return { answer: response, text, calendar, events, summaries: events.map(({ summary }) => summary) };
}

const feeds = () => app.database.prisma.calendarFeed.findMany({ where: { accountId: account.id } });

test("an estimated arrival inland has the name of the place and its local time", async () => {
  const inland = await app.database.prisma.port.findUniqueOrThrow({ where: { locode: "BEANR" } });
  await add("INLAND1", 9, { destinationPortId: inland.id, destinationEtaAt: new Date(Date.now() + 12 * 86_400_000) });
  const arrival = (await read(await create())).events.find(({ summary }) => summary.includes("INLAND1"));
  expect(arrival?.summary).toBe(`Estimated arrival: INLAND1 at ${inland.name} (BEANR)`);
  expect(arrival?.description).toMatch(/^Estimated .* CES?T\n/);
});

test("a feed has arrivals as instants and last free days as days, which an iCalendar parser reads", async () => {
  const shipment = await add("ARRIVE1", 10, { refNumbers: ["PO-1"] });
  const { answer, text, calendar, events } = await read(await create({ name: "Kite, Ltd; imports" }));
  // The parser leaves properties that it does not know as they are written.
  expect(calendar.getFirstPropertyValue("x-wr-calname")).toBe("Kite\\, Ltd\\; imports");
  expect(calendar.getFirstPropertyValue("method")).toBe("PUBLISH");
  expect(calendar.getFirstPropertyValue("refresh-interval")?.toString()).toBe("PT1H");
  const [arrival, lastFreeDay] = events;
  expect(arrival?.summary).toBe("Estimated arrival: ARRIVE1 at Hamburg (DEHAM)");
  expect(arrival?.uid).toBe(`arrival-${shipment.id}@shipment-tracking`);
  expect(arrival?.startDate.isDate).toBe(false);
  expect(arrival?.startDate.zone.tzid).toBe("UTC");
  expect(Math.abs((arrival?.startDate.toJSDate().getTime() ?? 0) - inDays(10).getTime())).toBeLessThan(1_000);
  expect(arrival?.description).toContain("2 days late\nBill of lading ARRIVE1, SBXL");
  expect(arrival?.description).toContain("References PO-1\nContainers ARRU1000001");
  expect(arrival?.component.getFirstPropertyValue("url")).toBe(`${app.url}/shipments/${shipment.id}`);
  expect(lastFreeDay?.summary).toBe("Last free day: ARRU1000001");
  expect([lastFreeDay?.startDate.isDate, lastFreeDay?.startDate.toString()]).toEqual([true, dayOf(inDays(14))]);
  expect(lastFreeDay?.description).toContain("Set by the terminal");
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "cache-control": "private, no-cache",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex, nofollow, noarchive",
  });
  // RFC 5545, 3.1: lines end with CRLF and have at most 75 octets.
  const lines = text.split("\r\n");
  expect(lines.filter((line) => Buffer.byteLength(line) > 75 || line.includes("\n"))).toEqual([]);
  expect(lines.at(-2)).toBe("END:VCALENDAR");
});

test("a changed estimate keeps the identifier and has a higher sequence; an unchanged feed answers 304", async () => {
  const shipment = await add("MOVED1", 10);
  const address = await create();
  const before = await read(address);
  const tag = before.answer.headers.get("etag") ?? "";
  expect((await app.request(address, { headers: { "if-none-match": tag } })).status).toBe(304);
  const data = { podEtaAt: inDays(13), updatedAt: new Date() };
  await app.database.prisma.shipment.updateMany({ where: { id: shipment.id }, data });
  const response = await app.request(address, { headers: { "if-none-match": tag } });
  expect([response.status, response.headers.get("etag") === tag]).toEqual([200, false]);
  const after = await read(address);
  expect(after.events[0]?.uid).toBe(before.events[0]?.uid);
  const starts = ({ events }: typeof before) => events.map(({ startDate }) => startDate.toString());
  expect(starts(after)).not.toEqual(starts(before));
  const moved = after.events.find(({ uid }) => uid.startsWith("arrival"));
  expect(moved?.sequence).toBeGreaterThan(before.events[0]?.sequence ?? 0);
  expect(String(moved?.component.getFirstPropertyValue("last-modified"))).toContain(dayOf(new Date()));
});

test("only the last 30 and the next 120 days are in it, and no container that was picked up", async () => {
  await add("PAST1", -40);
  await add("RECENT1", -20, { podAtaAt: inDays(-20) });
  await add("FUTURE1", 130);
  const gone = await add("GONE1", -1);
  await app.database.prisma.container.updateMany({
    where: { shipmentId: gone.id },
    data: { podFullOutAt: inDays(0) },
  });
  const { summaries } = await read(await create());
  expect(summaries).toEqual([
    "Arrived: RECENT1 at Hamburg (DEHAM)",
    "Last free day: RECU1000001",
    "Estimated arrival: GONE1 at Hamburg (DEHAM)",
  ]);
});

test("texts of carriers and customers stay texts", async () => {
  const hostile = "PO\r\nBEGIN:VEVENT\r\nUID:evil\u0000\u0007; a,b\\n\u2028x";
  await add("EVIL1", 5, {
    refNumbers: [hostile.replace("\u0000", "")],
    podVoyageNumber: "1\r\nATTACH:https://evil.example",
  });
  const { text, events } = await read(await create({ name: "A\r\nX-EVIL:1" }));
  expect(events).toHaveLength(2);
  expect(text).not.toMatch(/^(X-EVIL|UID:evil|ATTACH)/m);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
  expect(text.replaceAll("\r\n", "")).not.toMatch(/[\u0000-\u001f]/);
  expect(events[0]?.description).toContain("References PO BEGIN:VEVENT UID:evil ; a,b\\n x");
});

describe("a feed limited to a saved view", () => {
  const view = async (list: string, query: string, more: Readonly<Record<string, string>> = {}) => {
    await ann.post("/views", { list, query, name: `${list} view`, ...more });
    return app.database.prisma.savedView.findFirstOrThrow({ where: { accountId: account.id, list } });
  };

  beforeEach(async () => {
    await add("TAGGED1", 10, { tags: ["urgent"] });
    await add("OTHER1", 11);
  });

  test.each([
    ["shipments", "?tag=urgent", ["Estimated arrival: TAGGED1 at Hamburg (DEHAM)", "Last free day: TAGU1000001"]],
    ["shipments", "?status=in_transit&arrival=next_7_days", []],
    ["containers", "?tag=urgent", ["Estimated arrival: TAGGED1 at Hamburg (DEHAM)", "Last free day: TAGU1000001"]],
    ["containers", "?view=last_free_day", []],
  ])("has the events of %s with %s", async (list, query, expected) => {
    const { id } = await view(list, query);
    expect((await read(await create({ view: id }))).summaries).toEqual(expected);
  });

  test.each([
    ["containers", "?tag=split"],
    ["shipments", "?tag=split"],
    [null, ""],
  ])("has an arrival of %s for each time at which containers of one shipment arrive", async (list, query) => {
    const splitEvents = async () => {
      const { events } = await read(await create(list ? { view: (await view(list, query)).id } : {}));
      return events.filter(({ summary }) => summary.includes("SPLIT1"));
    };
    const containers = ["SPLU1000001", "SPLU1000002", "SPLU1000003"];
    const { id: shipmentId, containerIds } = await addShipment(app.database, account.id, {
      number: "SPLIT1",
      containers,
    });
    const setShipment = (data: object) => app.database.prisma.shipment.updateMany({ where: { id: shipmentId }, data });
    await setShipment({ tags: ["split"] });
    for (const [place, id] of containerIds.entries())
      await app.database.prisma.container.updateMany({ where: { id }, data: { podEtaAt: inDays(place < 2 ? 3 : 8) } });
    const events = await splitEvents();
    expect(events.map(({ uid }) => uid.split("@")[0])).toEqual(
      [containerIds[0], containerIds[2]].map((first) => `arrival-${first}`),
    );
    expect(events.map(({ description }) => description?.split("\n").at(-1))).toEqual([
      "Containers SPLU1000001, SPLU1000002",
      "Containers SPLU1000003",
    ]);
    await setShipment({ podAtaAt: inDays(-60) });
    expect(await splitEvents()).toHaveLength(2);
  });

  test("ends with its view, and with the sharing of it", async () => {
    const shared = await view("shipments", "?tag=urgent", { shared: "yes" });
    const bob = await app.visit(await app.addMember(account, "viewer"));
    const [his, hers] = [await create({ view: shared.id }, bob), await create({ view: shared.id })];
    expect((await read(his)).summaries).toHaveLength(2);
    await app.database.prisma.savedView.updateMany({
      where: { id: shared.id },
      data: { memberUserId: account.userId },
    });
    expect((await app.request(his)).status).toBe(404);
    expect(visibleText(await (await bob.get(path)).text())).toContain("no longer shared with you");
    expect((await read(hers)).summaries).toHaveLength(2);
    await ann.post(`/account/views/${shared.id}/delete`, {});
    expect((await app.request(hers)).status).toBe(404);
    expect(await feeds()).toEqual([]);
  });

  test("takes no view of another account, of another member, or of exceptions", async () => {
    const own = await view("shipments", "?tag=urgent");
    const exceptions = await view("exceptions", "?kind=fee");
    const otherVisitor = await app.visit(await app.addAccount());
    const bob = await app.visit(await app.addMember(account, "viewer"));
    for (const [by, id] of [
      [otherVisitor, own.id],
      [bob, own.id],
      [ann, exceptions.id],
      [ann, "x"],
    ] as const) {
      const response = await by.post(path, { id: "", name: "Mine", view: id });
      expect([response.status, addressIn(await response.text())]).toEqual([422, ""]);
    }
    expect(await feeds()).toEqual([]);
  });
});

describe("the address of a feed", () => {
  test("is stored as a hash, shown once, renewed and deleted by its member alone", async () => {
    await add("SECRET1", 10);
    const address = await create();
    const secret = address.slice("/calendar/".length, -".ics".length);
    const [feed] = await feeds();
    expect(JSON.stringify({ ...feed, token: feed && Buffer.from(feed.tokenSha256).toString() })).not.toContain(secret);
    const page = await (await ann.get(path)).text();
    expect(page).not.toContain(secret);
    expect(app.log()).not.toContain(secret);
    const [otherVisitor, bob] = await Promise.all([
      app.visit(await app.addAccount()),
      app.visit(await app.addMember(account, "owner")),
    ]);
    for (const by of [otherVisitor, bob]) {
      expect((await by.get(`${path}/${feed?.id}/renew`)).status).toBe(404);
      expect((await by.get(`${path}/${feed?.id}/delete`)).status).toBe(404);
      expect((await by.post(`${path}/${feed?.id}/renew`, {})).status).toBe(404);
      expect((await by.post(`${path}/${feed?.id}/delete`, {})).status).toBe(404);
    }
    for (const step of ["renew", "delete"]) {
      expect(page).toContain(`href="${path}/${feed?.id}/${step}"`);
      const question = await (await ann.get(`${path}/${feed?.id}/${step}`)).text();
      expect(question).toContain(`<form method="post" action="${path}/${feed?.id}/${step}">`);
    }
    // The questions change nothing.
    expect((await app.request(address)).status).toBe(200);
    const renewed = await ann.post(`${path}/${feed?.id}/renew`, {});
    const next = addressIn(await renewed.text());
    expect(next).not.toBe(address);
    expect((await app.request(address)).status).toBe(404);
    expect((await read(next)).events).toHaveLength(2);
    await ann.post(`${path}/${feed?.id}/delete`, {});
    expect((await app.request(next)).status).toBe(404);
    const log = await app.database.prisma.auditEvent.findMany({
      where: { accountId: account.id, subjectType: "calendar_feed" },
      orderBy: { id: "asc" },
    });
    expect(log.map(({ action }) => action)).toEqual([
      "calendar_feed.created",
      "calendar_feed.updated",
      "calendar_feed.deleted",
    ]);
    expect(log[1]?.changes).toEqual({ token_sha256: { is_secret: true } });
  });

  test("ends with the membership, and while the account is suspended or closed", async () => {
    await add("ENDED1", 10);
    const bob = await app.addMember(account, "viewer");
    const address = await create({}, await app.visit(bob));
    await read(address);
    await suspendAccount(app.database, account.id);
    expect((await app.request(address)).status).toBe(404);
    await resumeAccount(app.database, account.id);
    await read(address);
    await ann.post(`/account/members/${bob.userId}/remove`, {});
    expect((await app.request(address)).status).toBe(404);
    const own = await create();
    await closeAccount(app.database, account.id, 30);
    expect((await app.request(own)).status).toBe(404);
  });

  test("shows nothing of another account", async () => {
    const other = await app.addAccount();
    await add("FOREIGN1", 10, {}, other);
    expect((await read(await create())).events).toEqual([]);
  });

  test("answers unknown, malformed and other requests alike, and only reads", async () => {
    for (const unknown of ["A".repeat(43), "short", "..%2f", `${"A".repeat(42)}%00`]) {
      expect([unknown, (await app.request(`/calendar/${unknown}.ics`)).status]).toEqual([unknown, 404]);
    }
    const address = await create();
    const posted = await app.request(address, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect((await app.request(address, { method: "HEAD" })).status).toBe(200);
  });

  test("is read at most twelve times a minute", async () => {
    const address = await create();
    const statuses: number[] = [];
    for (let time = 0; time < 13; time += 1) statuses.push((await app.request(address)).status);
    expect(statuses.lastIndexOf(200)).toBe(11);
    const refused = await app.request(address);
    expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
  });
});

test("a feed has at most 5,000 events: those nearest to the present", async () => {
  const many = await app.addAccount();
  const { prisma } = app.database;
  const { id: portOfDischargeId } = await prisma.port.findUniqueOrThrow({ where: { locode: "DEHAM" } });
  const record = { accountId: many.id, createdAt: new Date(), updatedAt: new Date() };
  const shipment = { ...record, numberKind: "bill_of_lading", shippingLineScac: "SBXL", portOfDischargeId };
  const data = Array.from({ length: 5_300 }, (_, index) => {
    const number = `MANY${index}`;
    const podEtaAt = new Date(today + dayMs + index * 60_000);
    return { ...shipment, id: uuidV7.next(), billOfLadingNumber: number, normalizedNumber: number, podEtaAt };
  });
  await prisma.shipment.createMany({ data });
  const { events, text } = await read(await create({}, await app.visit(many)));
  expect(events).toHaveLength(5_000);
  expect([events[0]?.summary, events.at(-1)?.summary]).toEqual([
    "Estimated arrival: MANY0 at Hamburg (DEHAM)",
    "Estimated arrival: MANY4999 at Hamburg (DEHAM)",
  ]);
  expect(Buffer.byteLength(text)).toBeLessThan(4_000_000);
});
