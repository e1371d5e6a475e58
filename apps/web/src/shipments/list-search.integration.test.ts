import { expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));

test("a search shows the container that it found, and opens the shipment with it", async () => {
  const one = await app.addAccount();
  const oneCookie = await app.logIn(one);
  const containers = ["MTCU1000001", "MTCU2000002", "MTCU3000003"];
  const { id, containerIds } = await addShipment(app.database, one.id, { number: "MATCH1", containers });
  const found = await (await app.request("/shipments?q=mtcu%20200", { headers: { cookie: oneCookie } })).text();
  expect(found).toContain(`href="/shipments/${id}?container=${containerIds[1]}"`);
  expect(visibleText(found)).toContain("MTCU2000002 and 2 more");
  const byNumber = await (await app.request("/shipments?q=match1", { headers: { cookie: oneCookie } })).text();
  expect(byNumber).toContain(`href="/shipments/${id}"`);
  expect(visibleText(byNumber)).toContain("MTCU1000001 and 2 more");
});

test("says when a search lists only a part of what matches", async () => {
  const one = await app.addAccount();
  const oneCookie = await app.logIn(one);
  const createdAt = new Date();
  await app.database.prisma.shipment.createMany({
    data: Array.from({ length: 201 }, (_, index) => ({
      accountId: one.id,
      id: uuidV7.next(),
      billOfLadingNumber: `CUT${String(index).padStart(4, "0")}`,
      normalizedNumber: `CUT${String(index).padStart(4, "0")}`,
      numberKind: "bill_of_lading",
      shippingLineScac: "SBXL",
      createdAt,
      updatedAt: createdAt,
    })),
  });
  const read = async (path: string) =>
    visibleText(await (await app.request(path, { headers: { cookie: oneCookie } })).text());
  expect(await read("/shipments?q=cut0")).toContain("200 shipments · newest first. Not all matches are shown");
  expect(await read("/shipments?q=cut00")).not.toContain("Not all matches");
  expect(await read("/shipments?q=cu")).toContain("searched in the newest 1,000 shipments only");
});

test("names a customer with the text beside shipments that have it as a reference", async () => {
  const one = await app.addAccount();
  const cookie = await app.logIn(one);
  const { prisma } = app.database;
  const [customerId, createdAt] = [uuidV7.next(), new Date()];
  await prisma.party.create({
    data: { accountId: one.id, id: customerId, companyName: "Acme", createdAt, updatedAt: createdAt },
  });
  await addShipment(app.database, one.id, { number: "OLD1", refNumbers: ["ACME-2024"] });
  const { id } = await addShipment(app.database, one.id, { number: "LIVE1" });
  await prisma.shipment.updateMany({ where: { id }, data: { customerId } });
  const read = async (path: string) => (await app.request(path, { headers: { cookie } })).text();
  const found = await read("/shipments?q=acme");
  expect(visibleText(found)).toContain("“Acme” is also a customer: 1 shipment");
  expect(found).toContain('<a href="/shipments?customer_name=Acme">');
  expect(visibleText(found)).toContain("OLD1");
  expect(visibleText(await read("/shipments?q=acme-2"))).not.toContain("is also a");
});

test("has a link to the shipments that arrive in seven days, which removes the filter again", async () => {
  const one = await app.addAccount();
  const cookie = await app.logIn(one);
  const read = async (path: string) => (await app.request(path, { headers: { cookie } })).text();
  const { id } = await addShipment(app.database, one.id, { number: "SOON1" });
  await addShipment(app.database, one.id, { number: "LATER1" });
  const podEtaAt = new Date(Date.now() + 86_400_000);
  await app.database.prisma.shipment.updateMany({ where: { id }, data: { podEtaAt, podAtaAt: null } });
  const title = ' title="By the arrival of the last container, where its journey ends"';
  const label = 'Arriving in 7 days <span class="count">1</span></a>';
  expect(await read("/shipments")).toContain(`<a href="/shipments?arrival=next_7_days"${title}>${label}`);
  const arriving = await read("/shipments?arrival=next_7_days");
  expect(arriving).toContain(`<a href="/shipments"${title} aria-current="true">${label}`);
  expect(visibleText(arriving)).toContain("SOON1");
  expect(visibleText(arriving)).not.toContain("LATER1");
});
