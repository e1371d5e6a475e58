import { beforeAll, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";

const app = started(() => startTestWeb({ withApi: true }));
let cookie: string;

const account = started(() => app.addAccount());
beforeAll(async () => {
  cookie = await app.logIn(account);
});

const read = async (path: string): Promise<string> => (await app.request(path, { headers: { cookie } })).text();
const textOf = (markup: string): string => markup.replace(/<[^>]*>/g, "").replace(/\s+/g, " ");

test("a shipment names those that carry a reference of it, of this account only", async () => {
  const one = await addShipment(app.database, account.id, { number: "ONE1", refNumbers: ["PO-9", "MINE"] });
  const two = await addShipment(app.database, account.id, { number: "TWO1", refNumbers: ["po-9"] });
  const other = await app.addAccount();
  await addShipment(app.database, other.id, { number: "THEIRS1", refNumbers: ["PO-9"] });
  const markup = await read(`/shipments/${one.id}`);
  expect(textOf(markup)).toContain("1 other shipment shares PO-9: TWO1. Search for PO-9.");
  expect(markup).toContain(`href="/shipments/${two.id}"`);
  expect(markup).not.toContain("THEIRS1");
  expect(textOf(await read(`/shipments/${two.id}`))).toContain("1 other shipment shares po-9: ONE1.");
});

test("is announced after the route, with any notices before it", async () => {
  const { id } = await addShipment(app.database, account.id, {
    number: "FULL1",
    refNumbers: ["SHARED"],
    createdAt: new Date().toISOString(),
    containers: ["FULU1000001"],
  });
  await addShipment(app.database, account.id, { number: "FULL2", refNumbers: ["SHARED"] });
  const stopped = { lineTrackingStoppedAt: new Date(), lineTrackingStoppedReason: "cancelled_by_user" };
  await app.database.prisma.shipment.updateMany({ where: { id }, data: stopped });
  const text = textOf(await read(`/shipments/${id}?container=${uuidV7.next()}`));
  const parts = ["Tracking stopped", "not part of this shipment", "Route", "shares SHARED"].map((one) =>
    text.indexOf(one),
  );
  expect(parts).not.toContain(-1);
  expect(parts).toEqual(parts.toSorted((one, other) => one - other));
});
