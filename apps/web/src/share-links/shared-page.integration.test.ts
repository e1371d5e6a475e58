import { beforeAll, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { closeAccount, resumeAccount, suspendAccount } from "@svc/persistence/administration";
import { started } from "@svc/testkit/started";
import { addObservations } from "../testing/add-observation.ts";
import { addShareLink, type NewShareLink } from "../testing/add-share-link.ts";
import { addedDelayDays, addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());

interface NewLink extends NewShareLink {
  readonly accountId?: string;
}

const share = (shipmentId: string, { accountId = account.id, ...content }: NewLink = {}) =>
  addShareLink(app.database, accountId, shipmentId, content);

const expectGone = async (path: string, missing: string) => {
  const response = await app.request(path);
  expect([response.status, await response.text()]).toEqual([404, missing]);
};
const missingPage = async () => (await app.request(`/share/${"A".repeat(43)}`)).text();

test("shows route, progress, ETA, last event and the journey, without a login", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "PUBLIC1", containers: ["MSKU0000006"] });
  const response = await app.request((await share(id)).path);
  expect(response.status).toBe(200);
  const text = visibleText(await response.text());
  expect(text).toMatch(/^ PUBLIC1 · Harbour &amp; Sons .*Shared via Shipment Tracking/);
  expect(text).toMatch(/PUBLIC1 In transit .*Shanghai → Hamburg.*Last event Vessel departed, Tue, 2 Jun 2026, 12:00/);
  expect(text).toMatch(/Arrival overdue at Hamburg Sun, 5 Jul 2026, 12:00 /);
  expect(text).toContain(` days ago · ${addedDelayDays()} days late`);
  expect(text).toMatch(
    /MSKU0000006.*Journey Shanghai .*Vessel loaded .*Vessel departed .* Hamburg Vessel arrival ETA /,
  );
});

test("shows of each container of a split shipment when and on which vessel it arrives", async () => {
  const containers = ["MSKU0000011", "MSKU0000027"];
  const { id, containerIds } = await addShipment(app.database, account.id, { number: "PUBLICSPLIT", containers });
  const own = (day: number, podVesselName: string) => ({ podEtaAt: new Date(Date.UTC(2026, 5, day)), podVesselName });
  const containerKey = (place: number) => ({ accountId_id: { accountId: account.id, id: containerIds[place] ?? "" } });
  await app.database.prisma.container.update({ where: containerKey(0), data: { ...own(28, "EVER GIVEN") } });
  await app.database.prisma.container.update({ where: containerKey(1), data: { ...own(30, "EVER GREEN") } });
  const text = visibleText(await (await app.request((await share(id)).path)).text());
  expect(text).toContain("Last container overdue at Hamburg Tue, 30 Jun 2026");
  expect(text).toContain(
    "The containers travel separately: 1 on EVER GIVEN arrives Sun, 28 Jun 2026 ; " +
      "1 on EVER GREEN arrives Tue, 30 Jun 2026 .",
  );
  expect(text).toMatch(/MSKU0000011.*Arrival overdue at Hamburg Sun, 28 Jun 2026.*EVER GIVEN.*MSKU0000027/);
  expect(text).toMatch(/MSKU0000027.*Arrival overdue at Hamburg Tue, 30 Jun 2026.*EVER GREEN.*Vessel arrival ETA/);
});

test("draws the sailed and the coming part of the route for an account with maps, and else no map", async () => {
  const { prisma } = app.database;
  const mapped = await app.addAccount();
  await prisma.account.update({ where: { id: mapped.id }, data: { features: ["container_route"] } });
  const markupOf = async (accountId: string, number: string) => {
    const { id } = await addShipment(app.database, accountId, { number, containers: ["MSKU0000006"] });
    const call = { vessel: "EVER GIVEN", voyage: "034E" };
    await addObservations(app.database, accountId, { id, number }, [
      { ...call, code: "DEPA", classifier: "ACT", at: "2026-06-02T04:00:00.000Z", locode: "CNSHA" },
      { ...call, code: "ARRI", classifier: "EST", at: "2027-07-05T10:00:00.000Z", locode: "DEHAM" },
    ]);
    return (await app.request((await share(id, { accountId })).path)).text();
  };
  const markup = await markupOf(mapped.id, "PUBLICMAP");
  expect(markup).toMatch(/<path class="sailed" d="M[^"]+"\/><path class="ahead" d="M[^"]+"\/>/);
  expect(visibleText(markup)).toMatch(/Route .*POL Shanghai.* POD Hamburg/);
  expect(await markupOf(account.id, "PUBLICNOMAP")).not.toContain('<svg class="map"');
});

test("says that free time has ended, and shows no success then, also without the fees", async () => {
  const number = "MSKU0000006";
  const { id, containerIds } = await addShipment(app.database, account.id, {
    number: "PUBLICLATE",
    containers: [number],
  });
  const { prisma } = app.database;
  await prisma.shipment.updateMany({ where: { id }, data: { podAtaAt: new Date("2026-01-02T10:00:00Z") } });
  const waiting = { currentStatus: "available", availabilityKnown: true, availableForPickup: true };
  const [path, withFees] = [(await share(id)).path, (await share(id, { showsFees: true })).path];
  const markupOn = async (lastFreeDay: string, address = path) => {
    const pickupLfd = new Date(lastFreeDay);
    await prisma.container.updateMany({ where: { id: { in: [...containerIds] } }, data: { ...waiting, pickupLfd } });
    return (await app.request(address)).text();
  };
  const statusClass = (markup: string) => /<span class="status (\w+) [^"]+">Available\s*</.exec(markup)?.[1];
  const early = await markupOn("2099-01-01T00:00:00Z");
  expect([visibleText(early).includes("Free time has ended"), statusClass(early)]).toEqual([false, "good"]);
  const late = await markupOn("2026-01-05T00:00:00Z");
  expect(visibleText(late)).toContain("Free time has ended");
  expect(visibleText(late)).not.toContain("5 Jan 2026");
  expect(statusClass(late)).toBe("bad");
  expect(statusClass(await markupOn("2026-01-05T00:00:00Z", withFees))).toBe("bad");
  const pickup = { podFullOutAt: new Date("2026-01-06T10:00:00Z") };
  await prisma.container.updateMany({ where: { id: { in: [...containerIds] } }, data: pickup });
  expect(visibleText(await (await app.request(path)).text())).toMatch(
    /PUBLICLATE Picked up Picked up Tue, 6 Jan 2026, 11:00 CET/,
  );
});

test("is kept by no cache, found by no search engine and sends its address nowhere", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "PUBLIC2" });
  const { path } = await share(id);
  for (const one of [path, `/share/${"A".repeat(43)}`]) {
    const { headers } = await app.request(one);
    expect(Object.fromEntries(headers)).toMatchObject({
      "cache-control": "private, no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex, nofollow, noarchive",
      "x-content-type-options": "nosniff",
    });
    expect(headers.get("set-cookie")).toBeNull();
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^default-src 'none'; style-src 'self'; img-src 'self'; /);
    expect(policy).not.toContain("script-src");
  }
  const markup = await (await app.request(path)).text();
  expect(markup).toContain('<meta name="robots" content="noindex, nofollow">');
  expect(markup).not.toMatch(/<script|<form|<a (?!class="skip" href="#main")/);
  expect(app.log()).not.toContain(path.split("/").at(-1));
});

describe("private data is not on the shared page", () => {
  const hidden = {
    customer: "HIDDENCUSTOMER",
    tag: "HIDDENTAG",
    note: "HIDDENNOTE",
    custom: "HIDDENCUSTOM",
    hold: "HIDDENHOLD",
    holdDescription: "HIDDENDESCRIPTION",
    seal: "HIDDENSEAL",
    yard: "HIDDENYARD",
    chassis: "HIDDENCHASSIS",
    member: "hiddenmember@example.com",
    source: "HIDDENSOURCE",
  };
  const reference = { shipment: "REFERENCEONE", container: "REFERENCETWO" };
  let shipmentId: string;

  beforeAll(async () => {
    const { prisma } = app.database;
    const added = await addShipment(app.database, account.id, {
      number: "PUBLIC3",
      refNumbers: [reference.shipment],
      containers: ["MSKU0000006", "MSKU0000011"],
    });
    shipmentId = added.id;
    const [containerId = ""] = added.containerIds;
    const stamps = { createdAt: new Date(), updatedAt: new Date() };
    const customerId = uuidV7.next();
    await prisma.party.create({
      data: { accountId: account.id, id: customerId, companyName: hidden.customer, ...stamps },
    });
    const userId = uuidV7.next();
    const memberships = { create: { accountId: account.id, role: "developer" } };
    await prisma.user.create({
      data: { id: userId, email: hidden.member, passwordHash: "x", createdAt: new Date(), memberships },
    });
    await prisma.shipment.update({
      where: { accountId_id: { accountId: account.id, id: shipmentId } },
      data: {
        customerId,
        tags: [hidden.tag],
        note: hidden.note,
        podAtaAt: new Date("2026-07-05T10:00:00Z"),
        lineTrackingStoppedAt: new Date(),
        lineTrackingStoppedReason: "cancelled_by_user",
        lineTrackingStoppedByUserId: userId,
      },
    });
    await prisma.container.update({
      where: { accountId_id: { accountId: account.id, id: containerId } },
      data: {
        refNumbers: [reference.container],
        sealNumber: hidden.seal,
        locationAtPodTerminal: hidden.yard,
        podFullOutChassisNumber: hidden.chassis,
        weightInLbs: 54_321,
        availabilityKnown: true,
        availableForPickup: true,
        pickupLfd: new Date("2026-07-19T00:00:00Z"),
        pickupAppointmentAt: new Date("2026-07-23T09:00:00Z"),
        holdsAtPodTerminal: [{ name: hidden.hold, status: "hold", description: hidden.holdDescription }],
        feesAtPodTerminal: [{ type: "demurrage", amount: 4321.5, currencyCode: "USD" }],
      },
    });
    await prisma.exception.create({
      data: {
        accountId: account.id,
        id: uuidV7.next(),
        kind: "customs_hold",
        severity: "critical",
        priority: 1,
        subjectId: containerId,
        shipmentId,
        containerId,
        details: { holds: [hidden.hold] },
        openedAt: new Date(),
        note: hidden.note,
        ...stamps,
      },
    });
    const definitionId = uuidV7.next();
    await prisma.customFieldDefinition.create({
      data: {
        accountId: account.id,
        id: definitionId,
        entityType: "Shipment",
        apiSlug: "memo",
        displayName: "Memo",
        dataType: "short_text",
        ...stamps,
      },
    });
    await prisma.customField.create({
      data: {
        accountId: account.id,
        id: uuidV7.next(),
        definitionId,
        entityType: "Shipment",
        entityId: shipmentId,
        value: hidden.custom,
        ...stamps,
      },
    });
    const fact = { accountId: account.id, subjectType: "shipment", subjectId: shipmentId, field: "podEtaAt" };
    await prisma.fieldFact.create({
      data: {
        ...fact,
        id: uuidV7.next(),
        value: "2026-07-05T10:00:00.000Z",
        rule: hidden.source,
        dataSource: hidden.source,
        validFrom: new Date(),
      },
    });
  });

  const markupOf = async (link: NewLink) => {
    const response = await app.request((await share(shipmentId, link)).path);
    expect(response.status).toBe(200);
    return response.text();
  };
  const neverDisplayed = [...Object.values(hidden), "54,321", "54321", "23 Jul"];
  const fees = ["4,321.50", "19 Jul 2026"];
  const references = Object.values(reference);

  test("is really in the records: the page of the signed-in member shows it", async () => {
    const cookie = await app.logIn(account);
    const ownPage = await (await app.request(`/shipments/${shipmentId}`, { headers: { cookie } })).text();
    const visibleToOwner = [
      hidden.customer,
      hidden.tag,
      hidden.seal,
      hidden.yard,
      hidden.member,
      ...references,
      ...fees,
    ];
    for (const value of visibleToOwner) expect(ownPage).toContain(value);
  });

  test.each<[string, NewLink, readonly string[], readonly string[]]>([
    ["nothing chosen", {}, [], [...references, ...fees]],
    ["references", { showsReferences: true }, references, fees],
    ["fees", { showsFees: true }, fees, references],
    ["both", { showsReferences: true, showsFees: true }, [...references, ...fees], []],
  ])("does not appear on the public page: %s", async (_name, link, expected, absent) => {
    const markup = await markupOf(link);
    for (const value of [...neverDisplayed, ...absent]) expect(markup).not.toContain(value);
    for (const value of expected) expect(markup).toContain(value);
    // Held containers are not called available, and neither is the hold named.
    expect(markup).not.toMatch(/available for pickup|on hold|held/i);
    expect(markup).not.toContain(shipmentId);
    expect(markup).not.toContain(account.id);
  });
});

describe("a link that no longer works", () => {
  test("responds alike to unknown, malformed, revoked and expired links", async () => {
    const { id } = await addShipment(app.database, account.id, { number: "PUBLIC4" });
    const missing = await missingPage();
    expect(visibleText(missing)).toContain("It has expired or was revoked, or the address is incomplete.");
    for (const path of ["/share/x", `/share/${"%00".repeat(3)}`, `/share/${"é".repeat(43)}`]) {
      await expectGone(path, missing);
    }
    const { pool } = app.database;
    const [expired, revoked] = [await share(id), await share(id)];
    for (const { path } of [expired, revoked]) expect((await app.request(path)).status).toBe(200);
    await pool.query("UPDATE share_links SET expires_at = now() + interval '1 hour' WHERE id = $1", [expired.id]);
    expect((await app.request(expired.path)).status).toBe(200);
    await pool.query("UPDATE share_links SET expires_at = now() WHERE id = $1", [expired.id]);
    await expectGone(expired.path, missing);
    await pool.query("UPDATE share_links SET revoked_at = now(), sealed_token = NULL WHERE id = $1", [revoked.id]);
    await expectGone(revoked.path, missing);
  });

  test("its account was suspended or closed; it works again when the account does", async () => {
    const { database } = app;
    const other = await app.addAccount();
    const { id } = await addShipment(database, other.id, { number: "PUBLIC5" });
    const { path } = await share(id, { accountId: other.id });
    const missing = await missingPage();
    expect((await app.request(path)).status).toBe(200);
    await suspendAccount(database, other.id);
    await expectGone(path, missing);
    await resumeAccount(database, other.id);
    expect((await app.request(path)).status).toBe(200);
    await closeAccount(database, other.id, 30);
    await expectGone(path, missing);
  });
});

test("counts the views at most once a minute, also when many open it at once", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "PUBLIC6" });
  const link = await share(id);
  const { prisma, pool } = app.database;
  const read = () => prisma.shareLink.findFirstOrThrow({ where: { id: link.id } });
  expect(await read()).toMatchObject({ openedCount: 0, lastOpenedAt: null });
  await Promise.all(Array.from({ length: 8 }, () => app.request(link.path)));
  const first = await read();
  expect([first.openedCount, first.rowVersion]).toEqual([1, 1]);
  await pool.query("UPDATE share_links SET last_opened_at = now() - interval '61 seconds' WHERE id = $1", [link.id]);
  await app.request(link.path);
  expect(await read()).toMatchObject({ openedCount: 2 });
});

test("can only be read", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "PUBLIC7" });
  const { path } = await share(id);
  const response = await app.request(path, { method: "POST" });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  expect((await app.request(path, { method: "HEAD" })).status).toBe(200);
});
