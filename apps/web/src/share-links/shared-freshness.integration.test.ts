import { expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addShareLink } from "../testing/add-share-link.ts";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb());
const account = started(() => app.addAccount());

test("the shared page says what the carrier last reported, and that it has reported nothing for long", async () => {
  const { prisma } = app.database;
  const { id } = await addShipment(app.database, account.id, { number: "PUBLICOLD", containers: ["MSKU0000006"] });
  const subjectId = uuidV7.next();
  const subject = { accountId: account.id, id: subjectId, scac: "SBXL", kind: "bill_of_lading", number: "PUBLICOLD" };
  const stamps = { createdAt: new Date("2026-06-01T00:00:00Z"), lastChangedAt: new Date("2026-06-03T10:00:00Z") };
  await prisma.trackingSubject.create({ data: { ...subject, ...stamps, lastSucceededAt: new Date() } });
  await prisma.shipment.updateMany({ where: { id }, data: { subjectId } });
  const { path } = await addShareLink(app.database, account.id, id);
  const read = async () => visibleText(await (await app.request(path)).text());
  expect(await read()).toContain(
    "The carrier has reported nothing new since Wed, 3 Jun 2026 , which is unusually long.",
  );
  expect(await read()).toContain("Last carrier update ");
  const set = (data: object) => prisma.trackingSubject.updateMany({ where: { id: subjectId }, data });
  await set({ lastSucceededAt: new Date("2026-06-03T10:00:00Z") });
  expect(await read()).toContain("The carrier has not answered for more than a day. The times on this page may be");
  await set({ lastSucceededAt: new Date(), lastChangedAt: new Date() });
  expect(await read()).not.toContain("may be out of date");
});
