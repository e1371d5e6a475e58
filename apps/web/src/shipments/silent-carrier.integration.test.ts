import { expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addException } from "../testing/add-exception.ts";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));

test("the page of a shipment says once that its carrier is silent", async () => {
  const { prisma } = app.database;
  const { id } = await addShipment(app.database, account.id, { number: "QUIET1", containers: ["QUIU1000001"] });
  const subjectId = uuidV7.next();
  const subject = { accountId: account.id, id: subjectId, scac: "SBXL", kind: "bill_of_lading", number: "QUIET1" };
  const stamps = { createdAt: new Date("2026-01-01T00:00:00Z"), lastChangedAt: new Date("2026-01-03T10:00:00Z") };
  await prisma.trackingSubject.create({ data: { ...subject, ...stamps, lastSucceededAt: new Date() } });
  await prisma.shipment.updateMany({ where: { id }, data: { subjectId } });
  const read = async () => visibleText(await (await visitor.get(`/shipments/${id}`)).text());
  expect((await read()).match(/for unusually long/g)).toHaveLength(1);
  const details = { silentSince: "2026-01-03T10:00:00.000Z" };
  const exception = { subjectId: id, shipmentId: id, kind: "carrier_silent", severity: "warning", details };
  const exceptionId = await addException(app.database, account.id, exception);
  const withException = await read();
  expect(withException).toContain("No carrier update since 3 Jan 2026");
  expect(withException).not.toContain("unusually long");
  expect(withException).toMatch(/Carrier updated \d+ (days|months) ago/);
  await visitor.post(`/attention/${exceptionId}`, { action: "snooze" });
  expect(await read()).toContain("The carrier replies, but has sent no updates for unusually long.");
});
